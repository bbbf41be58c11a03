/** Calls whose ids the model uses again and again, and processes that end at any moment. */
import { noUsage, textOf, type AssistantMessage, type Message, type ToolCallBlock } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSessionLeases } from "../storage/sessions/session-lease.ts";
import type { TurnRecord, TurnStore } from "../storage/turns/turns.ts";
import { begunOfLastAnswer } from "./begun-calls.ts";
import { createRunnerStage } from "./testing/runner-stage.ts";
import { createTurnRunner } from "./turn-runner.ts";
import { TurnStop } from "./turn-run.ts";
import { admitting } from "./testing/admitting.ts";

/** How the process ends that runs the turn: at its n-th word with the storage, before or after it was written. */
interface End {
  at: number;
  how: "crash-before" | "crash-after" | "shutdown";
}

type Wish = Pick<ToolCallBlock, "id" | "name">;

const isCall = (block: AssistantMessage["content"][number]): block is ToolCallBlock =>
  block.type === "toolCall";
const serialOf = ({ arguments: { serial } }: Pick<ToolCallBlock, "arguments">): number => Number(serial);
const verbs = ["acquireAndClaim", "takeInputs", "record", "end", "park"] as const;

/** One turn, run by one process after the other. Every call that the model ever asks for has a number of its own. */
function stage(answers: readonly Wish[][], maxSteps: number) {
  const opened = createRunnerStage();
  const { stores, setup, clock } = opened;
  setup.maxSteps = maxSteps;
  let serial = 0;
  let given = 0;
  let life = 0;
  /** The process in which a call was begun, as it stands in the journal. */
  const begun = new Map<number, number>();
  const runs: Array<{ serial: number; name: string; life: number }> = [];
  let asked = new Map<string, number>();

  setup.model = {
    provider: "p",
    id: "m",
    async *stream() {
      const calls = (answers[given++] ?? []).map((wish): ToolCallBlock => ({
        type: "toolCall",
        ...wish,
        arguments: { serial: ++serial },
      }));
      const isLast = calls.length === 0;
      const message: AssistantMessage = {
        role: "assistant",
        content: isLast ? [{ type: "text", text: "done" }] : calls,
        provider: "p",
        model: "m",
        usage: noUsage(),
        stopReason: isLast ? "stop" : "toolUse",
      };
      yield { type: "end", message };
    },
  };

  function note({ bodies, steps }: Parameters<TurnStore["record"]>[0]): void {
    for (const body of bodies)
      if (body.type === "message" && body.message.role === "assistant")
        asked = new Map(body.message.content.filter(isCall).map((call) => [call.id, serialOf(call)]));
    for (const step of steps) if (step.type === "tool-begin") begun.set(asked.get(step.callId) ?? 0, life);
  }

  /** Resolves when the turn has ended or was parked, or the process is gone. */
  async function live(turn: TurnRecord, end: End | undefined): Promise<void> {
    const own = ++life;
    const stop = new AbortController();
    const death = Promise.withResolvers<never>();
    const gone = new Promise<never>(() => {});
    let words = 0;
    let isAlive = true;
    const die = () => {
      isAlive = false;
      death.reject(new Error("gone"));
      return gone;
    };
    const through =
      <Request extends unknown[], Result>(verb: (...request: Request) => Promise<Result>) =>
      async (...request: Request): Promise<Result> => {
        if (!isAlive) return gone;
        const isNow = ++words === end?.at;
        if (isNow && end.how === "crash-before") return die();
        const result = await verb(...request);
        if (isNow && end.how === "crash-after") return die();
        if (isNow) stop.abort(new TurnStop("shutdown"));
        return isAlive ? result : gone;
      };
    const record: TurnStore["record"] = async (request) => {
      const stored = await stores.turns.record(request);
      note(request);
      return stored;
    };
    const turns = { ...stores.turns };
    const all = { ...stores.turns, record };
    for (const verb of verbs) Object.assign(turns, { [verb]: through(all[verb] as never) });
    const tools = {
      ...setup.tools,
      admit: admitting(async (call) => {
        if (!isAlive) return gone;
        runs.push({ serial: serialOf(call), name: call.name, life: own });
        return { ok: true, content: [{ type: "text" as const, text: "did" }], usage: { durationMs: 0 } };
      }),
    };
    const leases = createSessionLeases({
      leases: stores.leases,
      clock,
      holder: { id: `process ${own}`, pid: own, host: "here", processStart: "" },
      isAlive: () => false,
    });
    const run = createTurnRunner({ ...opened.parts, turns, leases, setUp: () => ({ ...setup, tools }) });
    await Promise.race([run(turn, stop.signal), death.promise]).catch((error: unknown) => {
      if (isAlive) throw error;
    });
  }

  async function toTheEnd(ends: readonly End[], continues: number): Promise<Message[]> {
    let turn = await opened.queue("go");
    const { turnId } = turn;
    let left = continues;
    for (let at = 0; at < 100; at++) {
      await live(turn, ends[at]);
      turn = (await stores.turns.get(turnId)) ?? turn;
      if (turn.ending === null) continue;
      if (turn.ending.type === "answered" || left-- === 0) return opened.said(turnId);
      turn = await opened.resume();
    }
    throw new Error("it does not end");
  }
  return { toTheEnd, runs, begun };
}

