/** Which paths are on the list of what runs by itself, in any spelling. */
import { asRead, readPath } from "./path-names.ts";
import { runsByItself, type Place } from "./runs-by-itself.ts";

/** Where others put what they depend on. */
const dependencies: ReadonlySet<string> = new Set([
  "node_modules",
  "bower_components",
  "site-packages",
  ".venv",
  "venv",
  ".tox",
  ".nox",
  "__pycache__",
]);

interface Entry {
  place: Place;
  names: readonly string[];
  isDirectory: boolean;
}

const asReadPattern = (name: string): string => (name.startsWith("*") ? name : asRead(name));

const entries: readonly Entry[] = runsByItself.flatMap(({ place, paths }) =>
  paths.map((path) => ({
    place,
    isDirectory: path.endsWith("/"),
    names: path.split("/").filter(Boolean).map(asReadPattern),
  })),
);

const byName = Map.groupBy(entries, ({ names: [first = ""] }) => first);
const bySuffix = entries.filter(({ names: [first = ""] }) => first.startsWith("*"));

const listedNames: ReadonlySet<string> = new Set(entries.flatMap(({ names }) => names));

export interface ListedRoot {
  /** The file or directory on the list, as the path spells it. */
  path: string;
  isDirectory: boolean;
  /** The same for all spellings of its last names, such as `.git/hooks`. */
  as: string;
}

/** What on the list a path is, or lies in; undefined if it is on none. Pure. */
export function listedRoot(path: string): ListedRoot | undefined {
  const { names, isElsewhere } = readPath(path);
  for (const [start, name] of names.entries())
    for (const entry of entriesFor(name)) {
      if (!isAllowed(entry, names, start, isElsewhere)) continue;
      const end = endOf(entry.names, names, start, entry.isDirectory ? "below" : "whole");
      if (end === undefined) continue;
      const as = names.slice(start, end).join("/");
      return { path: spelledTo(path, names.length - end), isDirectory: entry.isDirectory, as };
    }
  return undefined;
}

/** Whether a path with this last name may be one on the list. Quick: asked for every name of a workdir. Pure. */
export const mayBeListed = (name: string): boolean =>
  // oxlint-disable-next-line no-control-regex
  /^[\u0021-\u0039\u003b-\u007e]+$/.test(name) && !name.endsWith(".")
    ? isListedName(name.toLowerCase())
    : isListedName(asRead(name));

const isListedName = (name: string): boolean =>
  listedNames.has(name) || bySuffix.some(({ names: [first = ""] }) => isName(first, name));

/** Whether something on the list may lie below a path: a link there stands for it. Pure. */
export function leadsToListed(path: string): boolean {
  const { names, isElsewhere } = readPath(path);
  return names.some((name, start) =>
    entriesFor(name).some(
      (entry) =>
        isAllowed(entry, names, start, isElsewhere) &&
        entry.names.length > 1 &&
        isOnTheWay(entry.names, names.slice(start)),
    ),
  );
}

const entriesFor = (name: string): readonly Entry[] => [
  ...(byName.get(name) ?? []),
  ...bySuffix.filter(({ names: [first = ""] }) => isName(first, name)),
];

/** A path from elsewhere may lead to the top of any directory. */
const isAllowed = (
  { place }: Entry,
  names: readonly string[],
  start: number,
  isElsewhere: boolean,
): boolean => {
  if (place === "top") return start === 0 || isElsewhere;
  return place === "anywhere" || !names.slice(0, start).some((name) => dependencies.has(name));
};

const isName = (pattern: string, name: string): boolean =>
  pattern.startsWith("*")
    ? name.length >= pattern.length && name.endsWith(pattern.slice(1))
    : pattern === name;

/** Behind the last name that the entry stands for; `whole`: nothing may follow. */
function endOf(
  [pattern, ...rest]: readonly string[],
  names: readonly string[],
  at: number,
  how: "whole" | "below",
): number | undefined {
  if (pattern === undefined) return how === "below" || at === names.length ? at : undefined;
  if (pattern !== "**") return isName(pattern, names[at] ?? "") ? endOf(rest, names, at + 1, how) : undefined;
  for (let from = at; from <= names.length; from += 1) {
    const end = endOf(rest, names, from, how);
    if (end !== undefined) return end;
  }
  return undefined;
}

/** Whether these names are the beginning of the entry, and not all of it. */
function isOnTheWay([pattern, ...rest]: readonly string[], [name, ...below]: readonly string[]): boolean {
  if (pattern === undefined) return false;
  if (name === undefined || pattern === "**") return true;
  return isName(pattern, name) && isOnTheWay(rest, below);
}

/** The path without its last names, as it is spelled. */
function spelledTo(path: string, without: number): string {
  const trimmed = path.replace(/\/+$/, "");
  const names = trimmed.split("/");
  return without === 0 ? trimmed : names.slice(0, names.length - without).join("/");
}
