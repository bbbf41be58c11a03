import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import type { UsageDraft } from "../../storage/usage.ts";
import type { BudgetLimits, BudgetSettings, CallPurpose } from "./budgets.ts";
import { createLedger } from "./ledger.ts";

const noLimits = (): BudgetSettings => ({ turn: {}, session: {}, agent: {}, day: {}, month: {} });

function stage() {
  const clock = createHandClock();
  const { usage } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const ledger = createLedger({ usage, clock, onError });
  const purpose = (more: Partial<CallPurpose> = {}): CallPurpose => ({
    turnId: "r_1",
    sessionId: "s_1",
    sessionKey: "main",
    agentId: "main",
    startedAt: clock.now(),
    ...more,
  });
  const draft = (who: CallPurpose, tokens: number, cost: number): UsageDraft => {
    const { turnId, sessionId, sessionKey, agentId } = who;
    return {
      turnId,
      sessionId,
      sessionKey,
      agentId,
      provider: "p",
      model: "m",
      credential: null,
      usage: { input: tokens, output: 0, cacheRead: 0, cacheWrite: 0, total: tokens, cost },
      outcome: "ok",
      startedAt: new Date(clock.now()).toISOString(),
      durationMs: 1,
      firstByteMs: 1,
    };
  };
  /** Asks for ever, each time as much; answers how often it was allowed, and why not any more. */
  const runFor = async (
    settings: BudgetSettings,
    { who = purpose(), tokens = 10, cost = 0.1 }: { who?: CallPurpose; tokens?: number; cost?: number } = {},
  ) => {
    for (let calls = 0; calls < 10_000; calls++) {
      const verdict = await ledger.check(settings, who, { tokens, cost });
      if (!verdict.allowed) return { calls, verdict };
      // Not waited for, as a call does not.
      ledger.note(draft(who, tokens, cost));
    }
    throw new Error("it went on for ever");
  };
  return { clock, usage, errors, ledger, purpose, draft, runFor };
}

describe("a run that would go on for ever", () => {
  it.each(["turn", "session", "agent", "day", "month"] as const)(
    "MODEL-05 stops at exactly the number of calls that a %s may make",
    async (scope) => {
      const { runFor } = stage();
      const { calls, verdict } = await runFor({ ...noLimits(), [scope]: { calls: 7 } });
      expect(calls).toBe(7);
      expect(verdict).toEqual({ allowed: false, scope, limit: "calls", allowance: 7, used: 7 });
    },
  );

  it("MODEL-05 never goes over a limit on tokens or money, and stops only when the next call would", async () => {
    const amounts = fc.integer({ min: 1, max: 500 });
    await fc.assert(
      fc.asyncProperty(amounts, amounts, fc.boolean(), async (limit, each, isMoney) => {
        const { runFor, usage } = stage();
        const limits: BudgetLimits = isMoney ? { cost: limit / 100 } : { tokens: limit };
        const amount = isMoney ? { cost: each / 100, tokens: 1 } : { tokens: each, cost: 0 };
        const { calls } = await runFor({ ...noLimits(), session: limits }, amount);
        expect(calls).toBe(Math.floor(limit / each));
        const used = await usage.totals({ type: "session", sessionId: "s_1" });
        expect(isMoney ? used.cost : used.total).toBeLessThanOrEqual((isMoney ? limit / 100 : limit) + 1e-9);
      }),
      { numRuns: 40 },
    );
  });

  it("MODEL-05 stops when its time is over", async () => {
    const { ledger, clock, purpose } = stage();
    const who = purpose();
    const settings = { ...noLimits(), turn: { wallTimeMs: 1000 } };
    await clock.advance(999);
    expect(await ledger.check(settings, who, { tokens: 1, cost: 0 })).toEqual({ allowed: true });
    await clock.advance(1);
    expect(await ledger.check(settings, who, { tokens: 1, cost: 0 })).toEqual({
      allowed: false,
      scope: "turn",
      limit: "wallTimeMs",
      allowance: 1000,
      used: 1000,
    });
  });

  it("MODEL-05 goes on the next day where a day was the limit", async () => {
    const { runFor, clock } = stage();
    const settings = { ...noLimits(), day: { calls: 2 } };
    expect((await runFor(settings)).calls).toBe(2);
    await clock.advance(86_400_000);
    expect((await runFor(settings)).calls).toBe(2);
  });
});

