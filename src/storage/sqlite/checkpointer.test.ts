import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import type { CheckpointMode, StartCheckpointThread } from "./checkpoint-thread.ts";
import { createCheckpointer } from "./checkpointer.ts";

/** A log whose checkpoints run when the test says so. */
function setUp({ slowEnd = false } = {}) {
  const clock = createHandClock();
  const log = { pages: 0, copied: 0 };
  const runs: Array<{ mode: CheckpointMode; finish(busy?: boolean): void; fail(error: unknown): void }> = [];
  const state = { started: 0, ended: 0, paused: false, lost: undefined as unknown };
  const leaving = Promise.withResolvers<void>();
  const startThread: StartCheckpointThread = () => {
    state.started++;
    return {
      run: (mode) =>
        new Promise((resolve, reject) => {
          const finish = (busy = false) => {
            if (!busy) log.copied = log.pages;
            if (!busy && mode === "restart") Object.assign(log, { pages: 1, copied: 0 });
            resolve({ busy });
          };
          runs.push({ mode, finish, fail: reject });
        }),
      async end() {
        state.ended++;
        if (slowEnd) await leaving.promise;
      },
    };
  };
  const checkpointer = createCheckpointer({
    file: "core.db",
    clock,
    measure: () => ({ ...log }),
    writes: { pause: () => void (state.paused = true), resume: () => void (state.paused = false) },
    startThread,
    limits: { copy: 10, restart: 40, pause: 80 },
    onFailedSync: (error) => (state.lost = error),
  });
  const grow = (pages: number) => {
    log.pages += pages;
    checkpointer.look();
  };
  return { clock, log, runs, state, keeper: checkpointer, grow, leave: () => leaving.resolve() };
}

async function settle() {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const sqliteError = (errcode: number) => Object.assign(new Error("sqlite"), { errcode });
const diskFull = 13;
const failedSync = 1034;

describe("the keeper of the log", () => {
  it("starts no thread for a small log", async () => {
    const { grow, keeper: checkpointer, state } = setUp();
    for (let count = 0; count < 9; count++) grow(1);
    await checkpointer.close();
    expect(state).toMatchObject({ started: 0, ended: 0 });
  });

  it("copies beside running writes, and pauses them only to begin the log anew", async () => {
    const { grow, runs, state } = setUp();
    grow(12);
    expect(runs.map(({ mode }) => mode)).toEqual(["copy"]);
    expect(state.paused).toBe(false);
    grow(30);
    expect(runs).toHaveLength(1);
    runs[0]?.finish();
    await settle();
    expect(runs.map(({ mode }) => mode)).toEqual(["copy", "restart"]);
    expect(state.paused).toBe(true);
    runs[1]?.finish();
    await settle();
    expect(state.paused).toBe(false);
    expect(state.started).toBe(1);
  });

  it("lets a log that is still being written to grow until it is worth a pause", async () => {
    const { grow, log, runs, state } = setUp();
    grow(12);
    runs[0]?.finish();
    log.pages += 3;
    await settle();
    expect(state.paused).toBe(false);
    expect(runs).toHaveLength(1);
    grow(10);
    expect(runs.map(({ mode }) => mode)).toEqual(["copy", "copy"]);
  });

  it("makes writes wait when they outrun the copying", async () => {
    const { grow, runs, state } = setUp();
    grow(12);
    grow(70);
    expect(state.paused).toBe(true);
    runs[0]?.finish();
    await settle();
    runs[1]?.finish();
    await settle();
    expect(state.paused).toBe(false);
  });

  it("does not pause again and again while others are reading the log", async () => {
    const { grow, log, runs, state } = setUp();
    grow(50);
    runs[0]?.finish();
    await settle();
    runs[1]?.finish(true);
    await settle();
    expect(state.paused).toBe(false);
    grow(35);
    expect(state.paused).toBe(false);
    expect(log.pages).toBeGreaterThan(80);
    grow(10);
    expect(state.paused).toBe(true);
  });

  it("tells of a checkpoint that failed, lets writes go on, and tries again when more has come", async () => {
    const { grow, keeper: checkpointer, runs, state } = setUp();
    const error = sqliteError(diskFull);
    grow(12);
    grow(70);
    runs[0]?.fail(error);
    await settle();
    expect(checkpointer.problem()).toEqual({ error });
    expect(state).toMatchObject({ paused: false, ended: 1, lost: undefined });
    grow(1);
    expect(runs).toHaveLength(1);
    grow(10);
    expect(runs).toHaveLength(2);
    runs[1]?.finish();
    await settle();
    expect(checkpointer.problem()).toBeUndefined();
    expect(state.started).toBe(2);
  });

  it("says that the disk is lost when a sync failed", async () => {
    const { grow, runs, state } = setUp();
    const error = sqliteError(failedSync);
    grow(12);
    runs[0]?.fail(error);
    await settle();
    expect(state.lost).toBe(error);
  });

  it("ends the thread when it has been idle, and starts another when there is work", async () => {
    const { clock, grow, runs, state } = setUp();
    grow(12);
    runs[0]?.finish();
    await settle();
    runs[1]?.finish();
    await settle();
    await clock.advance(4999);
    expect(state.ended).toBe(0);
    await clock.advance(1);
    expect(state.ended).toBe(1);
    expect(clock.sleeping()).toBe(0);
    grow(12);
    expect(state.started).toBe(2);
  });

  it("closes after the running checkpoint, and starts none any more", async () => {
    const { clock, grow, keeper: checkpointer, runs, state } = setUp();
    grow(12);
    let closed = false;
    const closing = checkpointer.close().then(() => (closed = true));
    await settle();
    expect(closed).toBe(false);
    runs[0]?.finish();
    await settle();
    runs[1]?.finish();
    await closing;
    expect(state.ended).toBe(1);
    expect(clock.sleeping()).toBe(0);
    grow(100);
    expect(runs).toHaveLength(2);
    await checkpointer.close();
  });

  it("closes only when a thread that was idle has ended, too", async () => {
    const { clock, grow, keeper: checkpointer, runs, leave } = setUp({ slowEnd: true });
    grow(12);
    runs[0]?.finish();
    await settle();
    runs[1]?.finish();
    await settle();
    await clock.advance(5000);
    let closed = false;
    const closing = checkpointer.close().then(() => (closed = true));
    await settle();
    expect(closed).toBe(false);
    leave();
    await closing;
  });

  it("runs work between checkpoints", async () => {
    const { grow, keeper: checkpointer, runs } = setUp();
    grow(12);
    let done = false;
    const work = checkpointer.between(() => (done = true));
    await settle();
    expect(done).toBe(false);
    runs[0]?.finish();
    await settle();
    runs[1]?.finish();
    expect(await work).toBe(true);
  });
});
