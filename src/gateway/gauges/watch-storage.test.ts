import { createHandClock } from "@pincer/sdk/testing";
import type { PincerError } from "@pincer/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { failure } from "../../infra/failure.ts";
import { createIds } from "../../infra/ids.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { createConditionRecord } from "../../storage/sqlite/storage-condition.ts";
import { createStorageWatch, lookEveryMs, proveEveryMs } from "./watch-storage.ts";

const full = failure("storage/full", "failure.disk-full", { reason: "no space left", file: "core.db" });
const torn = failure("storage/corrupt", "failure.damage", { finding: "page 7 is torn" });

const stopping: AbortController[] = [];
afterEach(() => stopping.forEach((each) => each.abort()));

/** A disk that can be full, hang, and be damaged. */
function watchDisk() {
  const clock = createHandClock();
  const record = createConditionRecord(clock);
  const disk = {
    isFull: false,
    isCramped: false,
    hangs: false,
    damage: [] as PincerError[],
    tries: 0,
    checks: 0,
  };
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("acme");
  const errors: unknown[] = [];
  let told = 0;
  const watch = createStorageWatch({
    clock,
    storage: {
      condition: () => ({ ...record.read(), logProblem: undefined }),
      async lookForRoom() {
        record.looked(disk.isCramped ? full : undefined);
      },
      async tryWrite() {
        disk.tries++;
        if (disk.hangs) await new Promise(() => {});
        if (!disk.isFull) return record.wrote();
        record.writeFailed(full);
        throw full;
      },
      async checkPages() {
        disk.checks++;
        record.checked(disk.damage);
        return disk.damage;
      },
    },
    notices: {
      add: (draft) => (disk.isFull ? Promise.reject(full) : stores.notices.add(draft)),
    },
    told: () => void told++,
    onError: (error) => errors.push(error),
  });
  const stop = new AbortController();
  stopping.push(stop);
  void watch.watch(stop.signal);
  const notices = async () => (await stores.notices.list({ limit: 9 })).map(({ text }) => text.key);
  return { clock, disk, record, watch, notices, told: () => told };
}

describe("watching over the disk", () => {
  it("OBS-01 writes a page when nobody has written for a minute, and not before", async () => {
    const { clock, disk, record } = watchDisk();
    await clock.advance(0);
    expect(disk.tries).toBe(1);
    await clock.advance(proveEveryMs / 2);
    record.wrote();
    await clock.advance(proveEveryMs / 2 + lookEveryMs);
    expect(disk.tries).toBe(1);
    await clock.advance(proveEveryMs);
    expect(disk.tries).toBe(2);
  });

  it("OBS-01 refuses while single pages fit but no turn does, whatever is written meanwhile", async () => {
    const { clock, disk, record, watch } = watchDisk();
    await clock.advance(0);
    disk.isCramped = true;
    await clock.advance(lookEveryMs);
    expect(watch.condition().refusing?.error).toBe(full);
    record.wrote();
    expect(watch.condition().refusing?.error).toBe(full);
    disk.isCramped = false;
    // Once for the look, once for the page that is written then.
    await clock.advance(lookEveryMs);
    await clock.advance(lookEveryMs);
    expect(watch.condition()).toMatchObject({ refusing: undefined, refused: { error: full } });
  });

  it("OBS-01 tries a disk that refused every ten seconds, and tells the owner when that can be written", async () => {
    const { clock, disk, watch, notices, told } = watchDisk();
    await clock.advance(0);
    disk.isFull = true;
    await clock.advance(proveEveryMs + lookEveryMs);
    expect(watch.condition().refusing?.error).toBe(full);
    const tries = disk.tries;
    for (let step = 0; step < 3; step++) await clock.advance(lookEveryMs);
    expect(disk.tries).toBe(tries + 3);
    expect(await notices()).toEqual([]);
    disk.isFull = false;
    await clock.advance(lookEveryMs);
    await clock.advance(0);
    expect(watch.condition().refusing).toBeUndefined();
    await expect.poll(notices).toEqual(["notice.writes-failed"]);
    expect(told()).toBe(1);
  });

  it("OBS-01 a disk that does not answer is told as one that refuses", async () => {
    const { clock, disk, watch } = watchDisk();
    disk.hangs = true;
    await clock.advance(proveEveryMs + lookEveryMs);
    await clock.advance(5000);
    expect(watch.condition().refusing?.error.code).toBe("storage/unavailable");
    expect(disk.tries).toBeLessThanOrEqual(2);
  });

  it("OBS-01 has all pages read after the start and daily, and tells the owner of damage once", async () => {
    const { clock, disk, watch, notices, told } = watchDisk();
    await clock.advance(5000);
    expect(disk.checks).toBe(1);
    disk.damage = [torn];
    clock.jump(23 * 60 * 60_000);
    await clock.advance(lookEveryMs);
    expect(disk.checks).toBe(1);
    clock.jump(60 * 60_000);
    await clock.advance(lookEveryMs);
    expect(disk.checks).toBe(2);
    expect(watch.condition().damage).toEqual([torn]);
    await clock.advance(lookEveryMs);
    await expect.poll(notices).toEqual(["notice.damage"]);
    await clock.advance(60 * 60_000);
    expect(told()).toBe(1);
  });

  it("OBS-01 a read that failed has all pages read soon", async () => {
    const { clock, disk, record } = watchDisk();
    await clock.advance(10 * 60_000);
    expect(disk.checks).toBe(1);
    record.readFailed(torn);
    await clock.advance(lookEveryMs);
    expect(disk.checks).toBe(2);
  });
});
