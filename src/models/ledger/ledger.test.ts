import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import type { UsageDraft, UsageStore } from "../../storage/usage/usage.ts";
import type { BudgetSettings, CallNeed, CallPurpose, Reservation } from "./budgets.ts";
import { goneCalls } from "./gone-calls.ts";
import { createLedger, type Ledger } from "./ledger.ts";

const noLimits = (): BudgetSettings => ({ turn: {}, session: {}, agent: {}, day: {}, month: {} });
const never = new AbortController().signal;

const need = (more: Partial<CallNeed> = {}): CallNeed => ({
  provider: "p",
  model: "m",
  credential: "one",
  inputTokens: 10,
  inputCost: 0,
  outputPrice: 0,
  maxOutput: 1,
  isPriced: true,
  ...more,
});

/** Several processes over one storage; the first is `ledger`. */
function stage() {
  const clock = createHandClock();
  const { usage } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const errors: unknown[] = [];
  const dead = new Set<number>();
  const isAlive = ({ pid }: { pid: number }) => !dead.has(pid);
  const start = (pid: number, store: UsageStore = usage): Ledger =>
    createLedger({
      usage: store,
      clock,
      onError: (error) => void errors.push(error),
      processes: { self: (id) => ({ id, pid, host: "here", processStart: "1" }), isAlive },
    });
  const purpose = (more: Partial<CallPurpose> = {}): CallPurpose => ({
    turnId: "r_1",
    sessionId: "s_1",
    sessionKey: "main",
    agentId: "main",
    startedAt: clock.now(),
    ...more,
  });
  const took = (tokens: number, cost: number, input = tokens): UsageDraft => ({
    turnId: null,
    sessionId: null,
    sessionKey: null,
    agentId: "main",
    provider: "p",
    model: "m",
    credential: "one",
    usage: { input, output: tokens - input, cacheRead: 0, cacheWrite: 0, total: tokens, cost },
    outcome: "ok",
    startedAt: new Date(clock.now()).toISOString(),
    durationMs: 1,
    firstByteMs: 1,
  });
  const today = () => usage.totals({ type: "day", day: new Date(clock.now()).toISOString().slice(0, 10) });
  const lose = () => usage.loseGone(goneCalls({ isAlive }, clock));
  return { clock, usage, errors, ledger: start(1), start, dead, purpose, took, today, lose };
}

async function granted(asked: ReturnType<Ledger["reserve"]>): Promise<Reservation> {
  const verdict = await asked;
  if (!verdict.allowed) throw new Error(`refused: ${JSON.stringify(verdict)}`);
  return verdict.reservation;
}

const steps = async (count = 10) => {
  for (let step = 0; step < count; step++) await new Promise((resolve) => setImmediate(resolve));
};

