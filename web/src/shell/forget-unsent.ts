/** Whoever has signed out leaves nothing that they wrote to those who use the browser after them. */
export function forgetUnsent(storage: Pick<Storage, "removeItem">): void {
  const names = Object.keys(storage).filter((name) => /^pincer\.(?:pending|draft)\./.test(name));
  for (const name of names) storage.removeItem(name);
}