/** Every call that was stored, with its results. */
function callsIn(said: readonly Message[]): Array<{ call: ToolCallBlock; results: string[] }> {
  const all: Array<{ call: ToolCallBlock; results: string[] }> = [];
  let open: typeof all = [];
  for (const message of said) {
    if (message.role === "assistant") {
      open = message.content.filter(isCall).map((call) => ({ call, results: [] }));
      all.push(...open);
    } else if (message.role === "toolResult")
      open.find(({ call }) => call.id === message.toolCallId)?.results.push(textOf(message));
  }
  return all;
}

describe("a turn that goes on", () => {
  it("never runs again what was begun and must not be repeated, and calls nothing unknown that was never begun", async () => {
    const wish = fc.record({ id: fc.constantFrom("a", "b"), name: fc.constantFrom("send", "look") });
    const end = fc.record({
      at: fc.integer({ min: 1, max: 12 }),
      how: fc.constantFrom("crash-before", "crash-after", "shutdown"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(wish, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
        fc.array(end, { maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 3 }),
        async (answers, ends, maxSteps, continues) => {
          const { toTheEnd, runs, begun } = stage(answers, maxSteps);
          const calls = callsIn(await toTheEnd(ends, continues));
          const sent = runs.filter(({ name }) => name === "send");
          expect(sent.filter(({ serial, life }) => begun.get(serial) !== life)).toEqual([]);
          expect(new Set(sent.map(({ serial }) => serial)).size).toBe(sent.length);
          const ran = new Set(runs.map(({ serial }) => serial));
          const isTrue = (call: ToolCallBlock, [result = "", ...more]: string[]): boolean => {
            if (more.length > 0) return false;
            if (result.includes("unknown")) return begun.has(serialOf(call));
            return ran.has(serialOf(call)) ? result === "did" : result.includes("not run: the limit");
          };
          expect(calls.filter(({ call, results }) => !isTrue(call, results))).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("LOOP-05 does not send again what was sent after /continue by a model whose ids are always the same", async () => {
    const send = [{ id: "call_0", name: "send" }];
    const { toTheEnd, runs } = stage([send, send, send], 1);
    // The first run ends at its limit with a call that was not run; the second dies when its call has been made.
    const calls = callsIn(
      await toTheEnd(
        [
          { at: 99, how: "shutdown" },
          { at: 5, how: "crash-before" },
        ],
        1,
      ),
    );
    expect(runs.map(({ serial }) => serial)).toEqual([1, 3]);
    expect(calls.map(({ results }) => results)).toMatchObject([
      ["did"],
      [expect.stringContaining("limit")],
      [expect.stringContaining("outcome unknown")],
    ]);
  });

  it("GW-15 leaves the calls of an answer that was stored just before a shutdown to the process that continues", async () => {
    const { toTheEnd, runs } = stage([[{ id: "a", name: "send" }]], 3);
    const said = await toTheEnd([{ at: 3, how: "shutdown" }], 0);
    expect(callsIn(said)).toMatchObject([{ results: ["did"] }]);
    expect(runs).toMatchObject([{ name: "send", life: 2 }]);
  });
});

describe("a journal that does not name the answers", () => {
  const answer = (seq: number, time: string) =>
    ({ type: "message", seq, time, message: { role: "assistant" } }) as never;
  const session = { sessionId: "s" } as never;

  it("tells by the time which calls are those of the last answer", () => {
    const entries = [answer(3, "2026-01-01T12:00:01.000Z"), answer(5, "2026-01-01T12:00:03.000Z")];
    const old = { callId: "old", time: "2026-01-01T12:00:02.000Z" };
    const late = { callId: "late", time: "2026-01-01T12:00:03.000Z" };
    expect(begunOfLastAnswer({ session, entries, begunCalls: [old, late] })).toEqual(new Set(["late"]));
  });

  it("is not needed where the answer is named, and another session's are not its own", () => {
    const entries = [answer(5, "2026-01-01T12:00:03.000Z")];
    const time = "2026-01-01T12:00:09.000Z";
    const begunCalls = [
      { callId: "here", time: "2026-01-01T11:00:00.000Z", answer: { sessionId: "s", seq: 5 } },
      { callId: "before", time, answer: { sessionId: "s", seq: 3 } },
      { callId: "elsewhere", time, answer: { sessionId: "other", seq: 5 } },
    ];
    expect(begunOfLastAnswer({ session, entries, begunCalls })).toEqual(new Set(["here"]));
    expect(begunOfLastAnswer({ session, entries: [], begunCalls })).toEqual(new Set());
  });
});
