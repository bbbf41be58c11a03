/** An empty memory: for tests, or where a turn is only described. */
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
