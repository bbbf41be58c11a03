import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSharedSync } from "./shared-sync.ts";

/** A disk whose syncs end when the test says so. */
function createSlowDisk() {
  const syncs: Array<{ finish: () => void; fail: (error: Error) => void }> = [];
  let runningNow = 0;
  let mostAtOnce = 0;
  return {
    syncs,
    mostAtOnce: () => mostAtOnce,
    async fdatasync() {
      runningNow++;
      mostAtOnce = Math.max(mostAtOnce, runningNow);
      try {
        await new Promise<void>((resolve, reject) => syncs.push({ finish: resolve, fail: reject }));
      } finally {
        runningNow--;
      }
    },
  };
}

async function settle() {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("shared sync", () => {
  it("serves all who ask at once with one sync", async () => {
    const disk = createSlowDisk();
    const sync = createSharedSync(disk);
    const all = Promise.all(Array.from({ length: 64 }, () => sync.request()));
    await settle();
    expect(disk.syncs).toHaveLength(1);
    disk.syncs[0]?.finish();
    await all;
    await settle();
    expect(disk.syncs).toHaveLength(1);
  });

  it("lets those who ask during a sync share the next one", async () => {
    const disk = createSlowDisk();
    const sync = createSharedSync(disk);
    const first = sync.request();
    await settle();
    let late = 0;
    const others = Array.from({ length: 5 }, () => sync.request().then(() => late++));
    disk.syncs[0]?.finish();
    await first;
    await settle();
    expect(late).toBe(0);
    expect(disk.syncs).toHaveLength(2);
    disk.syncs[1]?.finish();
    await Promise.all(others);
    expect(late).toBe(5);
  });

  it("fails for good once a sync has failed, without trying again", async () => {
    const disk = createSlowDisk();
    const sync = createSharedSync(disk);
    const first = sync.request();
    await settle();
    const second = sync.request();
    const error = new Error("EIO");
    disk.syncs[0]?.fail(error);
    await expect(first).rejects.toBe(error);
    await expect(second).rejects.toBe(error);
    await expect(sync.request()).rejects.toBe(error);
    expect(sync.failure()).toEqual({ error });
    expect(disk.syncs).toHaveLength(1);
    await expect(sync.idle()).resolves.toBeUndefined();
  });

  it("fails for good when somebody else's sync of the same data has failed", async () => {
    const disk = createSlowDisk();
    const sync = createSharedSync(disk);
    const error = new Error("EIO");
    const waiting = sync.request();
    sync.fail(error);
    await expect(waiting).rejects.toBe(error);
    await expect(sync.request()).rejects.toBe(error);
    sync.fail(new Error("later"));
    expect(sync.failure()).toEqual({ error });
    expect(disk.syncs).toHaveLength(0);
  });

  it("is idle when all that was asked for has ended", async () => {
    const disk = createSlowDisk();
    const sync = createSharedSync(disk);
    await sync.idle();
    const asked = [sync.request()];
    await settle();
    asked.push(sync.request());
    let idle = false;
    const waiting = sync.idle().then(() => (idle = true));
    disk.syncs[0]?.finish();
    await settle();
    expect(idle).toBe(false);
    disk.syncs[1]?.finish();
    await waiting;
    await Promise.all(asked);
  });

  it("never confirms before a sync that began after the request, and never runs two at once", async () => {
    const step = fc.constantFrom("request" as const, "finish" as const, "settle" as const);
    const law = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const disk = createSlowDisk();
      const sync = createSharedSync(disk);
      let finished = 0;
      const finishNext = () => {
        if (finished < disk.syncs.length) disk.syncs[finished++]?.finish();
      };
      const asked: Array<Promise<boolean>> = [];
      const request = () => {
        const begunBefore = disk.syncs.length;
        asked.push(sync.request().then(() => finished > begunBefore));
      };
      const actions = { request, finish: finishNext, settle };
      for (const step of steps) await actions[step]();
      do {
        finishNext();
        await settle();
      } while (finished < disk.syncs.length);
      expect(await Promise.all(asked)).not.toContain(false);
      expect(disk.mostAtOnce()).toBeLessThanOrEqual(1);
      expect(disk.syncs.length).toBeLessThanOrEqual(asked.length);
    });
    await fc.assert(law, { numRuns: 200 });
  });
});
