/** What a conversation has used: the ledger, the stored messages and the session must tell the same. */
import { textOf, type AssistantMessage, type Usage } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { createCalledModel } from "../models/call/call-model.ts";
import type { CallPlan } from "../models/call/call-plan.ts";
import { createPlainMemory } from "../models/call/plain-memory.ts";
import type { BudgetSettings } from "../models/ledger/budgets.ts";
import { createLedger } from "../models/ledger/ledger.ts";
import type { ModelRecord } from "../models/model-record.ts";
import type { Wire } from "../models/wire/wire.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import { createRunnerStage } from "./testing/runner-stage.ts";
import { createTurnRunner } from "./turn-runner.ts";

const record: ModelRecord = {
  provider: "p",
  id: "m",
  name: "M",
  api: "scripted",
  baseUrl: "http://127.0.0.1",
  reasoning: false,
  input: ["text"],
  contextWindow: 100_000,
  maxTokens: 1000,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};
const unlimited: BudgetSettings = { turn: {}, session: {}, agent: {}, day: {}, month: {} };
const amounts = ["input", "output", "cacheRead", "cacheWrite", "total", "cost"] as const;

/** The same each time, so that a limit is reached where it can be foreseen. */
const each: Usage = { input: 80, output: 15, cacheRead: 4, cacheWrite: 1, total: 100, cost: 0.25 };

const exact = {
  inputTokens: each.total - each.output,
  inputCost: each.cost,
  maxOutput: each.output,
  outputPrice: 0,
};

/** Calls a tool in `calls` answers of each turn, each time with other arguments, and then answers. */
function stage({ calls, budgets = unlimited }: { calls: number; budgets?: BudgetSettings }) {
  const opened = createRunnerStage();
  const { stores, clock, parts } = opened;
  const ledger = createLedger({ usage: stores.usage, clock, onError: expect.fail });
  let requests = 0;
  const wire: Pick<Wire, "stream"> = {
    async *stream(_record, _auth, { messages }) {
      requests++;
      const asked = messages.findLastIndex(({ role }) => role === "user");
      const isCall = messages.slice(asked).filter(({ role }) => role === "assistant").length < calls;
      const call = { type: "toolCall" as const, id: "c", name: "look", arguments: { at: requests } };
      const message: AssistantMessage = {
        role: "assistant",
        content: isCall ? [call] : [{ type: "text", text: "done" }],
        provider: "p",
        model: "m",
        usage: each,
        stopReason: isCall ? "toolUse" : "stop",
      };
      yield { type: "begun" };
      yield { type: "end", message };
    },
  };
  const planOf = (turn: TurnRecord, sessionId: string): CallPlan => ({
    chain: [record],
    purpose: {
      turnId: turn.turnId,
      sessionId,
      sessionKey: turn.sessionKey,
      agentId: turn.agentId,
      startedAt: Date.parse(turn.startedAt ?? ""),
    },
    thinking: "off",
    budgets,
    attempts: 1,
    idleTimeoutMs: () => 60_000,
    totalTimeoutMs: 60_000,
  });
  const run = createTurnRunner({
    ...parts,
    setUp: (turn, { sessionId }) => ({
      ...opened.setup,
      maxSteps: 1000,
      model: createCalledModel(
        {
          wire,
          clock,
          credentials: {
            candidates: async () => [{ id: "one", provider: "p" }],
            authOf: async () => ({ ok: true, auth: {} }),
            renew: async () => false,
            providerOf: async () => "p",
            succeeded: async () => {},
            failed: async () => {},
          },
          budgets: {
            // As if the estimate were exact: what is left out of it nobody could hold to.
            reserve: (settings, purpose, need, signal) =>
              ledger.reserve(settings, purpose, { ...need, ...exact }, signal),
          },
          history: {
            prepare: (messages) => [...messages],
            thinkingFits: () => true,
            plain: createPlainMemory(),
          },
          random: () => 0,
          describe: { overBudget: ({ scope, limit }) => `over ${scope}.${limit}`, gaveUp: () => "gave up" },
        },
        planOf(turn, sessionId),
      ),
    }),
  });
  const end = async (turn: TurnRecord): Promise<TurnRecord> => {
    const outcome = await run(turn, opened.never);
    if (outcome.type !== "ended") throw new Error(outcome.type);
    await ledger.settled();
    return outcome.turn;
  };
  return { ...opened, end, requests: () => requests };
}

