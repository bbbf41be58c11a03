/**
 * The files that steer the assistant: its identity, instructions, memory and skills. A change in one of them acts in
 * every later conversation.
 */
import { listedRoot } from "./listed-path.ts";
import { asRead, readPath } from "./path-names.ts";

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
 * What a path is or lies in that counts by its name: the same text for the same place, in any spelling. A link that
 * leads there under another name is refused where this is asked of both. Pure.
 */
export function countsAs(path: string): string | undefined {
  const { names, isElsewhere } = readPath(path);
  const name = (isElsewhere ? names : names.slice(0, 1)).find((each) => steering.has(each));
  return name ?? listedRoot(path)?.as;
}

const steering: ReadonlySet<string> = new Set(protectedNames.map(asRead));
