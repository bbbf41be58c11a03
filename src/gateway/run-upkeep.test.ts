import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import type { Clock } from "../infra/clock.ts";
import { createIds } from "../infra/ids.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import type { UsageDraft } from "../storage/usage/usage.ts";
import { runUpkeep, keptForMs, usageKeptForMs } from "./run-upkeep.ts";
import { addUsage, noJudge, someCall, someHolder } from "../storage/testing/add-usage.ts";

const used = (clock: Clock): UsageDraft => someCall({ startedAt: new Date(clock.now()).toISOString() });

it("clears away what is over for a month, keeps what is not, and goes on after a bad day", async () => {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const accept = (id: string) =>
    stores.inbox.accept({
      tenantId: "t",
      workspaceId: "w",
      channel: "fake",
      accountId: "default",
      peer: { kind: "user", id: "42" },
      sender: { id: "42" },
      message: { type: "text", id, text: "hi", attachments: [], mentioned: true },
      timestamp: clock.now(),
    });
  const { row } = await accept("old");
  await stores.inbox.settle(row.id, { state: "refused", reason: null });
  await accept("waiting");
  const stop = new AbortController();
  const errors: unknown[] = [];
  let fails = 1;
  const flaky = {
    ...stores,
    turns: {
      ...stores.turns,
      prune: async (before: string, limit: number) => {
        if (fails-- > 0) throw new Error("the disk is full");
        return stores.turns.prune(before, limit);
      },
    },
  };
  const keeping = runUpkeep({
    stores: flaky,
    clock,
    signal: stop.signal,
    onError: (error) => errors.push(error),
  });
  await clock.advance(10 * 60_000);
  expect(errors).toHaveLength(1);
  await clock.advance(keptForMs + 86_400_000);
  expect(await stores.inbox.find("fake", "default", "old")).toBeUndefined();
  expect(await stores.inbox.find("fake", "default", "waiting")).toMatchObject({ state: "new" });
  stop.abort();
  await keeping;
});

it("MODEL-08 keeps what was used for longer than a year, and its sums for good", async () => {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  await addUsage(stores.usage, used(clock));
  const day = { type: "day", day: new Date(clock.now()).toISOString().slice(0, 10) } as const;
  const stop = new AbortController();
  const fail = (error: unknown) => {
    throw error;
  };
  const keeping = runUpkeep({ stores, clock, signal: stop.signal, onError: fail });
  await clock.advance(usageKeptForMs - 86_400_000);
  expect(await stores.usage.list({ limit: 9 })).toHaveLength(1);
  await clock.advance(2 * 86_400_000);
  expect(await stores.usage.list({ limit: 9 })).toEqual([]);
  expect((await stores.usage.totals(day)).cost).toBe(1);
  stop.abort();
  await keeping;
});

it("MODEL-05 ends at once what a killed process has left open in the ledger, and nothing else", async () => {
  const clock = createHandClock();
  const { usage, ...stores } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  for (const id of ["dead", "living"])
    await usage.open({ ...used(clock), isUnpriced: false, holder: someHolder(id) }, noJudge);
  const stop = new AbortController();
  const keeping = runUpkeep({
    stores: { ...stores, usage },
    clock,
    signal: stop.signal,
    onError: expect.fail,
    processes: { isAlive: ({ id }) => id === "living" },
  });
  stop.abort();
  await keeping;
  expect((await usage.list({ limit: 9 })).map(({ outcome }) => outcome)).toEqual(["open", "lost"]);
});

it("STORE-09 cleans the media every day, and tells what is in the way", async () => {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const stop = new AbortController();
  const errors: unknown[] = [];
  const cleanedAt: number[] = [];
  const start = clock.now();
  const nothing = { removed: 0, removedBytes: 0, leftovers: 0, kept: 0, keptBytes: 0, failed: 0 };
  const media = {
    async clean({ now }: { now: number }) {
      cleanedAt.push(now - start);
      if (cleanedAt.length === 1) throw new Error("unreadable");
      return cleanedAt.length === 2 ? { ...nothing, failed: 1, firstError: new Error("stuck") } : nothing;
    },
  };
  const keeping = runUpkeep({
    stores,
    clock,
    signal: stop.signal,
    onError: (error) => errors.push(error),
    media,
  });
  await clock.advance(10 * 60_000);
  await clock.advance(86_400_000);
  await clock.advance(86_400_000);
  expect(cleanedAt).toEqual([600_000, 600_000 + 86_400_000, 600_000 + 2 * 86_400_000]);
  expect(errors).toEqual([new Error("unreadable"), new Error("stuck")]);
  stop.abort();
  await keeping;
});

it("SAFE-02 looks at once and every minute for questions that ran out, and goes on when that fails", async () => {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const stop = new AbortController();
  const errors: unknown[] = [];
  let sweeps = 0;
  const approvals = {
    async sweep() {
      if (++sweeps === 1) throw new Error("the disk is full");
    },
  };
  const keeping = runUpkeep({
    stores,
    clock,
    signal: stop.signal,
    onError: (error) => errors.push(error),
    approvals,
  });
  for (const expected of [1, 2, 3]) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(sweeps).toBe(expected);
    await clock.advance(60_000);
  }
  expect(errors).toEqual([new Error("the disk is full")]);
  stop.abort();
  await keeping;
});

it("clears away sessions of single requests after a day, and goes on where that fails", async () => {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const stop = new AbortController();
  const errors: unknown[] = [];
  const days: string[] = [];
  const keeping = runUpkeep({
    stores,
    clock,
    signal: stop.signal,
    onError: (error) => errors.push(error),
    single: {
      async clear(before) {
        days.push(before);
        throw new Error("the disk is full");
      },
    },
  });
  for (const pause of [10 * 60_000, 24 * 60 * 60_000]) {
    await expect.poll(() => clock.sleeping()).toBeGreaterThan(0);
    await clock.advance(pause);
  }
  await expect.poll(() => days).toEqual(["2025-12-31T12:10:00.000Z", "2026-01-01T12:10:00.000Z"]);
  expect(errors).toHaveLength(2);
  stop.abort();
  await keeping;
});
