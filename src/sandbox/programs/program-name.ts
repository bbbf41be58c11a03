/** Short words of a command, for people: `npm-test`. */
export function slugOf(command: string): string {
  const words = command
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.slice(0, 4).join("-").slice(0, 30).replace(/-$/, "") || "program";
}

/** Ids are made here and hold nothing else; whatever else lies in the directory is not ours. */
export const isSafeFileName = (name: string): boolean => /^p_[0-9a-z]+$/.test(name);
