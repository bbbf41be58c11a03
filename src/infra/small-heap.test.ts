import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { collectGarbage } from "./small-heap.ts";

/**
 * In a process of its own: the flag holds for all of it. The least of some looks: while it is being cleared it takes more, and on a busy machine
 * that is seen.
 */
const youngSpaceAfter = (before: string, now = ""): number => {
  const script = `
    const { keepHeapSmall, makeRoomForYoung } = await import(${JSON.stringify(fileURLToPath(new URL("small-heap.ts", import.meta.url)))});
    const { getHeapSpaceStatistics } = await import("node:v8");
    ${before}
    const sizes = [];
    for (let round = 1, kept = []; round <= 2_000_000; round++) {
      kept.push({ round });
      ${now}
      if (kept.length > 50_000) kept = [];
      if (round < 1_000_000 || round % 100_000 > 0) continue;
      const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
      sizes.push(young.space_size);
    }
    process.stdout.write(String(Math.min(...sizes)));`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }));
};

it("young objects keep to the room they begin with", () => {
  const megabyte = 1024 * 1024;
  expect(youngSpaceAfter("")).toBeGreaterThan(8 * megabyte);
  expect(youngSpaceAfter("keepHeapSmall();")).toBeLessThanOrEqual(2 * megabyte);
});

it("young objects get the room that turns need where somebody makes it, and no more", () => {
  const megabyte = 1024 * 1024;
  const size = youngSpaceAfter("keepHeapSmall();", "if (round % 1000 === 0) makeRoomForYoung();");
  expect(size).toBeGreaterThanOrEqual(8 * megabyte);
  expect(size).toBeLessThanOrEqual(16 * megabyte);
});

/** How long other threads than the main one were busy with young objects, in milliseconds. */
const othersBusy = (whom: "one-thread" | "all-threads"): number => {
  const before = whom === "one-thread" ? "all-threads" : "one-thread";
  const script = `
    const { collectYoungBy } = await import(${JSON.stringify(fileURLToPath(new URL("small-heap.ts", import.meta.url)))});
    collectYoungBy("${before}");
    collectYoungBy("${whom}");
    for (let round = 0, kept = []; round < 1_000_000; round++) {
      kept.push({ round });
      if (kept.length > 50_000) kept = [];
    }`;
  const said = execFileSync(process.execPath, ["--trace-gc-nvp", "--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  const [, ...after] = said.matchAll(/background\.scavenge\.parallel=([\d.]+)/g);
  expect(after.length).toBeGreaterThan(3);
  return after.reduce((sum, [, busy]) => sum + Number(busy), 0);
};

it("young objects are moved by one thread where that is wished, and by all of them otherwise", () => {
  expect(othersBusy("one-thread")).toBe(0);
  // With a single core there is nobody else.
  const least = availableParallelism() > 1 ? 0 : -1;
  expect(othersBusy("all-threads")).toBeGreaterThan(least);
});

/** The most that a heap grows to that holds 60 MB, and throws 200 MB more away that have become old. */
const heapAfter = (before: string): number => {
  const script = `
    const { growInSteps, keepHeapSmall } = await import(${JSON.stringify(fileURLToPath(new URL("small-heap.ts", import.meta.url)))});
    keepHeapSmall();
    ${before}
    const kept = Array.from({ length: 60 }, () => Array.from({ length: 2_500 }, (_, at) => ({ at, more: [at, at, at] })));
    const ring = [];
    let most = 0;
    for (let round = 0; round < 2_000_000; round++) {
      ring[round % 100_000] = { round, more: [round] };
      if (round % 10_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
    }
    process.stdout.write(String(kept.length > 0 ? most : 0));`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }));
};

it("in small steps old garbage is given back sooner", () => {
  expect(heapAfter(`growInSteps("small");`)).toBeLessThan(heapAfter("") * 0.8);
  expect(heapAfter(`growInSteps("small"); growInSteps("usual");`)).toBeGreaterThan(
    heapAfter(`growInSteps("small");`) * 1.2,
  );
});

it("what nobody holds is collected when asked for, and the process is not given the means", async () => {
  const gone = new WeakRef({ text: "gone" });
  // Within one turn of the event loop what a WeakRef was made for is held.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(gone.deref()).toBeUndefined();
  expect("gc" in globalThis).toBe(false);
});
