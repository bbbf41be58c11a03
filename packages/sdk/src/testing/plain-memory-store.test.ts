import { describeMemoryStore } from "./memory-store-contract.ts";
import { createPlainMemoryStore } from "./plain-memory-store.ts";

describeMemoryStore("the plain store", async () => {
  const store = createPlainMemoryStore();
  return { store, close: () => store.close() };
});
