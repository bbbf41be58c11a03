import { textOf, toolFailure, wellFormedMessages, type Message, type ToolResult } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import type { Admission } from "../gate/admission.ts";
import { asked, createTurnStage } from "./testing/turn-stage.ts";
import { createRunnerStage } from "./testing/runner-stage.ts";
import { createTurnRunner } from "./turn-runner.ts";
import { TurnStop } from "./turn-run.ts";

const never = new AbortController().signal;
const did = (name: string): ToolResult => ({
  ok: true,
  content: [{ type: "text", text: `did ${name}` }],
  usage: { durationMs: 0 },
});
const results = (messages: readonly Message[]) =>
  messages.filter((message) => message.role === "toolResult").map(textOf);

/** A gate that says of each tool what is set here; what is not set runs. */
function gated(names: string[], says: Record<string, Admission | (() => Promise<Admission>)>) {
  const ran: string[] = [];
  const stage = createTurnStage([{ calls: names.map((name) => ({ name })) }, { text: "done" }]);
  stage.parts.tools.admit = async ({ name }) => {
    const said = says[name];
    if (typeof said === "function") return said();
    if (said) return said;
    const run = async () => {
      ran.push(name);
      return did(name);
    };
    return { type: "run", run };
  };
  return { ...stage, ran, says };
}

const pause: Admission = { type: "pause", approvalId: "K7" };

describe("a call that waits for the owner", () => {
  it("SAFE-02 leaves it without a result and not begun, and runs the others", async () => {
    const stage = gated(["look", "send", "move"], { send: pause });
    expect(await stage.run([asked])).toEqual({ type: "parked", for: "approval" });
    expect(stage.ran).toEqual(["look", "move"]);
    expect(results(stage.said)).toEqual(["did look", "did move"]);
    expect(stage.begun.size).toBe(2);
  });

  it("SAFE-02 is made once when the turn goes on, and the model sees all results", async () => {
    const stage = gated(["look", "send"], { send: pause });
    await stage.run([asked]);
    delete stage.says["send"];
    const conclusion = await stage.run([asked, ...stage.said]);
    expect(conclusion).toMatchObject({ type: "ended", ending: { type: "answered" } });
    expect(stage.ran).toEqual(["look", "send"]);
    expect(wellFormedMessages([asked, ...stage.said]).repairs).toEqual([]);
  });

  it("SAFE-02 gives the model the refusal when the owner said no", async () => {
    const stage = gated(["send"], { send: pause });
    await stage.run([asked]);
    stage.says["send"] = {
      type: "refused",
      result: toolFailure("execution_error", "Denied: the owner said no"),
    };
    await stage.run([asked, ...stage.said]);
    expect(results(stage.said)).toEqual(["execution_error: Denied: the owner said no"]);
    expect(stage.ran).toEqual([]);
    expect(stage.begun.size).toBe(0);
  });

  it("does not look started to the process that continues: it is asked about again, not called interrupted", async () => {
    const { parts, setup, queue, said, effects, stores } = createRunnerStage([
      { calls: [{ name: "send" }] },
      { text: "done" },
    ]);
    const { admit } = setup.tools;
    setup.tools.admit = async () => pause;
    const turn = await queue("hello");
    // A question that is open keeps the turn waiting.
    await stores.approvals.ask({
      turnId: turn.turnId,
      callId: "c",
      workspaceId: "w",
      sessionKey: turn.sessionKey,
      agentId: "main",
      personId: "fake:42",
      subject: { tool: "send", call: { name: "send", arguments: {} }, shown: "send", digest: "d" },
      reason: "because",
      rule: "test",
      scopes: ["once"],
      keys: {},
      expiresAt: "2027-01-01T00:00:00.000Z",
    });
    const outcome = await createTurnRunner(parts)(turn, never);
    expect(outcome).toMatchObject({ type: "waiting", isAnswered: false });
    expect(await stores.turns.get(turn.turnId)).toMatchObject({ state: "waiting", claims: 0 });
    expect((await stores.turns.journal(turn.turnId)).map(({ type }) => type)).not.toContain("tool-begin");

    const [question] = await stores.approvals.list({ limit: 9 });
    await stores.approvals.answer(question?.id ?? "", { verdict: "approved", scope: "once", by: "me" });
    setup.tools.admit = admit;
    const queued = await stores.turns.get(turn.turnId);
    expect(await createTurnRunner(parts)(queued ?? turn, never)).toMatchObject({ turn: { state: "done" } });
    expect(effects).toEqual(["send"]);
    expect(results(await said(turn.turnId))).toEqual([""]);
  });

  it("goes back to its queue at once when nothing is open any more by the time it is put aside", async () => {
    const { parts, setup, queue, stores } = createRunnerStage([{ calls: [{ name: "send" }] }]);
    setup.tools.admit = async () => pause;
    const turn = await queue("hello");
    expect(await createTurnRunner(parts)(turn, never)).toMatchObject({ type: "waiting", isAnswered: true });
    expect(await stores.turns.get(turn.turnId)).toMatchObject({ state: "queued" });
  });

  it("LOOP-07 is not waited for when the turn is stopped, even by a gate that does not heed the signal", async () => {
    const stop = new AbortController();
    const clock = createHandClock();
    const stage = gated(["send"], { send: () => new Promise(() => {}) });
    stage.parts.clock = clock;
    const running = stage.run([asked], stop.signal);
    while (stage.said.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new TurnStop("stop"));
    await clock.advance(1000);
    expect(await running).toMatchObject({ ending: { type: "aborted", by: "stop" } });
    expect(results(stage.said)).toEqual(["execution_error: not run: the turn was stopped"]);
  });

  it("GW-15 is left as it is when the process stops, and nothing that was admitted by then begins", async () => {
    const stop = new AbortController();
    const stage = gated(["send"], {});
    const { admit } = stage.parts.tools;
    stage.parts.tools.admit = async (call, signal) => {
      stop.abort(new TurnStop("shutdown"));
      return admit(call, signal);
    };
    expect(await stage.run([asked], stop.signal)).toEqual({ type: "parked", for: "shutdown" });
    expect(stage.ran).toEqual([]);
    expect(results(stage.said)).toEqual([]);
  });
});

