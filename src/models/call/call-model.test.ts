import { textOf, type AssistantMessage, type Message, type ModelEvent } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { UsageDraft } from "../../storage/usage/usage.ts";
import type { CredentialCandidate } from "../credentials/credentials.ts";
import type { Refusal } from "../ledger/budgets.ts";
import type { ModelFailure } from "../model-failure.ts";
import type { ModelRecord } from "../model-record.ts";
import { createCalledModel } from "./call-model.ts";
import type { CallPlan, TriedWay } from "./call-plan.ts";
import { createPlainMemory } from "./plain-memory.ts";
import { createScriptedWire, type WireStep } from "./testing/scripted-wire.ts";

const record = (provider: string, rest: Partial<ModelRecord> = {}): ModelRecord => ({
  provider,
  id: "m",
  name: "M",
  api: "scripted",
  baseUrl: "http://127.0.0.1",
  reasoning: false,
  input: ["text"],
  contextWindow: 1000,
  maxTokens: 100,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  ...rest,
});

const asked: Message[] = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
const fail = (code: ModelFailure["code"], rest: Partial<ModelFailure> = {}): { failure: ModelFailure } => ({
  failure: { code, message: `it was ${code}`, ...rest },
});

interface Stage {
  steps: WireStep[];
  chain?: [ModelRecord, ...ModelRecord[]];
  credentials?: Record<string, string[]>;
  plan?: Partial<CallPlan>;
  /** For the next requests, in order; undefined lets one through. */
  refusals?: Array<Refusal | undefined>;
  room?: number;
  renews?: boolean;
  /** Until when, by name. */
  setAside?: Record<string, number>;
}

function stage({
  steps,
  chain = [record("p")],
  credentials = { p: ["one"] },
  plan,
  refusals = [],
  room,
  renews = false,
  setAside = {},
}: Stage) {
  const clock = createHandClock();
  let shifted = 0;
  const wire = createScriptedWire(steps);
  const notes: UsageDraft[] = [];
  const marks: string[] = [];
  const down = new Map<string, number>(Object.entries(setAside));
  const levels: string[] = [];
  let gaveUp: readonly TriedWay[] = [];
  const controller = new AbortController();
  const model = createCalledModel(
    {
      wire,
      clock: { ...clock, now: () => clock.now() + shifted },
      random: () => 0,
      history: {
        prepare(messages, _record, level, plainUntil) {
          levels.push(plainUntil > 0 ? `${level} after ${plainUntil}` : level);
          return [...messages];
        },
        thinkingFits: () => true,
        plain: createPlainMemory(),
      },
      credentials: {
        async candidates({ provider, only }) {
          const all = (credentials[provider] ?? []).map((id): CredentialCandidate => ({
            id,
            provider,
            ...(down.has(id) ? { cooldownUntil: down.get(id) ?? 0, reason: "it failed" } : {}),
          }));
          const wanted = only === undefined ? all : all.filter(({ id }) => id === only);
          return wanted.toSorted((one, other) => (one.cooldownUntil ?? 0) - (other.cooldownUntil ?? 0));
        },
        authOf: async ({ id }) =>
          id === "expired"
            ? { ok: false, failure: { code: "auth", message: "log in again" } }
            : id === "locked"
              ? { ok: false, failure: { code: "auth", message: "the key is missing" }, local: true }
              : { ok: true, auth: { apiKey: `key of ${id}` } },
        async renew({ id }) {
          if (renews) marks.push(`${id} renewed`);
          return renews;
        },
        providerOf: async () => undefined,
        succeeded: async ({ id }) => void marks.push(`${id} ok`),
        async failed({ id }, { code }, { isOnly }) {
          if (!isOnly) down.set(id, 1000);
          marks.push(`${id} ${code}${isOnly ? " only" : ""}`);
        },
      },
      budgets: {
        async reserve() {
          const refusal = refusals.shift();
          if (refusal) return refusal;
          return {
            allowed: true,
            reservation: {
              ...(room === undefined ? {} : { room }),
              settle: (draft) => void notes.push(draft),
              release: () => marks.push("released"),
            },
          };
        },
      },
      describe: {
        overBudget: ({ scope, limit }) => `over ${scope}.${limit}`,
        gaveUp(tried) {
          gaveUp = tried;
          return tried.map(({ credential, failure }) => `${credential?.id}:${failure.code}`).join(" ");
        },
      },
    },
    {
      chain,
      purpose: { turnId: "t", sessionId: "s", sessionKey: "k", agentId: "main", startedAt: 0 },
      thinking: "low",
      budgets: { turn: {}, session: {}, agent: {}, day: {}, month: {} },
      attempts: 3,
      idleTimeoutMs: () => 1000,
      totalTimeoutMs: 10_000,
      ...plan,
    },
  );
  const events: ModelEvent[] = [];
  async function run(): Promise<AssistantMessage> {
    const request = { systemPrompt: "be", messages: asked, tools: [], signal: controller.signal };
    for await (const event of model.stream(request)) events.push(event);
    const last = events.at(-1);
    if (last?.type !== "end") throw new Error("no end");
    return last.message;
  }
  /** Turns the clock until the call has ended. */
  async function turn(): Promise<AssistantMessage> {
    const over = new AbortController();
    const running = run().finally(() => over.abort());
    while (!over.signal.aborted) {
      await new Promise(setImmediate);
      await clock.advance(100);
    }
    return running;
  }
  const shift = (ms: number) => {
    shifted += ms;
  };
  return {
    model,
    shift,
    run,
    turn,
    clock,
    wire,
    notes,
    marks,
    levels,
    events,
    controller,
    gaveUp: () => gaveUp,
  };
}

