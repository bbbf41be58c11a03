/** The files of a workdir that tell an agent who it is and how to work. MEMORY.md is memory, and not among them. */
import type { LeftOut, PromptText } from "../prompt/prompt.ts";
import type { AcceptedFiles } from "../../gate/labels/accepted-files.ts";
import { readAccepted, type SteeringFiles } from "./accepted-texts.ts";
import { readWorkdirTexts, type TextFiles } from "../../sandbox/workdir-texts.ts";

export interface PromptFiles {
  /**
   * `readers`: who reads the answer. Never throws: what is not there is left out, what cannot be used is named with the
   * reason.
   */
  read(
    limits: PromptFileLimits,
    turn: PromptTurn,
    agentId: string,
    readers?: "owner" | "others",
  ): Promise<ReadPromptFiles>;
  /** Replaces the identity part, unless the config does; names the reason if it is unusable. Never throws. */
  override(
    limits: PromptFileLimits,
    agentId: string,
  ): Promise<{ text: string | undefined; skipped: LeftOut[] }>;
  /** Changes whenever what `read` and `override` give may have. Reads nothing. Never throws. */
  stamp(): string;
  /** The same for `override` alone. */
  overrideStamp(): string;
}

export interface PromptFileLimits {
  /** Characters of one file. */
  maxChars: number;
  /** Of all of them; the override, which takes the place of something else, is not counted. */
  totalMaxChars: number;
}

/** Who asks: a person, or Pincer itself, which alone has a use for HEARTBEAT.md. */
export type PromptTurn = "person" | "system";

export interface ReadPromptFiles {
  files: PromptText[];
  skipped: LeftOut[];
}

/** In the order in which they get room. */
const names = ["AGENTS.md", "SOUL.md", "USER.md", "IDENTITY.md", "TOOLS.md"];
/** Private, like memory: in nobody else's prompt. */
const aboutOwner = "USER.md";
const heartbeat = "HEARTBEAT.md";
const overridePath = ".agent/system-prompt.md";
export const allPaths = [...names, heartbeat, overridePath];

export function createPromptFiles({
  files,
  accepted,
}: {
  files: SteeringFiles & TextFiles;
  /** Left out: every version counts. */
  accepted?: Pick<AcceptedFiles, "judge" | "revision"> | undefined;
}): PromptFiles {
  const countingFor = (agentId: string): TextFiles => ({
    ...files,
    read: readAccepted(files, accepted, agentId),
  });
  const revision = () => accepted?.revision() ?? 0;
  return {
    async read(limits, turn, agentId, readers = "owner") {
      const shown = readers === "owner" ? names : names.filter((name) => name !== aboutOwner);
      const wanted = turn === "system" ? [...shown, heartbeat] : shown;
      const { texts, skipped } = await readWorkdirTexts(countingFor(agentId), {
        names: wanted,
        ...limits,
        keep: "beginning",
      });
      return { files: texts, skipped };
    },
    async override({ maxChars }, agentId) {
      const wanted = { names: [overridePath], maxChars, totalMaxChars: maxChars, keep: "beginning" } as const;
      const { texts, skipped } = await readWorkdirTexts(countingFor(agentId), wanted);
      return { text: texts[0]?.text, skipped };
    },
    stamp: () => [revision(), ...allPaths.map((path) => files.stamp(path))].join(" "),
    overrideStamp: () => `${revision()} ${files.stamp(overridePath)}`,
  };
}