describe("a call that ends the run", () => {
  const broken: Admission = { type: "break", reason: "10 messages within a minute" };

  it("LOOP-05 does not run, nor does what waits or comes after it, and the turn says why", async () => {
    const slow = Promise.withResolvers<void>();
    const late = async (): Promise<Admission> => {
      await slow.promise;
      return { type: "run", run: async () => did("late") };
    };
    const stage = gated(["ask", "send", "late"], { ask: pause, send: broken, late });
    const running = stage.run([asked]);
    while (results(stage.said).length === 0) await new Promise((resolve) => setImmediate(resolve));
    slow.resolve();
    const conclusion = await running;
    expect(conclusion).toMatchObject({
      type: "ended",
      ending: { type: "breaker", reason: "10 messages within a minute" },
    });
    expect(conclusion.type === "ended" && textOf(conclusion.last)).toBe(
      "broken: 10 messages within a minute",
    );
    expect(results(stage.said)).toEqual(
      Array.from({ length: 3 }, () => "execution_error: not run: 10 messages within a minute"),
    );
    expect(stage.begun.size).toBe(0);
  });

  it("LOOP-06 can be continued", async () => {
    const { parts, setup, queue, resume, stores } = createRunnerStage([
      { calls: [{ name: "send" }] },
      { text: "done" },
    ]);
    const { admit } = setup.tools;
    setup.tools.admit = async () => broken;
    const turn = await queue("hello");
    expect(await createTurnRunner(parts)(turn, never)).toMatchObject({
      turn: { state: "failed", ending: { type: "breaker" } },
    });
    expect((await stores.outbox.list({ limit: 9 })).map(({ text }) => text)).toEqual([
      "broken: 10 messages within a minute",
    ]);
    setup.tools.admit = admit;
    expect(await createTurnRunner(parts)(await resume(), never)).toMatchObject({ turn: { state: "done" } });
  });
});

it("LOOP-05 a turn that has worked too long ends at that limit and says which", async () => {
  const stop = new AbortController();
  const stage = gated(["look"], {});
  const conclusion = await stage.run(
    [asked],
    AbortSignal.any([stop.signal, AbortSignal.abort(new TurnStop("overdue"))]),
  );
  expect(conclusion).toMatchObject({ ending: { type: "breaker", reason: "too long" } });
  expect(conclusion.type === "ended" && textOf(conclusion.last)).toBe("broken: too long");
});
