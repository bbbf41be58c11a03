/**
 * The files that steer the assistant: its identity, instructions, memory and skills. A change in one of them acts in
 * every later conversation. Names are compared as the most lenient file system would: a false match costs a question,
 * a missed one is a hole.
 */

/** At the top of a workdir; a directory covers everything in it. */
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

/** A path of the workdir in any spelling. A path that leads elsewhere may lead back: then its names decide. Pure. */
export function isProtected(path: string): boolean {
  const { names, isElsewhere } = readPath(path);
  return (isElsewhere ? names : names.slice(0, 1)).some((name) => steering.has(name));
}

/**
 * Which files changed by a call steer the assistant, as the call spells them; for arguments of any shape.
 * `pathsInPatch` reads the targets of a patch; by default every line that names a file is one. `memory_append` is not
 * covered: it labels what it writes. Pure.
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

/** The path's names without `.` and `..`; `isElsewhere` if it begins at the root, at home, or above. */
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

/** Ignores case, invisible characters, trailing dots and blanks, and everything after a colon. */
function asRead(name: string): string {
  const seen = name.replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu, "").trim();
  if (/^\.{1,2}$/.test(seen)) return seen;
  const bare = seen.replace(/(?<=.):.*$/s, "").replace(/[. ]+$/, "");
  return bare.toUpperCase().toLowerCase();
}

const steering: ReadonlySet<string> = new Set(protectedNames.map(asRead));
