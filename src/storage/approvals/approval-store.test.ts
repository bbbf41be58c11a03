import { createMemoryStores } from "../memory-stores.ts";
import { describeApprovals } from "../testing/approval-contract.ts";
import { describeGrants } from "../testing/grant-contract.ts";
import { describeStoreContract } from "../testing/store-contract.ts";
import { describeWaitingTurns } from "../testing/turn-wait-contract.ts";

// A part of what `stores.test.ts` runs, quick enough to be run once for each guard.
describeStoreContract("memory", async (parts) => createMemoryStores(parts), [
  describeApprovals,
  describeGrants,
  describeWaitingTurns,
]);
