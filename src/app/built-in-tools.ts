/** The tools that come with Pincer, bound to one workdir. */
import type { Tool } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { createMemoryAppendTool } from "../memory/memory-append-tool.ts";
import { createEchoTool } from "../tools/echo.ts";
import { createListFilesTool } from "../tools/list-files.ts";
import { createPwdTool } from "../tools/pwd.ts";
import { createReadFileTool } from "../tools/read-file.ts";
import { createResultReadTool, type ResultReadParts } from "../tools/result-read.ts";
import { createTimeNowTool } from "../tools/time-now.ts";
import { createToolSet, type ToolSet } from "../tools/tool-set.ts";
import type { Workroom } from "./agents/workroom.ts";

export function createBuiltInTools(
  place: {
    clock: Clock;
    workroom: Pick<Workroom, "files" | "memory">;
    /** Left out where there are no sessions. */
    readResult?: ResultReadParts["read"] | undefined;
  },
  others: readonly Tool[] = [],
): ToolSet {
  const { files, memory } = place.workroom;
  return createToolSet([
    createTimeNowTool(place.clock),
    createEchoTool(),
    createPwdTool(files.root),
    createListFilesTool(files),
    createReadFileTool(files),
    createResultReadTool({ read: place.readResult ?? (async () => undefined) }),
    createMemoryAppendTool(memory),
    ...others,
  ]);
}
