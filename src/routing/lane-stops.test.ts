import { PincerError } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import type { TurnStop } from "../agent/turn-run.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import { createLanes, type LaneParts } from "./lanes.ts";
import { createTurnTable } from "./testing/turn-table.ts";

const ticks = async (count = 20) => {
  for (let tick = 0; tick < count; tick++) await new Promise((resolve) => setImmediate(resolve));
};
const space = "w_default";
const destination = (peerId: string) => ({
  channel: "telegram",
  accountId: "default",
  target: { peerKind: "user" as const, peerId },
});

/** Lanes whose runs end when they are aborted, or when the test lets them. */
function stage(given: Partial<LaneParts> = {}) {
  const clock = createHandClock();
  const turns = createTurnTable();
  const log: string[] = [];
  const over: string[] = [];
  const ends = new Map<string, () => void>();
  const lanes = createLanes({
    run: (turn, signal) => {
      turns.change(turn.turnId, { state: "running", claims: turn.claims + 1 });
      return new Promise((resolve) => {
        const end = (how: string) => {
          log.push(`${turn.turnId} ${how}`);
          turns.change(turn.turnId, { state: "done" });
          resolve({ type: "ended", turn, followUp: undefined });
        };
        const stop = () => end((signal.reason as TurnStop).by);
        ends.set(turn.turnId, () => end("answered"));
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop);
      });
    },
    turns,
    clock,
    limit: 16,
    deadlineMs: () => 60_000,
    graceMs: 5000,
    evict: async () => {},
    bury: async ({ turnId }: TurnRecord) => turns.change(turnId, { state: "dead" }),
    onError: () => {},
    onOver: (turnId) => over.push(turnId),
    ...given,
  });
  return { clock, turns, lanes, log, over, end: (turnId: string) => ends.get(turnId)?.() };
}

describe("aborting one turn", () => {
  it("ends one that waits in the store at once, with its line, and nobody ever runs it", async () => {
    const woken: number[] = [];
    const drafted: string[] = [];
    const { turns, lanes, log, over, end } = stage({
      stoppedDrafts: ({ turnId }) => {
        drafted.push(turnId);
        return [];
      },
      wakeOutbox: (rows) => woken.push(rows.length),
    });
    for (const session of ["a", "a", "a"]) turns.queue(session);
    await lanes.recover();
    await ticks();
    expect(await lanes.abort("turn_2", "client")).toBe(true);
    expect(await turns.get("turn_2")).toMatchObject({ ending: { type: "aborted", by: "client" } });
    expect([drafted, woken, over]).toEqual([["turn_2"], [0], ["turn_2"]]);
    expect(lanes.load()).toEqual({ running: 1, waiting: 1 });
    end("turn_1");
    await ticks();
    end("turn_3");
    await lanes.idle();
    expect(log).toEqual(["turn_1 answered", "turn_3 answered"]);
  });

  it("lets one that a crash left behind end properly when it is its turn", async () => {
    const { turns, lanes, log, end } = stage();
    turns.queue("x", { state: "running", claims: 1 });
    turns.queue("a", { state: "running", claims: 1 });
    await lanes.recover();
    await ticks();
    expect(await lanes.abort("turn_2", "client")).toBe(true);
    end("turn_1");
    await lanes.idle();
    expect(log).toEqual(["turn_1 answered", "turn_2 client"]);
  });

  it("ends one that pauses after storage trouble, without waiting for the pause", async () => {
    let tries = 0;
    const { turns, lanes, over } = stage({
      run: async () => {
        tries++;
        throw new PincerError("storage/full", "the disk is full");
      },
    });
    turns.queue("a");
    await lanes.recover();
    await ticks();
    expect(lanes.load()).toEqual({ running: 0, waiting: 1 });
    expect(await lanes.abort("turn_1", "client")).toBe(true);
    await lanes.idle();
    expect(tries).toBe(1);
    expect(over).toContain("turn_1");
  });

  it("begins one aborted whose end could not be stored", async () => {
    const { turns, lanes, log, end } = stage();
    turns.queue("a");
    turns.queue("a");
    await lanes.recover();
    await ticks();
    const broken = new PincerError("storage/full", "the disk is full");
    const { cancel } = turns;
    turns.cancel = () => Promise.reject(broken);
    await expect(lanes.abort("turn_2", "client")).rejects.toBe(broken);
    turns.cancel = cancel;
    end("turn_1");
    await lanes.idle();
    expect(log).toEqual(["turn_1 answered", "turn_2 client"]);
  });

  it("is false for one that is over, unknown, or run by a command elsewhere", async () => {
    const { turns, lanes } = stage();
    turns.queue("a", { state: "done" });
    turns.queue("b", { direct: true });
    await lanes.recover();
    for (const turnId of ["turn_1", "turn_2", "turn_9"])
      expect(await lanes.abort(turnId, "client")).toBe(false);
  });
});

describe("a caller that waits for a turn", () => {
  it("hears of every turn that ends without a run: cancelled, buried, or found to be over", async () => {
    const { turns, lanes, over, end } = stage();
    turns.queue("a");
    turns.queue("a");
    turns.queue("b", { claims: 3, state: "running" });
    turns.queue("c");
    turns.queue("c");
    await lanes.recover();
    await ticks();
    expect(over).toEqual(["turn_3"]);
    await lanes.stop(space, "a", "stop");
    expect(over).toEqual(["turn_3", "turn_2"]);
    turns.change("turn_5", { state: "done" });
    end("turn_4");
    await lanes.idle();
    expect(over).toEqual(["turn_3", "turn_2", "turn_5"]);
  });
});

describe("stopping one conversation of a session", () => {
  it("leaves what waits for others, also after a crash", async () => {
    const { turns, lanes, log, end } = stage();
    turns.queue("a", { destination: destination("1") });
    turns.queue("a", { destination: destination("1"), claims: 1 });
    turns.queue("a", { destination: destination("2"), claims: 1, state: "running" });
    turns.queue("a", { destination: destination("1") });
    await lanes.recover();
    await ticks();
    const { count } = await lanes.stop(space, "a", "stop", { conversation: "telegram:default:user:1:" });
    expect(count).toBe(3);
    await ticks();
    end("turn_3");
    await lanes.idle();
    expect(log).toEqual(["turn_1 stop", "turn_3 answered"]);
  });
});

describe("work between two turns", () => {
  it("is done before the next turn of the session begins, and holds up no other session", async () => {
    const { turns, lanes, log, end } = stage();
    turns.queue("a");
    turns.queue("a");
    await lanes.recover();
    await ticks();
    let finish = () => {};
    const work = lanes.between(space, "a", () => new Promise<void>((resolve) => (finish = resolve)));
    end("turn_1");
    await ticks();
    lanes.offer(turns.queue("b"));
    await ticks();
    expect(lanes.running().map(({ turnId }) => turnId)).toEqual(["turn_3"]);
    finish();
    await work;
    await ticks();
    expect(lanes.running().map(({ turnId }) => turnId)).toEqual(["turn_3", "turn_2"]);
    end("turn_2");
    end("turn_3");
    await lanes.idle();
    expect(log).toHaveLength(3);
  });

  it("lets the lane go on when the work throws, and also where nothing was waiting", async () => {
    const { turns, lanes, end, log } = stage();
    await lanes.recover();
    await expect(lanes.between(space, "a", () => Promise.reject(new Error("busy")))).rejects.toThrow("busy");
    lanes.offer(turns.queue("a"));
    await ticks();
    end("turn_1");
    await lanes.idle();
    expect(log).toEqual(["turn_1 answered"]);
  });
});
