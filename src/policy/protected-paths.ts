/**
 * The files that steer the assistant itself: who it is, how it works, what it remembers, what it can do. Whoever changes one of them speaks in
 * every later conversation. Names are compared as the most forgiving file system reads them: a path too many costs a question, one too few
 * opens a door.
 */

/** At the top of a workdir; of a directory, everything in it. */
export const protectedNames = [
  "AGENTS.md",
  "SOUL.md",
  "USER.md",
  "IDENTITY.md",
  "TOOLS.md",
  "HEARTBEAT.md",
  "BOOTSTRAP.md",
  "MEMORY.md",
  "memory.md",
  ".agent",
  ".pincer",
  "skills",
  "memory",
] as const;

/** A path of the workdir, in any spelling. One that leads elsewhere may come back from there: then the names in it decide. Pure. */
export function isProtected(path: string): boolean {
  const { names, isElsewhere } = readPath(path);
  return (isElsewhere ? names : names.slice(0, 1)).some((name) => steering.has(name));
}

/**
 * Which of the files that a call would change steer the assistant, as the call spells them; arguments of any shape. `pathsInPatch` reads
 * the targets of a patch; unless told, every line that names a file is one. Notes are added by `memory_append`, which labels what it
 * writes and is none of it. Pure.
 */
export function protectedIn(
  toolName: string,
  given: unknown,
  pathsInPatch: (patch: string) => readonly string[] = namedInPatch,
): string[] {
  if (toolName === "memory_append" || typeof given !== "object" || given === null) return [];
  const named = pathArguments.map((name): unknown => (given as Record<string, unknown>)[name]);
  const patch: unknown = "patch" in given ? given.patch : undefined;
  const paths = [...named, ...(typeof patch === "string" ? pathsInPatch(patch) : [])];
  return paths.filter((path): path is string => typeof path === "string" && isProtected(path));
}

const pathArguments = ["path", "file", "from", "to", "target", "destination"];

const namedInPatch = (patch: string): string[] =>
  patch.split(/\r?\n/).flatMap((line) => {
    const path = /^\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to):(.*)$/s.exec(line)?.[1];
    return path === undefined ? [] : [path.trim()];
  });

/** The names that lead there, without `.` and `..`; elsewhere is what begins at the root, at home, or above. */
function readPath(path: string): { names: string[]; isElsewhere: boolean } {
  const spelled = path.normalize("NFKC").replaceAll("\\", "/");
  const names: string[] = [];
  let isElsewhere = /^(?:\/|~|[a-z]:|file:)/i.test(spelled.trimStart());
  for (const name of spelled.split("/").map(asRead)) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) isElsewhere = true;
  }
  return { names, isElsewhere };
}

/** Large and small letters are one, what nobody sees is nothing, and so are dots and blanks at an end and what stands behind a colon. */
function asRead(name: string): string {
  const seen = name.replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu, "").trim();
  if (/^\.{1,2}$/.test(seen)) return seen;
  const bare = seen.replace(/(?<=.):.*$/s, "").replace(/[. ]+$/, "");
  return bare.toUpperCase().toLowerCase();
}

const steering: ReadonlySet<string> = new Set(protectedNames.map(asRead));
