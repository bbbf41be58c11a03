/** After sign-out the next user of the browser must find nothing of what was written. */
export function forgetUnsent(storage: Pick<Storage, "removeItem">): void {
  const names = Object.keys(storage).filter((name) => /^pincer\.(?:pending|draft)\./.test(name));
  for (const name of names) storage.removeItem(name);
}
