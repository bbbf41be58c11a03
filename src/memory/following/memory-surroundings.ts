/** What the memory service knows about the rest of the product. */
import type { EmbedderSpec } from "../embedders/embedder.ts";
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";

/** An agent and the place where its memory lies. */
export interface AgentPlace {
  agentId: string;
  workdir: string;
  files: WorkdirFiles;
}

export interface EmbedderChoice {
  spec: EmbedderSpec;
  provider: string;
  why: string;
  /** What keeps one from being chosen that should be there. */
  problem?: string | undefined;
}
