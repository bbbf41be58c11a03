import { describeMemoryStore } from "@pincer/sdk/testing/memory-contract";
import { createCountingEmbedder } from "./testing/counting-embedder.ts";
import { createMemoryHome } from "./testing/memory-home.ts";

describeMemoryStore("the SQLite store", async () => {
  const home = await createMemoryHome();
  return { store: await home.open(), close: () => home.remove() };
});

describeMemoryStore("the SQLite store with an embedder", async () => {
  const home = await createMemoryHome();
  return { store: await home.open({ embedder: createCountingEmbedder() }), close: () => home.remove() };
});
