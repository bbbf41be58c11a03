/** Where nothing is remembered: on a stage, or where a turn is only looked at. */
import type { Memory } from "./memory.ts";

const nobodyRemembers = async () => {
  throw new Error("nothing is remembered here");
};

export const noMemory: Pick<
  Memory,
  "search" | "get" | "status" | "sync" | "unconfirmed" | "forget" | "said"
> = {
  search: nobodyRemembers,
  get: nobodyRemembers,
  status: nobodyRemembers,
  sync: nobodyRemembers,
  unconfirmed: nobodyRemembers,
  async forget() {},
  said() {},
};