describe("a run that would go on for ever", () => {
  /** Answers how often it was allowed, and why not any more. */
  const runFor = async (
    { ledger, purpose, took }: ReturnType<typeof stage>,
    settings: BudgetSettings,
    { cost = 0, ...more }: { cost?: number; tokens?: number } = {},
  ) => {
    const { tokens = 10 } = more;
    for (let calls = 0; calls < 10_000; calls++) {
      const wish = need({ inputTokens: tokens - 1, inputCost: cost });
      const verdict = await ledger.reserve(settings, purpose(), wish, never);
      if (!verdict.allowed) return { calls, verdict };
      // Not waited for, as a call does not.
      verdict.reservation.settle(took(tokens, cost));
    }
    throw new Error("it went on for ever");
  };

  it.each(["turn", "session", "agent", "day", "month"] as const)(
    "MODEL-05 stops at exactly the number of calls that a %s may make",
    async (scope) => {
      const { calls, verdict } = await runFor(stage(), { ...noLimits(), [scope]: { calls: 7 } });
      expect(calls).toBe(7);
      expect(verdict).toEqual({ allowed: false, scope, limit: "calls", allowance: 7, used: 7 });
    },
  );

  it("MODEL-05 never goes over a limit on tokens or money, and stops only when the next call would", async () => {
    const amounts = fc.integer({ min: 1, max: 500 });
    await fc.assert(
      fc.asyncProperty(amounts, amounts, fc.boolean(), async (limit, each, isMoney) => {
        const opened = stage();
        const limits = isMoney ? { cost: limit / 100 } : { tokens: limit };
        const amount = isMoney ? { cost: each / 100 } : { tokens: each };
        const { calls } = await runFor(opened, { ...noLimits(), session: limits }, amount);
        expect(calls).toBe(Math.floor(limit / each));
        const used = await opened.usage.totals({ type: "session", sessionId: "s_1" });
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
    expect(await ledger.reserve(settings, who, need(), never)).toMatchObject({ allowed: true });
    await clock.advance(1);
    const late = { allowed: false, scope: "turn", limit: "wallTimeMs", allowance: 1000, used: 1000 };
    expect(await ledger.reserve(settings, who, need(), never)).toEqual(late);
  });

  it("MODEL-05 goes on the next day where a day was the limit", async () => {
    const opened = stage();
    const settings = { ...noLimits(), day: { calls: 2 } };
    expect((await runFor(opened, settings)).calls).toBe(2);
    await opened.clock.advance(86_400_000);
    expect((await runFor(opened, settings)).calls).toBe(2);
  });
});

describe("a limit that several share", () => {
  it.each<[string, BudgetSettings["day"]]>([
    ["money", { cost: 0.5 }],
    ["tokens", { tokens: 40_000 }],
    ["calls", { calls: 4 }],
  ])("MODEL-05 holds for %s, however many turns ask at the same moment", async (_, limits) => {
    const { ledger, purpose, took, today } = stage();
    const settings = { ...noLimits(), day: limits };
    const wish = need({ inputTokens: 1000, inputCost: 0.003, outputPrice: 15, maxOutput: 64_000 });
    const ask = async (turnId: string): Promise<boolean> => {
      const verdict = await ledger.reserve(settings, purpose({ turnId, sessionId: turnId }), wish, never);
      if (!verdict.allowed) return false;
      await steps(3);
      const output = verdict.reservation.room ?? 64_000;
      verdict.reservation.settle(took(1000 + output, 0.003 + (output * 15) / 1_000_000, 1000));
      return true;
    };
    const made = await Promise.all(Array.from({ length: 10 }, (_each, index) => ask(`r_${index}`)));
    await ledger.settled();
    const used = await today();
    expect(used.calls).toBe(made.filter(Boolean).length);
    expect(used.calls).toBeGreaterThan(0);
    expect(used.calls).toBeLessThanOrEqual(limits.calls ?? Infinity);
    expect(used.total).toBeLessThanOrEqual(limits.tokens ?? Infinity);
    expect(used.cost).toBeLessThanOrEqual((limits.cost ?? Infinity) + 1e-8);
  });

  it("MODEL-05 waits for what others have reserved, and is decided anew when they have settled", async () => {
    const { ledger, purpose, took } = stage();
    const settings = { ...noLimits(), day: { tokens: 10_000 } };
    const wish = need({ maxOutput: 9000 });
    const first = await granted(ledger.reserve(settings, purpose(), wish, never));
    expect(first.room).toBeUndefined();
    let second: Reservation | undefined;
    const asked = granted(ledger.reserve(settings, purpose({ turnId: "r_2" }), wish, never)).then(
      (reservation) => (second = reservation),
    );
    await steps();
    expect(second).toBeUndefined();
    first.settle(took(3000, 0));
    await asked;
    expect(second?.room).toBe(10_000 - 3000 - 10);
  });

  it("MODEL-05 waits for another process, too", async () => {
    const { ledger, start, purpose, took, clock } = stage();
    const settings = { ...noLimits(), day: { tokens: 1000 } };
    const other = await granted(start(2).reserve(settings, purpose(), need({ maxOutput: 900 }), never));
    let isGranted = false;
    const asked = granted(
      ledger.reserve(settings, purpose({ turnId: "r_2" }), need({ maxOutput: 900 }), never),
    ).then(() => (isGranted = true));
    await steps();
    other.settle(took(20, 0));
    await steps();
    expect(isGranted).toBe(false);
    await clock.advance(500);
    await asked;
  });

  it("waits no longer than its turn does", async () => {
    const { ledger, purpose } = stage();
    const settings = { ...noLimits(), day: { calls: 1 } };
    await granted(ledger.reserve(settings, purpose(), need(), never));
    const stop = new AbortController();
    const asked = ledger.reserve(settings, purpose({ turnId: "r_2" }), need(), stop.signal);
    await steps();
    stop.abort();
    expect(await asked).toMatchObject({ allowed: false, scope: "day", limit: "calls" });
  });

  it("MODEL-05 counts no request that was never made", async () => {
    const { ledger, purpose, today, usage } = stage();
    const settings = { ...noLimits(), day: { calls: 1, cost: 1 } };
    for (let time = 0; time < 3; time++) {
      const wish = need({ inputCost: 0.7, outputPrice: 1 });
      (await granted(ledger.reserve(settings, purpose(), wish, never))).release();
    }
    await ledger.settled();
    expect(await today()).toMatchObject({ calls: 0, total: 0, estimated: 0, cost: 0 });
    expect(await usage.list({ limit: 9 })).toEqual([]);
  });

  it("MODEL-05 holds whatever is reserved, settled, released and killed, in whatever order", async () => {
    const action = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant("reserve" as const), input: fc.nat(900) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant("settle" as const), share: fc.nat(100) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("release" as const) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("kill" as const) }) },
    );
    const limits = fc.record({
      calls: fc.integer({ min: 1, max: 12 }),
      tokens: fc.integer({ min: 300, max: 9000 }),
      cost: fc.integer({ min: 1, max: 90 }).map((cents) => cents / 100),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(action, { maxLength: 40 }), async (day, actions) => {
        const { start, dead, purpose, took, today, lose } = stage();
        const settings = { ...noLimits(), day };
        let pid = 1;
        let ledger = start(pid);
        let held: Array<{ input: number; reservation: Reservation }> = [];
        const stops: AbortController[] = [];
        for (const [index, each] of actions.entries()) {
          if (each.do === "reserve") {
            const stop = new AbortController();
            stops.push(stop);
            const { input } = each;
            const mine = held;
            const wish = need({
              inputTokens: input,
              inputCost: input / 1e4,
              outputPrice: 100,
              maxOutput: 2000,
            });
            void ledger
              .reserve(settings, purpose({ turnId: `r_${index}` }), wish, stop.signal)
              .then((verdict) => verdict.allowed && mine.push({ input, reservation: verdict.reservation }));
          } else if (each.do === "kill") {
            // What waited dies with it; what was sent stays open.
            for (const stop of stops.splice(0)) stop.abort();
            await steps(4);
            dead.add(pid);
            ledger = start(++pid);
            held = [];
            await lose();
          } else {
            const one = held.shift();
            const room = one?.reservation.room ?? 2000;
            const output = each.do === "settle" ? Math.floor((room * each.share) / 100) : 0;
            if (each.do === "release") one?.reservation.release();
            else if (one)
              one.reservation.settle(took(one.input + output, one.input / 1e4 + output / 1e4, one.input));
          }
          await steps(2);
          const used = await today();
          expect(used.calls).toBeLessThanOrEqual(day.calls);
          expect(used.total).toBeLessThanOrEqual(day.tokens);
          expect(used.cost).toBeLessThanOrEqual(day.cost + 1e-8);
        }
        for (const stop of stops) stop.abort();
        for (const { input, reservation } of held) {
          const output = reservation.room ?? 2000;
          reservation.settle(took(input + output, (input + output) / 1e4, input));
        }
        await ledger.settled();
        const used = await today();
        expect(used.total).toBeLessThanOrEqual(day.tokens);
        expect(used.cost).toBeLessThanOrEqual(day.cost + 1e-8);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a process that is killed", () => {
  it("MODEL-05 leaves the question that it sent in the sums, and no room for its answer", async () => {
    const { start, dead, purpose, today, usage, lose } = stage();
    const settings = { ...noLimits(), day: { tokens: 10_000 } };
    await granted(start(2).reserve(settings, purpose(), need({ inputTokens: 500, maxOutput: 9000 }), never));
    dead.add(2);
    expect(await today()).toMatchObject({ calls: 1, estimated: 1, total: 500, failures: 0 });
    expect(await usage.list({ limit: 9 })).toMatchObject([{ outcome: "open", usage: { estimated: true } }]);
    const next = await granted(
      start(3).reserve(settings, purpose(), need({ inputTokens: 500, maxOutput: 20_000 }), never),
    );
    expect(next.room).toBe(9000);
    expect(await lose()).toBe(1);
    expect(await lose()).toBe(0);
    expect((await usage.list({ limit: 9 })).map(({ outcome }) => outcome)).toEqual(["open", "lost"]);
    expect(await today()).toMatchObject({ calls: 2, failures: 1, total: 1000 });
  });

  it("is no longer waited for after an hour where nobody can tell whether it lives", async () => {
    const { ledger, start, purpose, clock, lose } = stage();
    const settings = { ...noLimits(), month: { tokens: 1000 } };
    await granted(start(2).reserve(settings, purpose(), need({ maxOutput: 900 }), never));
    await granted(ledger.reserve(noLimits(), purpose(), need({ maxOutput: 900 }), never));
    expect(await lose()).toBe(0);
    await clock.advance(61 * 60_000);
    await granted(start(3).reserve(noLimits(), purpose(), need(), never));
    expect(await lose()).toBe(2);
  });
});

describe("the room for an answer", () => {
  const ask = async (day: BudgetSettings["day"], more: Partial<CallNeed>) => {
    const { ledger, purpose } = stage();
    return ledger.reserve({ ...noLimits(), day }, purpose(), need(more), never);
  };

  it("MODEL-05 is what the narrowest limit leaves", async () => {
    const more = { inputTokens: 100, inputCost: 0.5, outputPrice: 1000, maxOutput: 8000 };
    expect(await ask({ tokens: 5000 }, more)).toMatchObject({ reservation: { room: 4900 } });
    expect(await ask({ tokens: 5000, cost: 2 }, more)).toMatchObject({ reservation: { room: 1500 } });
    const free = await granted(ask({ tokens: 50_000, cost: 90 }, more).then(async (verdict) => verdict));
    expect(free.room).toBeUndefined();
  });

  it("MODEL-05 refuses rather than ask for an answer of a word or two", async () => {
    const more = { inputTokens: 100, maxOutput: 8000 };
    expect(await ask({ tokens: 355 }, more)).toMatchObject({ allowed: false, limit: "tokens", used: 0 });
    expect(await ask({ tokens: 356 }, more)).toMatchObject({ allowed: true, reservation: { room: 256 } });
    const dear = { ...more, outputPrice: 1000, inputCost: 1 };
    expect(await ask({ cost: 1.255 }, dear)).toMatchObject({ allowed: false, limit: "cost" });
    expect(await ask({ cost: 1.256 }, dear)).toMatchObject({ allowed: true, reservation: { room: 256 } });
    // A model that never says more has all the room that it needs.
    expect(await ask({ tokens: 150 }, { ...more, maxOutput: 50 })).toMatchObject({ allowed: true });
  });
});

describe("a price that nobody knows", () => {
  it("MODEL-05 is refused where money has a limit, and marked where it has none", async () => {
    const { ledger, purpose, took, today, usage } = stage();
    const wish = need({ isPriced: false });
    const settings = { ...noLimits(), session: { tokens: 9000 }, month: { cost: 5 } };
    const refused = { allowed: false, scope: "month", limit: "cost", allowance: 5, used: 0, unpriced: "p/m" };
    expect(await ledger.reserve(settings, purpose(), wish, never)).toEqual(refused);
    (await granted(ledger.reserve(noLimits(), purpose(), wish, never))).settle(took(10, 0));
    await ledger.settled();
    expect(await today()).toMatchObject({ calls: 1, unpriced: 1 });
    expect(await usage.list({ limit: 9 })).toMatchObject([{ unpriced: true, outcome: "ok" }]);
  });
});

describe("the ledger", () => {
  it("settles once: what comes after that is ignored", async () => {
    const { ledger, purpose, took, today } = stage();
    const reservation = await granted(ledger.reserve(noLimits(), purpose(), need(), never));
    reservation.settle(took(30, 1));
    reservation.settle(took(30, 1));
    reservation.release();
    await ledger.settled();
    expect(await today()).toMatchObject({ calls: 1, total: 30, cost: 1, estimated: 0 });
  });

  it("tells of what could not be written, goes on, and writes it with the next request", async () => {
    const { usage, errors, start, purpose, took, today } = stage();
    let isFull = true;
    const settle: UsageStore["settle"] = async (position, settlement) => {
      if (isFull) throw new Error("the disk is full");
      return usage.settle(position, settlement);
    };
    const ledger = start(1, { ...usage, settle });
    (await granted(ledger.reserve(noLimits(), purpose(), need(), never))).settle(took(30, 1));
    await ledger.settled();
    expect(errors).toMatchObject([{ message: "the disk is full" }]);
    expect(await today()).toMatchObject({ total: 10, estimated: 1 });
    isFull = false;
    (await granted(ledger.reserve(noLimits(), purpose(), need(), never))).release();
    await ledger.settled();
    expect(await today()).toMatchObject({ calls: 1, total: 30, estimated: 0 });
  });
});
