import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { expect, it } from "vitest";

it("PROTO-01 the client is a few kilobytes for a page, and brings nothing else along", async () => {
  const entry = fileURLToPath(new URL("../packages/sdk/src/client/index.ts", import.meta.url));
  const [bundle] = await build({
    entry,
    config: false,
    write: false,
    minify: true,
    dts: false,
    platform: "neutral",
    logLevel: "silent",
  });
  const chunks = bundle?.chunks.filter((chunk) => chunk.type === "chunk") ?? [];
  expect(chunks.flatMap(({ imports }) => imports)).toEqual([]);
  expect(chunks).toHaveLength(1);
  expect(chunks[0]?.code.length).toBeGreaterThan(1000);
  expect(chunks[0]?.code.length).toBeLessThan(6000);
});
