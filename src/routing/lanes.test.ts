import { PincerError } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunTurn, TurnRunOutcome, TurnStop } from "../agent/turn-run.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import { createLanes, type LaneParts } from "./lanes.ts";
import { createTurnTable } from "./testing/turn-table.ts";

const ticks = async (count = 20) => {
  for (let tick = 0; tick < count; tick++) await new Promise((resolve) => setImmediate(resolve));
};
const space = "w_default";

/** Lanes over a table of turns; each run waits until the test ends it, unless `run` is given. */
function stage(given: Partial<LaneParts> = {}) {
  const clock = createHandClock();
  const turns = createTurnTable();
  const begun: Array<{ turn: TurnRecord; signal: AbortSignal; end(outcome?: TurnRunOutcome): void }> = [];
  const errors: unknown[] = [];
  const buried: string[] = [];
  const evicted: string[] = [];
  const ended = (turn: TurnRecord): TurnRunOutcome => {
    turns.change(turn.turnId, { state: "done" });
    return { type: "ended", turn, followUp: undefined };
  };
  const run: RunTurn = (turn, signal) => {
    turns.change(turn.turnId, { state: "running", claims: turn.claims + 1 });
    return new Promise((resolve) => {
      begun.push({ turn, signal, end: (outcome) => resolve(outcome ?? ended(turn)) });
    });
  };
  const lanes = createLanes({
    run,
    turns,
    clock,
    limit: 16,
    deadlineMs: () => 60_000,
    graceMs: 5000,
    evict: async ({ turnId }) => void evicted.push(turnId),
    bury: async ({ turnId }) => {
      buried.push(turnId);
      turns.change(turnId, { state: "dead" });
    },
    onError: (error) => errors.push(error),
    ...given,
  });
  const ids = () => begun.map(({ turn }) => turn.turnId);
  return { clock, turns, lanes, begun, errors, buried, evicted, ended, ids };
}

/** A run that ends by itself as soon as it is aborted. */
const obedient = (turns: ReturnType<typeof createTurnTable>, log: string[]): RunTurn => {
  return (turn, signal) =>
    new Promise((resolve) => {
      const end = () => {
        log.push(`${turn.turnId} ${(signal.reason as TurnStop).by}`);
        const parks = (signal.reason as TurnStop).by === "shutdown";
        turns.change(turn.turnId, { state: parks ? "queued" : "failed" });
        resolve(parks ? { type: "parked" } : { type: "ended", turn, followUp: undefined });
      };
      if (signal.aborted) end();
      else signal.addEventListener("abort", end);
    });
};

