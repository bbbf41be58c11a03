/** A workdir and what an agent finds in it: its files, its memory, and the files that people wrote for it. */
import type { Clock } from "../../infra/clock.ts";
import { createCalendar } from "../../memory/calendar.ts";
import { createMemoryFiles, type MemoryFiles, type MemoryLayout } from "../../memory/memory-files.ts";
import { protectedNames } from "../../policy/protected-paths.ts";
import { createWorkdirFiles, type WorkdirFiles } from "../../sandbox/workdir-files.ts";
import type { WorkdirRegistry } from "../../sandbox/workdir-registry.ts";
import { createPromptFiles, type PromptFiles } from "../context/prompt-files.ts";

export interface AgentWorkspace {
  workdir: string;
  files: WorkdirFiles;
  memory: MemoryFiles;
  promptFiles: PromptFiles;
  /** `YYYY-MM-DD` where the person is. */
  today(): string;
}

export interface AgentWorkspaceParts {
  workdir: string;
  homeRoot: string;
  /** How far its file tools reach; unless told, not beyond the workdir. */
  reach?: "workdir" | "everywhere";
  clock: Clock;
  /** IANA name of the person's time zone. */
  timezone: string;
  layout: MemoryLayout;
  keeper?: WorkdirRegistry | undefined;
}

export function createAgentWorkspace(parts: AgentWorkspaceParts): AgentWorkspace {
  const { workdir, homeRoot, reach = "workdir", clock, timezone, layout } = parts;
  const files = createWorkdirFiles({
    workdir,
    closed: homeRoot,
    reach,
    onlyByName: protectedNames,
    registry: parts.keeper,
  });
  const { daysUpTo } = createCalendar(timezone);
  return {
    workdir,
    today: () => daysUpTo(clock.now(), 1)[0] ?? "",
    files,
    memory: createMemoryFiles({ files, clock, timezone, layout }),
    promptFiles: createPromptFiles({ files }),
  };
}
