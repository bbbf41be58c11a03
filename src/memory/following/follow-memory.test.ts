import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createMemoryFollower, type Due } from "./follow-memory.ts";

const settle = async () => {
  for (let tick = 0; tick < 50; tick++) await Promise.resolve();
};

function setUp(bring: (due: Due) => Promise<void> = async () => {}) {
  const clock = createHandClock();
  const brought: Due[] = [];
  const errors: unknown[] = [];
  const follower = createMemoryFollower({
    clock,
    quietMs: 1000,
    latestMs: 10_000,
    async bring(due) {
      brought.push(due);
      await bring(due);
    },
    onError: (error) => errors.push(error),
  });
  const pass = async (ms: number) => {
    await settle();
    await clock.advance(ms);
    await settle();
  };
  return { follower, brought, errors, pass };
}

describe("following what is written", () => {
  it("waits until it is quiet, and then brings all of it at once", async () => {
    const { follower, brought, pass } = setUp();
    follower.said("a");
    await pass(600);
    follower.said("b");
    follower.written("main");
    await pass(600);
    expect(brought).toEqual([]);
    expect(follower.behind()).toEqual({ files: true, sessions: 2 });
    await pass(400);
    expect(brought).toEqual([
      { everything: false, sessions: new Set(["a", "b"]), agents: new Set(["main"]) },
    ]);
    expect(follower.behind()).toEqual({ files: false, sessions: 0 });
  });

  it("does not wait for ever where it is never quiet", async () => {
    const { follower, brought, pass } = setUp();
    for (let at = 0; at < 10_500; at += 500) {
      follower.said("a");
      await pass(500);
    }
    expect(brought.length).toBe(1);
  });

  it("brings again what could not be brought, later and later, and tells of each failure", async () => {
    let isBroken = true;
    const { follower, brought, errors, pass } = setUp(async () => {
      if (isBroken) throw new Error("the disk is full");
    });
    follower.said("a");
    await pass(1000);
    expect(errors).toHaveLength(1);
    expect(follower.behind().sessions).toBe(1);
    await pass(1000);
    expect(brought).toHaveLength(1);
    isBroken = false;
    await pass(1000);
    expect(brought).toHaveLength(2);
    expect(follower.behind().sessions).toBe(0);
  });

  it("begins nothing more when it is stopped", async () => {
    const { follower, brought, pass } = setUp();
    follower.said("a");
    await settle();
    await follower.stop();
    follower.said("b");
    await pass(60_000);
    expect(brought).toEqual([]);
  });
});