describe("lanes", () => {
  it("ROUTE-16 SESS-20 run one turn at a time in a session, and no more than the limit in all", async () => {
    const { turns, lanes, begun, ids } = stage({ limit: 2 });
    for (const session of ["a", "a", "b", "c"]) turns.queue(session);
    await lanes.recover();
    await ticks();
    expect(ids()).toEqual(["turn_1", "turn_3"]);
    expect(lanes.load()).toEqual({ running: 2, waiting: 2 });
    begun[0]?.end();
    await ticks();
    expect(ids()).toEqual(["turn_1", "turn_3", "turn_4"]);
    begun[1]?.end();
    await ticks();
    expect(ids()).toEqual(["turn_1", "turn_3", "turn_4", "turn_2"]);
  });

  it("run nothing before the store was read, so that nothing overtakes what lay there", async () => {
    const { turns, lanes, ids } = stage();
    turns.queue("a");
    lanes.offer(turns.queue("a"));
    await ticks();
    expect(ids()).toEqual([]);
    await lanes.recover();
    await ticks();
    expect(ids()).toEqual(["turn_1"]);
  });

  it("run what came in during a turn and was not taken up", async () => {
    const { turns, lanes, begun, ids } = stage();
    const first = turns.queue("a");
    await lanes.recover();
    await ticks();
    const followUp = turns.queue("a");
    turns.change(first.turnId, { state: "done" });
    begun[0]?.end({ type: "ended", turn: first, followUp });
    await ticks();
    expect(ids()).toEqual(["turn_1", "turn_2"]);
  });

  it("ignore a turn that is offered twice or is over", async () => {
    const { turns, lanes, begun, ids } = stage();
    await lanes.recover();
    const turn = turns.queue("a");
    lanes.offer(turn);
    lanes.offer(turn);
    await ticks();
    lanes.offer(turn);
    begun[0]?.end();
    await ticks();
    lanes.offer(turn);
    await lanes.idle();
    expect(ids()).toEqual(["turn_1"]);
  });

  it("begin a new turn as it was offered, and look at one again that was here before or has waited", async () => {
    const looked: string[] = [];
    const { turns, lanes, begun, ids } = stage();
    const { get } = turns;
    turns.get = (turnId) => {
      looked.push(turnId);
      return get(turnId);
    };
    await lanes.recover();
    const first = turns.queue("a");
    const second = turns.queue("a");
    lanes.offer(first);
    lanes.offer(second);
    await ticks();
    expect(ids()).toEqual(["turn_1"]);
    expect(looked).toEqual([]);
    turns.change(first.turnId, { state: "queued", claims: 0 });
    begun[0]?.end({ type: "ended", turn: first, followUp: undefined });
    await ticks();
    expect(looked).toEqual(["turn_2"]);
    begun[1]?.end();
    await ticks();
    lanes.offer(first);
    await ticks();
    expect(looked).toEqual(["turn_2", "turn_1"]);
    expect(ids()).toEqual(["turn_1", "turn_2", "turn_1"]);
  });

  it("stop a session's work within 250 ms: the running turn is aborted at once, waiting ones are cancelled", async () => {
    const log: string[] = [];
    const { turns, lanes } = stage({ run: (turn, signal) => run(turn, signal) });
    const run = obedient(turns, log);
    for (const session of ["a", "a", "a", "b"]) turns.queue(session);
    await lanes.recover();
    await ticks();
    turns.change("turn_1", { state: "running" });
    const stopping = lanes.stop(space, "a", "stop");
    expect(log).toEqual(["turn_1 stop"]);
    expect(await stopping).toEqual({ count: 3, turnId: "turn_1", outbox: [] });
    await ticks();
    expect(lanes.running().map(({ sessionKey }) => sessionKey)).toEqual(["b"]);
    expect(lanes.load()).toEqual({ running: 1, waiting: 0 });
    expect(await lanes.stop(space, "a", "stop")).toEqual({
      count: 0,
      turnId: undefined,
      outbox: [],
    });
  });

  it("stop a turn that a crash left behind and that waits for its place", async () => {
    const log: string[] = [];
    const { turns, lanes } = stage({ run: (turn, signal) => run(turn, signal) });
    const run = obedient(turns, log);
    turns.queue("x", { state: "running", claims: 1 });
    turns.queue("a", { state: "running", claims: 1 });
    await lanes.recover();
    await ticks();
    expect((await lanes.stop(space, "a", "stop")).count).toBe(1);
    await lanes.abort("turn_1", "interrupt");
    await lanes.idle();
    expect(log).toEqual(["turn_1 interrupt", "turn_2 stop"]);
  });

  it("run what a crash left behind one at a time, so that the next crash can be laid at one door", async () => {
    const { turns, lanes, begun, ids } = stage();
    for (const session of ["a", "b", "c"]) turns.queue(session, { state: "running", claims: 1 });
    turns.queue("d");
    await lanes.recover();
    await ticks();
    expect(ids().sort()).toEqual(["turn_1", "turn_4"]);
    begun.find(({ turn }) => turn.turnId === "turn_1")?.end();
    await ticks();
    expect(ids()).toContain("turn_2");
    expect(ids()).not.toContain("turn_3");
  });

  it("bury a turn that was begun three times, and go on", async () => {
    const { turns, lanes, buried, ids } = stage();
    turns.queue("a", { state: "running", claims: 3 });
    turns.queue("a");
    await lanes.recover();
    await ticks();
    expect(buried).toEqual(["turn_1"]);
    expect(ids()).toEqual(["turn_2"]);
  });

  it("abort an overdue turn, take the session from one that hangs, try it again, and bury it in the end", async () => {
    const { turns, lanes, clock, begun, evicted, buried, errors } = stage();
    turns.queue("a");
    turns.queue("a");
    await lanes.recover();
    for (let attempt = 1; attempt <= 3; attempt++) {
      await ticks();
      expect(begun).toHaveLength(attempt);
      await clock.advance(60_000);
      expect(begun.at(-1)?.signal.reason).toMatchObject({ by: "overdue" });
      await clock.advance(5000);
      await ticks();
      expect(evicted).toHaveLength(attempt);
      expect(errors).toHaveLength(attempt);
    }
    expect(buried).toEqual(["turn_1"]);
    expect(begun.at(-1)?.turn.turnId).toBe("turn_2");
    expect(lanes.load()).toEqual({ running: 1, waiting: 0 });
  });

  it("come free of a hung turn even when its eviction hangs or fails", async () => {
    for (const evict of [() => new Promise<void>(() => {}), () => Promise.reject(new Error("no lease"))]) {
      const { turns, lanes, clock, begun } = stage({ evict });
      turns.queue("a");
      await lanes.recover();
      await ticks();
      await clock.advance(70_000);
      await ticks();
      expect(begun).toHaveLength(2);
    }
  });

  it("still run what a forgotten turn leaves when it ends after all", async () => {
    const { turns, lanes, clock, begun, ids } = stage();
    const first = turns.queue("a");
    await lanes.recover();
    await ticks();
    await clock.advance(65_000);
    await ticks();
    const followUp = turns.queue("a");
    begun[1]?.end();
    begun[0]?.end({ type: "ended", turn: first, followUp });
    await ticks();
    expect(ids()).toEqual(["turn_1", "turn_1", "turn_2"]);
  });

  it("take a stopped turn that hangs to its end, not to another try", async () => {
    const { turns, lanes, clock, begun } = stage();
    turns.queue("a");
    await lanes.recover();
    await ticks();
    await lanes.stop(space, "a", "stop");
    await ticks();
    await clock.advance(5000);
    await ticks();
    expect(begun).toHaveLength(2);
    expect(begun[1]?.signal.reason).toMatchObject({ by: "stop" });
  });

  it("try again after storage trouble, later each time, without holding up others or counting it as a crash", async () => {
    let tries = 0;
    const trouble = new PincerError("storage/full", "the disk is full");
    const { turns, lanes, clock, errors, buried } = stage({
      run: async (turn) => {
        if (turn.sessionKey === "a" && ++tries < 9) throw trouble;
        turns.change(turn.turnId, { state: "done" });
        return { type: "ended", turn, followUp: undefined };
      },
    });
    turns.queue("a");
    turns.queue("a");
    turns.queue("b");
    await lanes.recover();
    await ticks();
    expect(tries).toBe(1);
    expect(lanes.load()).toEqual({ running: 0, waiting: 2 });
    for (const [index, seconds] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
      await clock.advance(seconds * 1000 - 1);
      await ticks();
      expect(tries).toBe(index + 1);
      await clock.advance(1);
      await ticks();
    }
    expect(tries).toBe(10);
    expect(errors).toHaveLength(8);
    expect(buried).toEqual([]);
    await lanes.idle();
  });

  it("bury a turn whose run throws what it never should, after three tries", async () => {
    const { turns, lanes, clock, buried } = stage({ run: () => Promise.reject(new TypeError("a bug")) });
    turns.queue("a");
    await lanes.recover();
    await ticks();
    await clock.advance(10_000);
    await ticks();
    expect(buried).toEqual(["turn_1"]);
    await lanes.idle();
  });

  it("survive a store that cannot be read for a while", async () => {
    const { turns, lanes, clock, begun } = stage();
    turns.queue("a");
    turns.failNext(2, new PincerError("storage/busy", "busy"));
    await lanes.recover();
    await ticks();
    expect(begun).toHaveLength(0);
    await clock.advance(3000);
    await ticks();
    expect(begun).toHaveLength(1);
  });

  it("go on with a turn whose lease was lost, and find what had come in meanwhile", async () => {
    const { turns, lanes, clock, begun, ids } = stage();
    turns.queue("a");
    await lanes.recover();
    await ticks();
    turns.queue("a");
    begun[0]?.end({ type: "over" });
    await ticks();
    await clock.advance(1000);
    await ticks();
    begun[1]?.end();
    await ticks();
    expect(ids()).toEqual(["turn_1", "turn_1", "turn_2"]);
  });

  it("drain: begin nothing, let running turns end within the bound, then park them", async () => {
    const log: string[] = [];
    const { turns, lanes, clock } = stage({ run: (turn, signal) => run(turn, signal) });
    const run = obedient(turns, log);
    for (const session of ["a", "a", "b"]) turns.queue(session);
    await lanes.recover();
    await ticks();
    const draining = lanes.drain(10_000);
    lanes.offer(turns.queue("c"));
    await clock.advance(9999);
    expect(log).toEqual([]);
    await clock.advance(1);
    expect(await draining).toEqual({ finished: 0, parked: 2, left: 0 });
    expect(log).toEqual(["turn_1 shutdown", "turn_3 shutdown"]);
    expect(clock.sleeping()).toBe(0);
  });

  it("drain within its bound although a run never reacts", async () => {
    const { turns, lanes, clock } = stage();
    turns.queue("a");
    await lanes.recover();
    await ticks();
    const draining = lanes.drain(1000);
    await clock.advance(6000);
    expect(await draining).toEqual({ finished: 0, parked: 0, left: 1 });
  });

  it("ROUTE-16 are fair: of 1,000 sessions none waits for a second turn of another", async () => {
    const order: string[] = [];
    const { turns, lanes } = stage({
      limit: 4,
      run: async (turn) => {
        order.push(turn.sessionKey);
        turns.change(turn.turnId, { state: "done" });
        return { type: "ended", turn, followUp: undefined };
      },
    });
    for (let index = 0; index < 200; index++) turns.queue("greedy");
    for (let index = 1; index < 1000; index++) turns.queue(`session ${index}`);
    await lanes.recover();
    await lanes.idle();
    expect(order).toHaveLength(1199);
    expect(new Set(order.slice(0, 1000)).size).toBe(1000);
  });

  it("SESS-20 keep the order of each session, never run two at once in one, and run every turn", async () => {
    const step = fc.record({ session: fc.nat(5), ticks: fc.nat(6), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, limit) => {
          const active = new Set<string>();
          const order = new Map<string, number[]>();
          const failed = new Set<string>();
          const wrongs: string[] = [];
          const { turns, lanes, clock } = stage({
            limit,
            run: async (turn) => {
              const plan = steps[turn.position - 1];
              expect(active.has(turn.sessionKey)).toBe(false);
              active.add(turn.sessionKey);
              expect(active.size).toBeLessThanOrEqual(limit);
              await ticks(plan?.ticks);
              active.delete(turn.sessionKey);
              if (plan?.fails && !failed.has(turn.turnId)) {
                failed.add(turn.turnId);
                throw new PincerError("storage/busy", "busy");
              }
              order.set(turn.sessionKey, [...(order.get(turn.sessionKey) ?? []), turn.position]);
              turns.change(turn.turnId, { state: "done" });
              return { type: "ended", turn, followUp: undefined };
            },
          });
          const half = Math.floor(steps.length / 2);
          for (const { session } of steps.slice(0, half)) turns.queue(`session ${session}`);
          await lanes.recover();
          for (const { session } of steps.slice(half)) lanes.offer(turns.queue(`session ${session}`));
          for (let wait = 0; wait < 400 && lanes.load().running + lanes.load().waiting > 0; wait++) {
            await ticks(3);
            await clock.advance(1000);
          }
          expect(wrongs).toEqual([]);
          expect([...order.values()].flat()).toHaveLength(steps.length);
          for (const positions of order.values())
            expect(positions).toEqual([...positions].sort((a, b) => a - b));
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("a turn that is continued", () => {
  it("LOOP-05 runs again although its first run is not quite over when it is offered", async () => {
    const { turns, lanes, begun, ended, ids } = stage();
    await lanes.recover();
    const turn = turns.queue("a");
    lanes.offer(turn);
    await ticks();
    // It has ended in the store and been continued there, but its run has not come back yet.
    const outcome = ended(turn);
    turns.change(turn.turnId, { state: "queued", claims: 0 });
    lanes.offer({ ...turn, claims: 0 });
    expect(ids()).toEqual([turn.turnId]);
    begun[0]?.end(outcome);
    await ticks();
    expect(ids()).toEqual([turn.turnId, turn.turnId]);
    begun[1]?.end();
    await lanes.idle();
    expect(ids()).toHaveLength(2);
  });

  it("is not run again only because a message joined it while it ran", async () => {
    const { turns, lanes, begun, errors, ids } = stage();
    await lanes.recover();
    const turn = turns.queue("a");
    lanes.offer(turn);
    await ticks();
    lanes.offer(turn);
    begun[0]?.end();
    await lanes.idle();
    expect(ids()).toHaveLength(1);
    expect(errors).toEqual([]);
  });
});

describe("a turn that waits for the owner", () => {
  const aside: TurnRunOutcome = { type: "waiting", isAnswered: false, followUp: undefined };
  /** One that was run and put aside. */
  async function waiting(given: Partial<LaneParts> = {}) {
    const opened = stage(given);
    await opened.lanes.recover();
    const turn = opened.turns.queue("a");
    opened.lanes.offer(turn);
    await ticks();
    opened.turns.change(turn.turnId, { state: "waiting", claims: 0 });
    opened.begun[0]?.end(aside);
    await ticks();
    return { ...opened, turn };
  }
  const answered = ({ turns, lanes, turn }: Awaited<ReturnType<typeof waiting>>) => {
    turns.change(turn.turnId, { state: "queued" });
    lanes.offer({ ...turn, state: "queued" });
  };

  it("SAFE-02 leaves its lane to others, and is run again when it is answered", async () => {
    const opened = await waiting();
    const { turns, lanes, begun, turn, ids } = opened;
    await lanes.idle();
    const second = turns.queue("a");
    lanes.offer(second);
    await ticks();
    expect(ids()).toEqual([turn.turnId, second.turnId]);
    answered(opened);
    await ticks();
    // One at a time, also here.
    expect(ids()).toEqual([turn.turnId, second.turnId]);
    begun[1]?.end();
    await ticks();
    expect(ids()).toEqual([turn.turnId, second.turnId, turn.turnId]);
    begun[2]?.end();
    await lanes.idle();
    expect(opened.errors).toEqual([]);
  });

  it("is run again when it was answered before its run was quite over, whether or not somebody offered it", async () => {
    for (const isOffered of [true, false]) {
      const { turns, lanes, begun, ids } = stage();
      await lanes.recover();
      const turn = turns.queue("a");
      lanes.offer(turn);
      await ticks();
      turns.change(turn.turnId, { state: "queued", claims: 0 });
      if (isOffered) lanes.offer(turn);
      begun[0]?.end({ ...aside, isAnswered: true });
      await ticks();
      expect(ids()).toEqual([turn.turnId, turn.turnId]);
    }
  });

  it("is not over for those who follow it when it is offered too early", async () => {
    const over: string[] = [];
    const { lanes, turn, ids } = await waiting({ onOver: (turnId) => over.push(turnId) });
    lanes.offer(turn);
    await lanes.idle();
    expect(ids()).toEqual([turn.turnId]);
    expect(over).toEqual([]);
  });

  it("hands on what came in for it", async () => {
    const { turns, lanes, begun, ids } = stage();
    await lanes.recover();
    const turn = turns.queue("a");
    lanes.offer(turn);
    await ticks();
    turns.change(turn.turnId, { state: "waiting" });
    begun[0]?.end({ ...aside, followUp: turns.queue("a") });
    await ticks();
    expect(ids()).toEqual([turn.turnId, "turn_2"]);
  });

  it("SAFE-02 ends with a stop of its session, and when it is aborted itself", async () => {
    for (const how of ["stop", "abort"] as const) {
      const over: string[] = [];
      const { turns, lanes, turn } = await waiting({ onOver: (turnId) => over.push(turnId) });
      const stopped =
        how === "stop" ? await lanes.stop(space, "a", "stop") : await lanes.abort(turn.turnId, "client");
      expect(stopped).toEqual(how === "stop" ? { count: 1, turnId: undefined, outbox: [] } : true);
      expect(await turns.get(turn.turnId)).toMatchObject({ ending: { type: "aborted" } });
      expect(over).toEqual([turn.turnId]);
    }
  });

  it("LOOP-05 has its working time counted, and not the time in which it waits", async () => {
    let waited = 0;
    const { turns, lanes, clock, begun } = stage({ waitedMs: () => waited });
    turns.queue("a");
    await lanes.recover();
    await ticks();
    waited = 45_000;
    await clock.advance(60_000);
    await ticks();
    expect(begun[0]?.signal.aborted).toBe(false);
    await clock.advance(44_999);
    await ticks();
    expect(begun[0]?.signal.aborted).toBe(false);
    await clock.advance(1);
    await ticks();
    expect(begun[0]?.signal.reason).toMatchObject({ by: "overdue" });
  });
});