describe("asking a model", () => {
  it("MODEL-08 passes on what is said and writes one row with what the wire counted", async () => {
    const { run, notes, marks, events } = stage({
      steps: [{ text: "hello", usage: { input: 5, output: 2, total: 7 } }],
    });
    expect(textOf(await run())).toBe("hello");
    expect(events.map(({ type }) => type)).toEqual(["text-delta", "end"]);
    expect(notes).toMatchObject([
      {
        provider: "p",
        model: "m",
        credential: "one",
        outcome: "ok",
        usage: { input: 5, output: 2 },
        turnId: "t",
      },
    ]);
    expect(marks).toEqual(["one ok"]);
  });

  it("AUTH-11 goes on to the next credential when one is refused, and says so to both", async () => {
    const { run, wire, marks } = stage({
      steps: [fail("auth", { status: 401 }), { text: "hello" }],
      credentials: { p: ["one", "two"] },
    });
    expect(textOf(await run())).toBe("hello");
    expect(wire.requests.map(({ auth }) => auth.apiKey)).toEqual(["key of one", "key of two"]);
    expect(marks).toEqual(["one auth", "two ok"]);
  });

  it("AUTH-11 tells all that was tried when no credential is left", async () => {
    const { run, gaveUp } = stage({
      steps: [fail("auth"), fail("billing"), fail("rate_limit")],
      credentials: { p: ["one", "two", "three"] },
    });
    const message = await run();
    expect(message).toMatchObject({ stopReason: "error", errorCode: "exhausted" });
    expect(message.errorMessage).toBe("one:auth two:billing three:rate_limit");
    expect(gaveUp()).toHaveLength(3);
  });

  it("says that there is no credential without asking anybody", async () => {
    const { run, wire } = stage({ steps: [{ text: "hello" }], credentials: {} });
    expect(await run()).toMatchObject({ errorCode: "auth", errorMessage: "undefined:auth" });
    expect(wire.requests).toHaveLength(0);
  });

  it("takes the one credential that was asked for and no other", async () => {
    const { run, wire } = stage({
      steps: [fail("auth"), { text: "hello" }],
      credentials: { p: ["one", "two"] },
      plan: { credential: { id: "two", provider: "p" } },
    });
    expect((await run()).errorCode).toBe("auth");
    expect(wire.requests.map(({ auth }) => auth.apiKey)).toEqual(["key of two"]);
  });

  it("goes on to the next credential when one cannot be renewed", async () => {
    const { run, marks, notes } = stage({
      steps: [{ text: "hello" }],
      credentials: { p: ["expired", "two"] },
    });
    expect(textOf(await run())).toBe("hello");
    expect(marks).toEqual(["expired auth", "two ok"]);
    expect(notes).toHaveLength(1);
  });

  it("tries again after a pause when the problem is the provider's, a limited number of times", async () => {
    const { turn, wire, clock, marks } = stage({ steps: [fail("overloaded")] });
    const begun = clock.now();
    expect((await turn()).errorCode).toBe("overloaded");
    expect(wire.requests).toHaveLength(3);
    expect(clock.now() - begun).toBeGreaterThanOrEqual(1500);
    expect(marks).toEqual(["one overloaded only"]);
  });

  it("waits as long as the provider asks when there is no other credential", async () => {
    const { turn, clock, wire } = stage({
      steps: [fail("rate_limit", { retryAfterMs: 20_000 }), { text: "hello" }],
    });
    const begun = clock.now();
    expect(textOf(await turn())).toBe("hello");
    expect(clock.now() - begun).toBeGreaterThanOrEqual(20_000);
    expect(wire.requests).toHaveLength(2);
  });

  it("does not wait for an hour within a request", async () => {
    const { run, wire } = stage({ steps: [fail("rate_limit", { retryAfterMs: 3_600_000 })] });
    expect((await run()).errorCode).toBe("rate_limit");
    expect(wire.requests).toHaveLength(1);
  });

  it("MODEL-04 MODEL-06 asks the fallback when the model fails, and the reply carries who made it", async () => {
    const { run } = stage({
      steps: [fail("not_found"), { text: "hello" }],
      chain: [record("p"), record("q")],
      credentials: { p: ["one"], q: ["two"] },
    });
    expect(await run()).toMatchObject({ provider: "q", model: "m" });
  });

  it("MODEL-05 begins with the first model again in the next request", async () => {
    const { run, wire } = stage({
      steps: [fail("refused"), { text: "hello" }, { text: "again" }],
      chain: [record("p"), record("q")],
      credentials: { p: ["one"], q: ["two"] },
    });
    await run();
    await run();
    expect(wire.requests.map((each) => each.record.provider)).toEqual(["p", "q", "p"]);
  });

  it("tries a refused history once more in its plainest form, and blames no credential", async () => {
    const { run, levels, marks } = stage({ steps: [fail("invalid_request"), { text: "hello" }] });
    expect(textOf(await run())).toBe("hello");
    expect(levels).toEqual(["normal", "plain"]);
    expect(marks).toEqual(["one ok"]);
  });

  it("gives a history that stays refused to the next model, not to the same one a third time", async () => {
    const { run, wire } = stage({
      steps: [fail("invalid_request"), fail("invalid_request"), { text: "hello" }],
      chain: [record("p"), record("q")],
      credentials: { p: ["one", "other"], q: ["two"] },
    });
    expect(textOf(await run())).toBe("hello");
    expect(wire.requests.map((each) => each.record.provider)).toEqual(["p", "p", "q"]);
  });

  it("tries a request that is too large only where there is more room", async () => {
    const { run, wire } = stage({
      steps: [fail("context_overflow"), { text: "hello" }],
      chain: [record("p"), record("q"), record("r", { contextWindow: 2000 })],
      credentials: { p: ["one"], q: ["two"], r: ["three"] },
    });
    expect(textOf(await run())).toBe("hello");
    expect(wire.requests.map((each) => each.record.provider)).toEqual(["p", "r"]);
  });

  it.each(["rate_limit", "unavailable", "auth"] as const)(
    "tells how much room there is where all but a smaller model failed (%s)",
    async (code) => {
      const { turn, wire } = stage({
        steps: [fail(code), fail("context_overflow")],
        chain: [record("p", { contextWindow: 200_000 }), record("q", { contextWindow: 32_000 })],
        credentials: { p: ["one"], q: ["two"] },
        plan: { attempts: 1 },
      });
      expect(await turn()).toMatchObject({
        errorCode: "context_overflow",
        contextWindow: 32_000,
        provider: "q",
        errorMessage: `one:${code} two:context_overflow`,
      });
      expect(wire.requests.map((each) => each.record.provider).slice(0, 2)).toEqual(["p", "q"]);
    },
  );

  it("tells the window of the next where the first is on cooldown and the next is too small", async () => {
    const { turn } = stage({
      steps: [fail("context_overflow"), fail("rate_limit")],
      chain: [record("p", { contextWindow: 200_000 }), record("q", { contextWindow: 32_000 })],
      credentials: { p: ["one"], q: ["two"] },
      setAside: { one: 5000 },
      plan: { attempts: 1 },
    });
    expect(await turn()).toMatchObject({ errorCode: "context_overflow", contextWindow: 32_000 });
  });

  it("says that an answer begins anew when words were passed on before it broke off", async () => {
    const { turn, events } = stage({ steps: [{ ...fail("truncated"), after: "hel" }, { text: "hello" }] });
    expect(textOf(await turn())).toBe("hello");
    expect(events.map(({ type }) => type)).toEqual(["text-delta", "start-over", "text-delta", "end"]);
  });

  it("keeps the words of an answer that broke off when nothing better came", async () => {
    const { turn, events } = stage({
      steps: [{ ...fail("truncated"), after: "hel" }],
      plan: { attempts: 1 },
    });
    const message = await turn();
    expect(message).toMatchObject({ stopReason: "error", errorCode: "truncated" });
    expect(textOf(message)).toBe("hel");
    expect(events.map(({ type }) => type)).toEqual(["text-delta", "end"]);
  });

  it("gives up a silent answer after the idle time", async () => {
    const { turn, wire, notes } = stage({ steps: [{ silentAfter: "he" }, { text: "hello" }] });
    expect(textOf(await turn())).toBe("hello");
    expect(wire.requests).toHaveLength(2);
    expect(notes.map(({ outcome }) => outcome)).toEqual(["timeout", "ok"]);
  });

  it("gives up an answer that never ends after the total time", async () => {
    const { turn, clock } = stage({
      steps: [{ silentAfter: "he" }],
      plan: { attempts: 1, idleTimeoutMs: () => 60_000, totalTimeoutMs: 5000 },
    });
    const begun = clock.now();
    expect(await turn()).toMatchObject({ errorCode: "timeout" });
    expect(clock.now() - begun).toBeLessThan(10_000);
  });

  it("ends with what was said when the asker aborts, and tries nothing more", async () => {
    const { run, wire, controller, marks } = stage({ steps: [{ silentAfter: "he" }] });
    const running = run();
    await new Promise(setImmediate);
    controller.abort();
    const message = await running;
    expect(message.stopReason).toBe("aborted");
    expect(textOf(message)).toBe("he");
    expect(wire.requests).toHaveLength(1);
    expect(marks).toEqual([]);
  });

  it("leaves nothing behind, neither on the clock nor on the asker's signal, however the answer ends", async () => {
    const ends: WireStep[] = [{ text: "hello" }, fail("invalid_request"), { silentAfter: "he" }];
    for (const step of ends) {
      const { run, clock, controller } = stage({ steps: [step], plan: { attempts: 1 } });
      const running = run();
      await new Promise(setImmediate);
      if (step === ends[2]) controller.abort();
      await running;
      expect(clock.sleeping()).toBe(0);
      expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    }
  });

  it("ends a wait when the asker aborts", async () => {
    const { run, controller, wire } = stage({ steps: [fail("overloaded", { retryAfterMs: 30_000 })] });
    const running = run();
    await new Promise(setImmediate);
    controller.abort();
    expect((await running).stopReason).toBe("aborted");
    expect(wire.requests).toHaveLength(1);
  });

  it("MODEL-05 asks nobody when a limit is reached, also between two attempts", async () => {
    const over: Refusal = { allowed: false, scope: "turn", limit: "calls", allowance: 1, used: 1 };
    const { run, wire } = stage({
      steps: [fail("auth"), { text: "hello" }],
      credentials: { p: ["one", "two"] },
      refusals: [undefined, over],
    });
    expect(await run()).toMatchObject({ errorCode: "budget", errorMessage: "over turn.calls" });
    expect(wire.requests).toHaveLength(1);
  });

  it("leaves the answer no more room than the budget does", async () => {
    const { run, wire } = stage({
      steps: [{ text: "hello" }],
      room: 10,
    });
    await run();
    expect(wire.requests[0]?.request.maxTokens).toBe(10);
  });

  it("AUTH-06 does not ask those on cooldown while another model of the chain answers", async () => {
    const { run, wire } = stage({
      steps: [{ text: "hello" }],
      chain: [record("p"), record("q")],
      credentials: { p: ["one", "two"], q: ["three"] },
      setAside: { one: 500, two: 900 },
    });
    expect(await run()).toMatchObject({ provider: "q" });
    expect(wire.requests).toHaveLength(1);
  });

  it("AUTH-06 asks those on cooldown when there is no other, each once, the first to return first", async () => {
    const { run, wire, gaveUp } = stage({
      steps: [fail("rate_limit")],
      credentials: { p: ["one", "two"] },
      setAside: { one: 900, two: 500 },
    });
    expect((await run()).stopReason).toBe("error");
    expect(wire.requests.map(({ auth }) => auth.apiKey)).toEqual(["key of two", "key of one"]);
    expect(gaveUp().map(({ credential, returnsAt }) => [credential?.id, returnsAt])).toEqual([
      ["two", 1000],
      ["one", 1000],
    ]);
  });

  it("AUTH-06 takes the first of those on cooldown that answers after all", async () => {
    const { run, marks, wire } = stage({
      steps: [fail("rate_limit"), { text: "hello" }],
      credentials: { p: ["one", "two", "three"] },
      setAside: { one: 900, two: 500, three: 990 },
    });
    expect(textOf(await run())).toBe("hello");
    expect(wire.requests.map(({ auth }) => auth.apiKey)).toEqual(["key of two", "key of one"]);
    expect(marks.at(-1)).toBe("one ok");
  });

  it("AUTH-13 renews a login that is refused before its time, and asks once more", async () => {
    const { run, marks, wire } = stage({ steps: [fail("auth"), { text: "hello" }], renews: true });
    expect(textOf(await run())).toBe("hello");
    expect(wire.requests).toHaveLength(2);
    expect(marks).toEqual(["one renewed", "one ok"]);
  });

  it("holds nothing against a credential that we cannot open ourselves", async () => {
    const { run, marks } = stage({ steps: [{ text: "hello" }], credentials: { p: ["locked", "two"] } });
    expect(textOf(await run())).toBe("hello");
    expect(marks).toEqual(["two ok"]);
  });

  it("sends what was refused once plainly from then on, and what came after it as usual", async () => {
    const { run, levels } = stage({ steps: [fail("invalid_request"), { text: "hello" }] });
    await run();
    await run();
    expect(levels).toEqual(["normal", "plain", "normal after 1"]);
  });

  it("reserves nothing for a request that cannot be made", async () => {
    const { run, notes, marks } = stage({ steps: [{ text: "hello" }], credentials: { p: ["expired"] } });
    expect((await run()).errorCode).toBe("auth");
    expect(notes).toEqual([]);
    expect(marks).toEqual(["expired auth only"]);
  });

  it("records what was sent even if the reader has left", async () => {
    const { model, notes } = stage({ steps: [{ silentAfter: "he" }] });
    const request = { systemPrompt: "be", messages: asked, tools: [], signal: new AbortController().signal };
    const answer = model.stream(request)[Symbol.asyncIterator]();
    await answer.next();
    await answer.return?.();
    expect(notes).toMatchObject([{ outcome: "aborted", usage: { estimated: true, input: 1 } }]);
  });

  it("leaves models of other providers out when one credential is asked for", async () => {
    const { run, wire } = stage({
      steps: [fail("not_found"), { text: "hello" }],
      chain: [record("p"), record("q")],
      credentials: { p: ["one"], q: ["two"] },
      plan: { credential: { id: "one", provider: "p" } },
    });
    expect((await run()).errorCode).toBe("not_found");
    expect(wire.requests).toHaveLength(1);
  });

  it.each([
    ["back", -3_600_000],
    ["forward", 3_600_000],
  ])("gives up silence in time, also when the clock is set %s", async (_name, jump) => {
    const { run, clock, shift } = stage({ steps: [{ silentAfter: "he" }], plan: { attempts: 1 } });
    let isOver = false;
    const running = run().then((message) => {
      isOver = true;
      return message;
    });
    await new Promise(setImmediate);
    shift(jump);
    await clock.advance(900);
    expect(isOver).toBe(false);
    // At most twice as long: what was heard before the jump cannot be told in time.
    await clock.advance(1200);
    await new Promise(setImmediate);
    expect((await running).errorCode).toBe("timeout");
  });

  it("does not ask again where all the time was used up", async () => {
    const { turn, wire } = stage({
      steps: [{ silentAfter: "he" }],
      credentials: { p: ["one", "two"] },
      plan: { idleTimeoutMs: () => 60_000, totalTimeoutMs: 2000 },
    });
    expect((await turn()).errorCode).toBe("timeout");
    expect(wire.requests).toHaveLength(1);
  });

  it("begins an answer that falls silent in the middle anew once, not again and again", async () => {
    const { turn, wire } = stage({ steps: [{ silentAfter: "he" }], plan: { attempts: 5 } });
    expect((await turn()).errorCode).toBe("timeout");
    expect(wire.requests).toHaveLength(2);
  });

  it("MODEL-05 ends an answer when the time of its turn is over, says so, and keeps the words", async () => {
    const begun = createHandClock().now();
    const { turn } = stage({
      steps: [{ silentAfter: "he" }],
      plan: {
        idleTimeoutMs: () => 60_000,
        budgets: { turn: { wallTimeMs: 3000 }, session: {}, agent: {}, day: {}, month: {} },
        purpose: { turnId: "t", sessionId: "s", sessionKey: "k", agentId: "main", startedAt: begun },
      },
    });
    const message = await turn();
    expect(message).toMatchObject({ errorCode: "budget", errorMessage: "over turn.wallTimeMs" });
    expect(textOf(message)).toBe("he");
  });
});
