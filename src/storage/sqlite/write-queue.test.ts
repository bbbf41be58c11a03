import type { PincerError } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failure } from "../../infra/failure.ts";
import { change, first, type Verb } from "./database.ts";
import { createTransactions } from "./sqlite-transactions.ts";
import { createWriteQueue, type WriteQueue } from "./write-queue.ts";

let connection: DatabaseSync;
let queue: WriteQueue;
let clock: ReturnType<typeof createHandClock>;
let begun: number;
let commits: number;
let refused: PincerError | undefined;
/** How long a look at the clock says that things take. */
let slow: number;

beforeEach(() => {
  connection = new DatabaseSync(":memory:");
  connection.exec("CREATE TABLE rows (position INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL)");
  begun = 0;
  commits = 0;
  refused = undefined;
  slow = 0;
  clock = createHandClock();
  let time = 0;
  const { transact, changes } = createTransactions({ connection, file: ":memory:" });
  queue = createWriteQueue({
    transactions: {
      changes,
      transact(begin, verb) {
        begun++;
        return transact(begin, verb);
      },
    },
    refusal: () => refused,
    onCommit: () => void commits++,
    clock,
    now: () => (time += slow),
  });
});
afterEach(() => connection.close());

function* write(word: string): Verb<string> {
  yield* change("INSERT INTO rows (word) VALUES (?)", [word]);
  return word;
}

function* writeAndThrow(word: string, error: Error): Verb<never> {
  yield* write(word);
  throw error;
}

const words = () =>
  connection
    .prepare("SELECT word FROM rows ORDER BY position")
    .all()
    .map((row) => row["word"]);

describe("the queue of writes", () => {
  it("keeps the thread for a short time only: what there was no time for is written next, in order", async () => {
    slow = 2;
    const all = ["a", "b", "c", "d", "e", "f", "g"];
    const written = await Promise.all(all.map((word) => queue.add(() => write(word))));
    expect(written).toEqual(all);
    expect(words()).toEqual(all);
    expect({ begun, commits }).toEqual({ begun: 3, commits: 3 });
  });

  it("writes what comes together in one transaction, in order", async () => {
    const written = await Promise.all(["a", "b", "c"].map((word) => queue.add(() => write(word))));
    expect(written).toEqual(["a", "b", "c"]);
    expect(words()).toEqual(["a", "b", "c"]);
    expect({ begun, commits }).toEqual({ begun: 1, commits: 1 });
  });

  it("tells who changed something, also among others", async () => {
    const looking = () => first("SELECT count(*) AS count FROM rows");
    const written = await Promise.all([
      queue.addCounted(looking),
      queue.addCounted(() => write("a")),
      queue.addCounted(looking),
    ]);
    expect(written.map(({ changed }) => changed)).toEqual([false, true, false]);
  });

  it("undoes a verb that throws, and no other", async () => {
    const error = new Error("mine");
    const outcomes = await Promise.allSettled([
      queue.add(() => write("a")),
      queue.add(() => writeAndThrow("b", error)),
      queue.add(() => write("c")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[1]).toMatchObject({ reason: error });
    expect(words()).toEqual(["a", "c"]);
  });

  it("fails all at once when it is the storage that fails, without trying one by one", async () => {
    const full = failure("storage/full", "failure.disk-full", { reason: "full", file: "x" });
    const outcomes = await Promise.allSettled([
      queue.add(() => write("a")),
      queue.add(() => writeAndThrow("b", full)),
    ]);
    expect(outcomes).toMatchObject([{ reason: full }, { reason: full }]);
    expect(words()).toEqual([]);
    expect(begun).toBe(1);
  });

  it("refuses what was added before the disk was lost and not yet written", async () => {
    const adding = queue.add(() => write("a"));
    refused = failure("storage/failed", "failure.disk-lost", { reason: "EIO", file: "x" });
    await expect(adding).rejects.toBe(refused);
    expect(words()).toEqual([]);
  });

  it("writes nothing while paused, and then everything in the order in which it came", async () => {
    const early = queue.add(() => write("a"));
    queue.pause();
    const late = queue.add(() => write("b"));
    let isIdle = false;
    const idle = queue.idle().then(() => (isIdle = true));
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(words()).toEqual([]);
    expect(isIdle).toBe(false);
    queue.resume();
    const latest = queue.add(() => write("c"));
    await Promise.all([early, late, latest, idle]);
    expect(words()).toEqual(["a", "b", "c"]);
    await queue.idle();
  });

  it("lets what nobody waits for come along with the next write, before it and in its transaction", async () => {
    const along = queue.addAlong(() => write("a"));
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(words()).toEqual([]);
    expect(await Promise.all([along, queue.add(() => write("b"))])).toEqual(["a", "b"]);
    expect(words()).toEqual(["a", "b"]);
    expect({ begun, commits }).toEqual({ begun: 1, commits: 1 });
  });

  it("writes what waits to come along by itself within a tenth of a second, all of it at once", async () => {
    const first = queue.addAlong(() => write("a"));
    await clock.advance(20);
    const second = queue.addAlong(() => write("b"));
    expect(clock.sleeping()).toBe(1);
    await clock.advance(80);
    await Promise.all([first, second]);
    expect(words()).toEqual(["a", "b"]);
    expect({ begun, sleeping: clock.sleeping() }).toEqual({ begun: 1, sleeping: 0 });
    const third = queue.addAlong(() => write("c"));
    await clock.advance(100);
    expect(await third).toBe("c");
  });

  it("writes what waits to come along before it is idle, and sleeps no more", async () => {
    const along = queue.addAlong(() => write("a"));
    await queue.idle();
    expect(words()).toEqual(["a"]);
    expect(await along).toBe("a");
    expect(clock.sleeping()).toBe(0);
  });

  it("keeps what waits to come along for after a pause", async () => {
    queue.pause();
    const along = queue.addAlong(() => write("a"));
    await clock.advance(1000);
    expect(words()).toEqual([]);
    queue.resume();
    expect(await along).toBe("a");
  });

  it("writes what comes along although what it came with is undone", async () => {
    const along = queue.addAlong(() => write("a"));
    await expect(queue.add(() => writeAndThrow("b", new Error("mine")))).rejects.toThrow("mine");
    expect(await along).toBe("a");
    expect(words()).toEqual(["a"]);
  });

  it("leaves the same rows as writing one by one, no matter which one throws and where it pauses", async () => {
    const step = fc.constantFrom("write", "along", "throw", "pause", "resume", "wait");
    const law = fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
      connection.exec("DELETE FROM rows");
      const expected: string[] = [];
      const asked: Array<Promise<unknown>> = [];
      for (const [index, name] of steps.entries()) {
        if (name === "pause") queue.pause();
        if (name === "resume") queue.resume();
        if (name === "wait") await new Promise((resolve) => setImmediate(resolve));
        if (name === "write") {
          expected.push(`${index}`);
          asked.push(queue.add(() => write(`${index}`)));
        }
        if (name === "along") {
          expected.push(`${index}`);
          asked.push(queue.addAlong(() => write(`${index}`)));
        }
        if (name === "throw")
          asked.push(queue.add(() => writeAndThrow("lost", new Error("mine"))).catch(() => {}));
      }
      queue.resume();
      await queue.idle();
      await Promise.all(asked);
      expect(words()).toEqual(expected);
    });
    await fc.assert(law, { numRuns: 100 });
  });
});