/** The usage on every stored message of the session. */
async function storedUsage({ stores }: ReturnType<typeof stage>, sessionId: string) {
  const entries = await stores.entries.recent(sessionId, 10_000);
  const sums = Object.fromEntries(amounts.map((name) => [name, 0])) as Record<
    (typeof amounts)[number],
    number
  >;
  for (const entry of entries) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    for (const name of amounts) sums[name] += entry.message.usage[name];
  }
  return sums;
}

describe("what a conversation has used", () => {
  it("MODEL-08 is the same in the ledger, on the stored messages and in the session", async () => {
    const opened = stage({ calls: 3 });
    for (const text of ["one", "two", "three"]) await opened.end(await opened.queue(text));
    const { usage, sessions } = opened.stores;
    const session = await sessions.findActive("w", "agent:main:main");
    if (!session) throw new Error("no session");
    const { sessionId } = session;
    const stored = await storedUsage(opened, sessionId);
    expect(stored).toMatchObject({ total: 12 * each.total, cost: 12 * each.cost });
    expect(await usage.totals({ type: "session", sessionId })).toMatchObject({ ...stored, calls: 12 });
    expect(await usage.report({ by: "model", limit: 9 })).toMatchObject([{ key: "p/m", ...stored }]);
    expect(session.tokens).toMatchObject({
      input: stored.input,
      output: stored.output,
      total: stored.total,
    });
  });

  it("MODEL-05 stops at exactly the calls that a turn may make, and /continue gives as many again", async () => {
    const opened = stage({ calls: Infinity, budgets: { ...unlimited, turn: { calls: 5 } } });
    const turn = await opened.end(await opened.queue("go"));
    expect(turn).toMatchObject({ state: "failed", ending: { type: "budget", reason: "over turn.calls" } });
    expect(opened.requests()).toBe(5);
    expect((await opened.said(turn.turnId)).map(textOf).at(-1)).toBe("over turn.calls");
    const again = await opened.end(await opened.resume());
    expect(again).toMatchObject({ turnId: turn.turnId, ending: { type: "budget" } });
    expect(opened.requests()).toBe(10);
    const shown = await opened.stores.outbox.list({ limit: 9 });
    expect(shown.map(({ text }) => text)).toEqual(["over turn.calls", "over turn.calls"]);
    const session = await opened.stores.sessions.get(turn.sessionId ?? "");
    expect(session?.tokens.total).toBe(10 * each.total);
  });

  it.each([
    ["tokens", { tokens: 350 }, 3],
    ["money", { cost: 1 }, 4],
  ])("MODEL-05 never uses more %s than a session may", async (_, limits, calls) => {
    const opened = stage({ calls: Infinity, budgets: { ...unlimited, session: limits } });
    const turn = await opened.end(await opened.queue("go"));
    expect(turn.ending?.type).toBe("budget");
    expect(opened.requests()).toBe(calls);
    const next = await opened.end(await opened.queue("more"));
    expect(next.ending?.type).toBe("budget");
    expect(opened.requests()).toBe(calls);
  });

  it("LOOP-05 counts the steps of a continued turn anew, and its tokens once", async () => {
    const opened = createRunnerStage([{ calls: [{ name: "look" }] }]);
    const run = createTurnRunner({
      ...opened.parts,
      setUp: () => ({ ...opened.setup, maxRepeatedCalls: 99 }),
    });
    const first = await run(await opened.queue("go"), opened.never);
    expect(first).toMatchObject({ turn: { ending: { type: "step-limit", steps: 3 } } });
    expect(opened.effects).toHaveLength(3);
    const second = await run(await opened.resume(), opened.never);
    expect(second).toMatchObject({ turn: { ending: { type: "step-limit" }, claims: 1 } });
    expect(opened.effects).toHaveLength(6);
    const { turnId } = await opened.stores.turns.list({ limit: 1 }).then(([turn]) => turn ?? { turnId: "" });
    const said = (await opened.said(turnId)).filter(({ role }) => role === "user").map(textOf);
    expect(said).toEqual(["go", "/continue"]);
  });
});
