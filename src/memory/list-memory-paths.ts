/** The memory files that a workdir has. */
import type { WorkdirFiles } from "../sandbox/workdir-files.ts";
import { WorkdirError } from "../sandbox/workdir-opener.ts";
import { memoryKindOf } from "./index/memory-paths.ts";

const mostFiles = 20_000;
const deepest = 8;

/** The lasting memory first, then notes by name. Empty if there is none. */
export async function listMemoryPaths(files: Pick<WorkdirFiles, "list" | "stamp">): Promise<string[]> {
  const isThere = (path: string) => files.stamp(path) !== "";
  const own = ["MEMORY.md", "memory.md"].find(isThere);
  const listed = isThere("memory") ? await namesBelow(files) : [];
  const notes = listed.map((name) => `memory/${name}`).filter((path) => memoryKindOf(path) !== undefined);
  return [...(own === undefined ? [] : [own]), ...notes];
}

async function namesBelow(files: Pick<WorkdirFiles, "list">): Promise<string[]> {
  try {
    return (await files.list("memory", deepest, mostFiles)).names;
  } catch (error) {
    // A directory that leads out of the workdir, or a file of that name: there are no notes.
    if (error instanceof WorkdirError) return [];
    throw error;
  }
}
