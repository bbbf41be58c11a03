/** A workdir and what an agent finds in it: its files, its memory, and the files that people wrote for it. */
import type { Clock } from "../../infra/clock.ts";
import { createCalendar } from "../../memory/calendar.ts";
import { createMemoryFiles, type MemoryFiles, type MemoryLayout } from "../../memory/memory-files.ts";
import { countsAs } from "../../policy/protected-paths.ts";
import { createWorkdirFiles, type WorkdirFiles } from "../../sandbox/workdir-files.ts";
import type { WorkdirRegistry } from "../../sandbox/workdir-registry.ts";
import type { AcceptedFiles } from "../../gate/labels/accepted-files.ts";
import type { FileLabels } from "../../tools/files/file-labels.ts";
import { createPromptFiles, type PromptFiles } from "../context/prompt-files.ts";

export interface AgentWorkspace {
  workdir: string;
  files: WorkdirFiles;
  memory: MemoryFiles;
  promptFiles: PromptFiles;
  /** Which versions of the files that steer an agent count; left out: every one. */
  accepted: AcceptedFiles | undefined;
  /** Left out where no labels are stored. */
  labels: Pick<FileLabels, "of"> | undefined;
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
  /** Left out where no labels are stored, as for listing tools. */
  labels?: AgentLabels | undefined;
}

/** What is known of files. */
export interface AgentLabels {
  files: FileLabels;
  accepted: AcceptedFiles;
}

export function createAgentWorkspace(parts: AgentWorkspaceParts): AgentWorkspace {
  const { workdir, homeRoot, reach = "workdir", clock, timezone, layout, labels } = parts;
  const files = createWorkdirFiles({
    workdir,
    closed: homeRoot,
    reach,
    countsAs,
    registry: parts.keeper,
  });
  const { daysUpTo } = createCalendar(timezone);
  return {
    workdir,
    today: () => daysUpTo(clock.now(), 1)[0] ?? "",
    files,
    memory: createMemoryFiles({
      files,
      clock,
      timezone,
      layout,
      ...(labels && { writing: () => labels.files.writing(ofMemory) }),
    }),
    promptFiles: createPromptFiles({ files, accepted: labels?.accepted }),
    accepted: labels?.accepted,
    labels: labels?.files,
  };
}

/** A file of memory may hold anything that memory holds; its lines have labels of their own. */
const ofMemory = { contextLabel: async () => ({ untrusted: true, sources: ["memory"] }) };
