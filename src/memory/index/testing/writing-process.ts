/** Puts lines to an index for as long as it lives, and says when it has begun: to be killed in the middle. */
import { systemClock } from "../../../infra/clock.ts";
import { openMemoryStore } from "../sqlite-memory-store.ts";

const [file = ""] = process.argv.slice(2);
const store = await openMemoryStore({
  file,
  tenantId: "t",
  embedder: undefined,
  cacheMaxEntries: 0,
  clock: systemClock,
});
const source = { id: "main/MEMORY.md", kind: "memory", agentId: "main", path: "MEMORY.md" } as const;
const many = Array.from({ length: 200_000 }, (_, at) => ({
  line: at + 1,
  text: `new word${at} of the second time`,
}));
const writing = store.put(source, many, "2");
// By now lines are being written, and the transaction is open.
for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve));
process.stdout.write("writing\n");
await writing;
process.stdout.write("written\n");
