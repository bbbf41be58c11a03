import type { Effects } from "./effects.ts";

/** Where nothing reaches beyond words and the files of the workdir. */
export const noEffects: Pick<Effects, "toolsIn" | "scoutTools" | "stamp" | "keep" | "removed" | "turnEnded"> =
  {
    toolsIn: () => [],
    scoutTools: () => [],
    stamp: () => "",
    keep: async () => {},
    removed: async () => 0,
    turnEnded: () => {},
  };
