import { isAbsolute, relative, sep } from "node:path";

/** Whether `path` is `directory` or lies below it, by name alone. Both are absolute. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (!way.startsWith(`..${sep}`) && way !== ".." && !isAbsolute(way));
}
