import type { Entry } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import type { TurnEvent } from "../../agent/turn-voice.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import { createRunEvents } from "../../agent/turns/run-events.ts";
import { createRunFollower, describeEvent, type RunReader } from "./follow-run.ts";

/** A run whose store and voice the test holds. */
function stage() {
  const clock = createHandClock();
  const events = createRunEvents();
  const entries: Entry[] = [];
  const open: TurnEvent[] = [];
  const stopping = new AbortController();
  let turn = { turnId: "r", state: "running", sessionId: "s", firstSeq: 3 } as TurnRecord;
  /** What happens while something is being read. */
  let meanwhile = () => {};
  const follow = createRunFollower({
    engine: { events, approvals: { openOf: async () => open } } as never,
    turns: { get: async (id) => (id === "r" ? turn : undefined) },
    entries: {
      async after(_sessionId, after, limit) {
        const page = entries.filter(({ seq }) => seq > after).slice(0, limit);
        meanwhile();
        return page;
      },
    },
    clock,
    stopping: stopping.signal,
  });
  const told: string[] = [];
  const leave = new AbortController();
  const reader = (given: Partial<RunReader> = {}): RunReader => ({
    signal: leave.signal,
    check: () => {},
    after: 0,
    tell: (event) => void told.push(event.type === "text-delta" ? `+${event.text}` : event.type),
    step: ({ seq }) => void told.push(`#${seq}`),
    snapshot: ({ text }) => void told.push(`=${text}`),
    ...given,
  });
  const say = (event: object) => events.watch.event(turn, event as TurnEvent);
  return {
    clock,
    told,
    leave,
    stopping,
    follow: (given?: Partial<RunReader>) => follow("r", reader(given)),
    say,
    delta: (text: string) => say({ type: "text-delta", text }),
    store: (seq: number, runId = "r") => void entries.push({ seq, runId } as unknown as Entry),
    ask: (id: string) => void open.push({ type: "approval-asked", approval: { id } } as unknown as TurnEvent),
    set: (state: string) => void (turn = { ...turn, state } as TurnRecord),
    end() {
      turn = { ...turn, state: "done" };
      events.watch.ended(turn, []);
    },
    over: () => events.watch.over("r"),
    while: (then: () => void) => void (meanwhile = then),
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

describe("following a run", () => {
  it("PROTO-01 tells what is stored of it, then what it is saying, then what happens, each once", async () => {
    const run = stage();
    for (const seq of [1, 2]) run.store(seq, "other");
    for (const seq of [3, 4]) run.store(seq);
    run.delta("Hel");
    const following = run.follow();
    await run.settle();
    expect(run.told).toEqual(["#3", "#4", "=Hel"]);
    run.delta("lo");
    run.store(5);
    run.say({ type: "tool-call-start", call: {} });
    await run.settle();
    run.store(6);
    run.end();
    await following;
    expect(run.told).toEqual(["#3", "#4", "=Hel", "+lo", "tool-call-start", "#5", "#6"]);
  });

  it("PROTO-01 goes on behind the last step that somebody has", async () => {
    const run = stage();
    for (const seq of [3, 4, 5]) run.store(seq);
    const following = run.follow({ after: 4 });
    await run.settle();
    run.end();
    await following;
    expect(run.told).toEqual(["#5"]);
  });

  it("PROTO-01 neither loses nor doubles words that are said while the beginning is being told", async () => {
    const run = stage();
    run.delta("one");
    let hasSpoken = false;
    run.while(() => {
      if (!hasSpoken) run.delta(" two");
      hasSpoken = true;
    });
    const following = run.follow();
    await run.settle();
    run.delta(" three");
    run.end();
    await following;
    expect(run.told).toEqual(["=one two", "+ three"]);
  });

  it("PROTO-01 tells a step that is stored while the beginning is being read, once", async () => {
    const run = stage();
    run.delta("said");
    let isStored = false;
    run.while(() => {
      if (isStored) return;
      isStored = true;
      run.store(3);
      run.say({ type: "tool-call-start", call: {} });
    });
    const following = run.follow();
    await run.settle();
    run.end();
    await following;
    expect(run.told).toEqual(["tool-call-start", "#3"]);
  });

  it("PROTO-01 does not tell words that became a step while the beginning was being read", async () => {
    const run = stage();
    let isStored = false;
    run.while(() => {
      if (isStored) return;
      isStored = true;
      run.delta("said");
      run.store(3);
      run.say({ type: "tool-call-start", call: {} });
    });
    const following = run.follow();
    await run.settle();
    run.end();
    await following;
    expect(run.told).toEqual(["tool-call-start", "#3"]);
  });

  it("reads a long run page by page", async () => {
    const run = stage();
    for (let seq = 3; seq < 253; seq++) run.store(seq);
    run.set("done");
    await run.follow();
    expect(run.told).toHaveLength(250);
    expect(run.told.at(-1)).toBe("#252");
  });

  it("tells no steps and no snapshot to those who want what happens alone", async () => {
    const run = stage();
    run.store(3);
    run.delta("Hel");
    const following = run.follow({ after: undefined, snapshot: undefined });
    await run.settle();
    run.delta("lo");
    run.end();
    await following;
    expect(run.told).toEqual(["+lo"]);
  });

  it("tells what was said before to those who want the words and no steps", async () => {
    const run = stage();
    run.store(3);
    run.delta("Hel");
    const following = run.follow({ after: undefined });
    await run.settle();
    run.delta("lo");
    run.end();
    await following;
    expect(run.told).toEqual(["=Hel", "+lo"]);
  });

  it("tells each open question once", async () => {
    const run = stage();
    run.ask("Q");
    const following = run.follow();
    await run.settle();
    run.say({ type: "approval-asked", approval: { id: "Q" } });
    run.end();
    await following;
    expect(run.told).toEqual(["approval-asked"]);
  });

  it("ends at once where the run has ended, and refuses before anything is told", async () => {
    const run = stage();
    run.store(3);
    run.set("failed");
    await run.follow();
    expect(run.told).toEqual(["#3"]);
    const refused = run.follow({
      check: () => {
        throw new Error("not yours");
      },
    });
    await expect(refused).rejects.toThrow("not yours");
    expect(run.told).toEqual(["#3"]);
  });

  it("notices an end that nobody told, and one that comes without the run having run", async () => {
    const silent = stage();
    const one = silent.follow();
    await silent.settle();
    silent.set("dead");
    await silent.clock.advance(5000);
    await silent.clock.advance(1000);
    await one;
    const cancelled = stage();
    const two = cancelled.follow();
    await cancelled.settle();
    cancelled.set("dead");
    cancelled.over();
    await two;
    expect(cancelled.clock.sleeping()).toBe(0);
  });

  it("waits for the process that ends it here: what is committed may not be on disk yet", async () => {
    const run = stage();
    let isTold = false;
    const following = run.follow().then(() => (isTold = true));
    await run.settle();
    run.set("done");
    await run.clock.advance(5000);
    await run.settle();
    expect(isTold).toBe(false);
    run.end();
    await following;
    expect(run.clock.sleeping()).toBe(0);
  });

  it("stops when the follower has gone, and when the gateway stops, and then hears nothing more", async () => {
    const run = stage();
    const first = run.follow();
    await run.settle();
    run.leave.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    run.delta("nobody");
    expect(run.told).toEqual([]);
    const other = stage();
    const second = other.follow();
    await other.settle();
    other.stopping.abort();
    await expect(second).rejects.toMatchObject({ code: "gateway/stopped" });
    expect(other.clock.sleeping()).toBe(0);
  });
});

describe("an event over the wire", () => {
  it.each([
    [{ type: "text-delta", text: "x" }, "agent.delta"],
    [{ type: "thinking-delta", text: "x" }, "agent.thinking"],
    [{ type: "start-over", reason: "retry" }, "agent.start_over"],
    [{ type: "tool-call-start", call: {} }, "agent.tool_call"],
    [{ type: "tool-call-end", call: {}, result: {} }, "agent.tool_result"],
    [{ type: "approval-asked", approval: { id: "Q" } }, "agent.approval"],
    [{ type: "approval-answered", id: "Q", state: "approved" }, "agent.approval_answered"],
  ])("of %o is %s", (event, name) => {
    expect(describeEvent(event as unknown as TurnEvent)).toMatchObject({ event: name });
  });

  it("is none where it is nobody else's affair", () => {
    expect(describeEvent({ type: "complete" } as unknown as TurnEvent)).toBeUndefined();
  });
});
