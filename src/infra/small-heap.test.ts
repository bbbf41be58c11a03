import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { collectGarbage } from "./small-heap.ts";

/** In a process of its own: the flag holds for all of it. */
const youngSpaceAfter = (before: string): number => {
  const script = `
    const { keepHeapSmall } = await import(${JSON.stringify(fileURLToPath(new URL("small-heap.ts", import.meta.url)))});
    const { getHeapSpaceStatistics } = await import("node:v8");
    ${before}
    for (let round = 0, kept = []; round < 2_000_000; round++) {
      kept.push({ round });
      if (kept.length > 50_000) kept = [];
    }
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
    process.stdout.write(String(young.space_size));`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }));
};

it("young objects keep to the room they begin with", () => {
  const megabyte = 1024 * 1024;
  expect(youngSpaceAfter("")).toBeGreaterThan(8 * megabyte);
  expect(youngSpaceAfter("keepHeapSmall();")).toBeLessThanOrEqual(2 * megabyte);
});

it("what nobody holds is collected when asked for, and the process is not given the means", async () => {
  const gone = new WeakRef({ text: "gone" });
  // Within one turn of the event loop what a WeakRef was made for is held.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(gone.deref()).toBeUndefined();
  expect("gc" in globalThis).toBe(false);
});
