import { createMemoryStores } from "../memory-stores.ts";
import { describeAccess } from "../testing/access-contract.ts";
import { describeStoreContract } from "../testing/store-contract.ts";

// A part of what `stores.test.ts` runs, quick enough to be run once for each guard.
describeStoreContract("memory", async (parts) => createMemoryStores(parts), [describeAccess]);
