/** Whether a path leads to something in the workdir, links followed as the system would. */
import { lstatSync, opendirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";

export interface Place {
  /** Real paths. */
  workdir: string;
  cwd: string;
}

/** What is not there counts by its words alone: it may be made. */
export function staysInside(path: string, { workdir, cwd }: Place): boolean {
  if (path === "/dev/null") return true;
  // The shell has left it alone, but a program may read it as somebody's home.
  if (path.startsWith("~")) return false;
  const real = follow(path, cwd);
  return real !== undefined && isWithin(real, workdir);
}

/** Whether no name that begins like a pattern leads outside. Signs in any part but the last are not looked into. */
export function patternStaysInside(pattern: string, place: Place): boolean {
  const slash = pattern.lastIndexOf("/") + 1;
  const directory = pattern.slice(0, slash);
  if (/[*?[]/.test(directory)) return false;
  const real = follow(directory, place.cwd);
  if (real === undefined) return false;
  const [beginning = ""] = pattern.slice(slash).split(/[*?[]/);
  const names = namesIn(real);
  if (names.length > mostNames) return false;
  const fitting = names.filter((name) => name.startsWith(beginning));
  return fitting.every((name) => staysInside(`./${name}`, { ...place, cwd: real }));
}

/** Undefined where a link leads nowhere, or round in a circle: who knows what will be there. */
function follow(path: string, cwd: string): string | undefined {
  let at = isAbsolute(path) ? "/" : cwd;
  // How far it has gone below the last that is there: nothing more can be there then.
  let missing = 0;
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      missing = Math.max(0, missing - 1);
      continue;
    }
    const next = at === "/" ? `/${name}` : `${at}/${name}`;
    const real = missing > 0 ? "missing" : realOf(next);
    if (real === undefined) return undefined;
    missing = real === "missing" ? missing + 1 : 0;
    at = real === "missing" ? next : real;
  }
  return at;
}

function realOf(path: string): string | "missing" | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return "missing";
    return found.isSymbolicLink() ? realpathSync(path) : path;
  } catch (error) {
    // No file has a name as long as that.
    return (error as NodeJS.ErrnoException).code === "ENAMETOOLONG" ? "missing" : undefined;
  }
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Each is looked up on disk, which blocks other work. */
const mostNames = 500;

/** Cuts a list that is too long, and shows that it was cut. */
function namesIn(path: string): string[] {
  const names: string[] = [];
  try {
    const directory = opendirSync(path);
    try {
      for (let next = directory.readSync(); next && names.length <= mostNames; next = directory.readSync())
        names.push(next.name);
    } finally {
      directory.closeSync();
    }
    return names;
  } catch {
    // Not there, or not to be read: then the pattern becomes nothing.
    return [];
  }
}