describe("a limit that several share", () => {
  it("MODEL-05 holds to the call, however many turns ask at the same moment", async () => {
    const { ledger, purpose, draft, usage } = stage();
    const settings = { ...noLimits(), day: { calls: 10 } };
    const ask = async (turnId: string) => {
      const who = purpose({ turnId, sessionId: turnId });
      for (let made = 0; ; made++) {
        if (!(await ledger.check(settings, who, { tokens: 1, cost: 0 })).allowed) return made;
        await new Promise((resolve) => setImmediate(resolve));
        ledger.note(draft(who, 1, 0));
      }
    };
    const made = await Promise.all(["r_1", "r_2", "r_3", "r_4"].map(ask));
    expect(made.reduce((sum, each) => sum + each)).toBe(10);
    expect((await usage.totals({ type: "day", day: "2026-01-01" })).calls).toBe(10);
  });

  it("forgets a call that was allowed and never made, with the next of its turn or in time", async () => {
    const { ledger, purpose, clock } = stage();
    const settings = { ...noLimits(), day: { calls: 1 } };
    const estimate = { tokens: 1, cost: 0 };
    const check = (turnId: string) => ledger.check(settings, purpose({ turnId }), estimate);
    expect((await check("r_1")).allowed).toBe(true);
    expect((await check("r_1")).allowed).toBe(true);
    expect((await check("r_2")).allowed).toBe(false);
    await clock.advance(31 * 60_000);
    expect((await check("r_2")).allowed).toBe(true);
  });
});

describe("the ledger", () => {
  it("MODEL-05 says how much the narrowest limit leaves", async () => {
    const { ledger, purpose, draft } = stage();
    const who = purpose();
    ledger.note(draft(who, 40, 0.5));
    const settings = { ...noLimits(), session: { tokens: 1000, cost: 2 }, day: { tokens: 100, cost: 9 } };
    expect(await ledger.check(settings, who, { tokens: 1, cost: 0 })).toEqual({
      allowed: true,
      tokensLeft: 60,
      costLeft: 1.5,
    });
  });

  it("looks nothing up where there is no limit", async () => {
    const { clock, purpose } = stage();
    const usage = {
      add: async () => undefined,
      totals: async () => {
        throw new Error("not asked for");
      },
    };
    const ledger = createLedger({ usage, clock, onError: () => undefined });
    expect(await ledger.check(noLimits(), purpose(), { tokens: 1, cost: 1 })).toEqual({ allowed: true });
  });

  it("tells of a row that could not be written, and goes on", async () => {
    const { usage, clock, purpose, draft } = stage();
    const errors: unknown[] = [];
    let isFull = true;
    const add: typeof usage.add = async (row) => {
      if (isFull) throw new Error("the disk is full");
      return usage.add(row);
    };
    const ledger = createLedger({ usage: { ...usage, add }, clock, onError: (error) => errors.push(error) });
    ledger.note(draft(purpose(), 1, 1));
    await ledger.settled();
    expect(errors).toMatchObject([{ message: "the disk is full" }]);
    isFull = false;
    ledger.note(draft(purpose(), 1, 1));
    expect(
      await ledger.check({ ...noLimits(), turn: { calls: 2 } }, purpose(), { tokens: 1, cost: 0 }),
    ).toEqual({ allowed: true });
    expect(await usage.list({ limit: 9 })).toHaveLength(1);
  });
});
