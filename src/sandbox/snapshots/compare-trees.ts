import type { LoopYield } from "../../infra/loop-yield.ts";
import { isSame, type Change, type Kept } from "./kept.ts";

export interface Side {
  entries: ReadonlyMap<string, Kept>;
  unknown: readonly string[];
}

/** The differences by path. What either side does not know is left out: to report it as created would remove it. */
export async function compareTrees(before: Side, after: Side, loopYield: LoopYield): Promise<Change[]> {
  const unknown = new Set([...before.unknown, ...after.unknown]);
  const paths = new Set([...before.entries.keys(), ...after.entries.keys()]);
  const changes: Change[] = [];
  for (const path of paths) {
    while (loopYield.isSpent()) await loopYield.turned();
    const change = { path, before: before.entries.get(path) ?? null, after: after.entries.get(path) ?? null };
    if (isSame(change.before, change.after)) continue;
    if (isUnknown(path, unknown)) continue;
    changes.push(change);
  }
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

function isUnknown(path: string, unknown: ReadonlySet<string>): boolean {
  if (unknown.size === 0) return false;
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
    if (unknown.has(path.slice(0, end))) return true;
  return false;
}
