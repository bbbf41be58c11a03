/** A workdir and what an agent finds in it: its files, its memory, and what people wrote for it there. */
import type { Clock } from "../../infra/clock.ts";
import { createCalendar } from "../../memory/calendar.ts";
import { createMemoryFiles, type MemoryFiles, type MemoryLayout } from "../../memory/memory-files.ts";
import { createWorkdirFiles, type WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { createPromptFiles, type PromptFiles } from "../context/prompt-files.ts";

export interface Workroom {
  workdir: string;
  files: WorkdirFiles;
  memory: MemoryFiles;
  promptFiles: PromptFiles;
  /** `YYYY-MM-DD` where the person is. */
  today(): string;
}

export interface WorkroomParts {
  workdir: string;
  homeRoot: string;
  clock: Clock;
  /** IANA name of the person's time zone. */
  timezone: string;
  layout: MemoryLayout;
}

export function createWorkroom({ workdir, homeRoot, clock, timezone, layout }: WorkroomParts): Workroom {
  const files = createWorkdirFiles({ workdir, closed: homeRoot });
  const { daysUpTo } = createCalendar(timezone);
  return {
    workdir,
    today: () => daysUpTo(clock.now(), 1)[0] ?? "",
    files,
    memory: createMemoryFiles({ files, clock, timezone, layout }),
    promptFiles: createPromptFiles({ files }),
  };
}
