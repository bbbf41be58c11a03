/** The tools that come with Pincer, bound to one workdir. */
import type { Tool } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { createWorkdirFiles } from "../sandbox/workdir-files.ts";
import { createEchoTool } from "../tools/echo.ts";
import { createListFilesTool } from "../tools/list-files.ts";
import { createPwdTool } from "../tools/pwd.ts";
import { createReadFileTool } from "../tools/read-file.ts";
import { createTimeNowTool } from "../tools/time-now.ts";
import { createToolSet, type ToolSet } from "../tools/tool-set.ts";

export function createBuiltInTools(
  place: { clock: Clock; workdir: string; homeRoot: string },
  others: readonly Tool[] = [],
): ToolSet {
  const { clock, workdir, homeRoot } = place;
  const files = createWorkdirFiles({ workdir, closed: homeRoot });
  return createToolSet([
    createTimeNowTool(clock),
    createEchoTool(),
    createPwdTool(files.root),
    createListFilesTool(files),
    createReadFileTool(files),
    ...others,
  ]);
}
