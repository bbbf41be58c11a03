import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { leastScore, mutate, summaryOf } from "./mutate.ts";

it("notices most of the guards that are taken out of policy, gate, sandbox and storage", async () => {
  const found = await mutate({ root: fileURLToPath(new URL("../..", import.meta.url)) });
  process.stdout.write(`${summaryOf(found)}\n`);
  expect(found.total).toBeGreaterThan(0);
  expect(found.score).toBeGreaterThanOrEqual(leastScore);
});
