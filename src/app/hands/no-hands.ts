import type { Hands } from "./hands.ts";

/** Where nothing reaches beyond words and the files of the workdir. */
export const noHands: Pick<Hands, "toolsIn" | "stamp" | "keep" | "removed" | "turnEnded"> = {
  toolsIn: () => [],
  stamp: () => "",
  keep: async () => {},
  removed: async () => 0,
  turnEnded: () => {},
};
