import {
  PincerError,
  noUsage,
  textOf,
  type AssistantMessage,
  type Entry,
  type Message,
  type Model,
  type ModelRequest,
} from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import type { ContextSetup } from "./context-setup.ts";
import { createRunnerStage } from "./testing/runner-stage.ts";
import { plainContext } from "./testing/plain-context.ts";
import { TurnStop, type RunTurn } from "./turn-run.ts";
import { createTurnRunner } from "./turn-runner.ts";
import { admitting } from "./testing/admitting.ts";

type Answer = Partial<AssistantMessage> | Error;
type Stage = ReturnType<typeof createRunnerStage>;

const words = (text: string): Answer => ({ content: [{ type: "text", text }] });
const refused = (more: Answer = {}): Answer => ({
  stopReason: "error",
  errorCode: "context_overflow",
  errorMessage: "too large",
  ...more,
});
const call = (name: string, given: Record<string, unknown> = {}): Answer => ({
  content: [{ type: "toolCall", id: `c${Math.random()}`, name, arguments: given }],
  stopReason: "toolUse",
});

type Kind = "turn" | "summary" | "flush";

/** A summary has a system prompt, notes are asked for by date. */
function kindOf({ systemPrompt, messages }: ModelRequest): Kind {
  if (systemPrompt !== "") return "summary";
  return textOf(messages.at(-1) as Message).includes("2026-01-01") || isNoted(messages) ? "flush" : "turn";
}

const isNoted = (messages: readonly Message[]): boolean => {
  const last = messages.at(-1);
  return last?.role === "toolResult" && last.toolName === "memory_append";
};

const sizeOf = ({ systemPrompt, messages }: ModelRequest): number =>
  Math.ceil((systemPrompt.length + JSON.stringify(messages).length) / 4);

/** A session whose model answers by the kind of the request. */
function talk(
  answer: (kind: Kind, request: ModelRequest, size: number) => Answer,
  context: ContextSetup = plainContext(),
) {
  const stage = createRunnerStage([]);
  stage.setup.context = context;
  const asked: Kind[] = [];
  const model: Model = {
    provider: "p",
    id: "m",
    async *stream(request) {
      const kind = kindOf(request);
      asked.push(kind);
      const given = answer(kind, request, sizeOf(request));
      if (given instanceof Error) throw given;
      const message: AssistantMessage = {
        role: "assistant",
        content: [],
        provider: "p",
        model: "m",
        usage: noUsage(),
        stopReason: "stop",
        ...given,
      };
      yield { type: "end", message };
    },
  };
  stage.setup.model = model;
  stage.parts.setUp = (_turn, { memoryFlushAt }) => {
    const { context } = stage.setup;
    return { ...stage.setup, context: { ...context, flush: { ...context.flush, lastAt: memoryFlushAt } } };
  };
  const run = createTurnRunner(stage.parts);
  return { ...stage, asked, run, ...sayWith(stage, run) };
}

function sayWith(stage: Stage, run: RunTurn) {
  const say = async (
    text: string,
    { signal = stage.never, ...change }: { signal?: AbortSignal; options?: Record<string, unknown> } = {},
  ) => {
    const turn = await stage.queue(text, change);
    const outcome = await run(turn, signal);
    const found = await stage.stores.turns.get(turn.turnId);
    return { outcome, turn: found ?? turn, words: (await stage.said(turn.turnId)).map(textOf) };
  };
  const entries = async (): Promise<Entry[]> => {
    const [session] = (await stage.stores.sessions.list({ limit: 1 })).sessions;
    return stage.stores.entries.recent(session?.sessionId ?? "", 1000);
  };
  return { say, entries };
}

const compactionsIn = (entries: readonly Entry[]) => entries.filter((entry) => entry.type === "compaction");
const flushesIn = (entries: readonly Entry[]) =>
  entries.filter((entry) => entry.type === "event" && entry.name === "memory-flushed");

const compacting = (change: Partial<ContextSetup["compaction"]>): ContextSetup =>
  plainContext({ compaction: { ...plainContext().compaction, ...change } });

const remembering = compacting({ messages: { over: 4, keep: 2 } });
const unconnected = () => new PincerError("model/not-connected", "no key");
const long = (word: string) => `${word} `.repeat(300);

/** A window in which a few long messages are too many. */
const narrow = plainContext({
  view: { ...plainContext().view, limits: { contextWindow: 8000, maxTokens: 1000 } },
  compaction: {
    ...plainContext().compaction,
    thresholds: { flushAt: 1300, compactAt: 1500, keepTokens: 400 },
  },
});

describe("an answer that is finished", () => {
  it("COMP-01 is there although the summary after it cannot be made", async () => {
    const { say, entries } = talk(
      (kind) => (kind === "summary" ? unconnected() : words("THE ANSWER")),
      remembering,
    );
    for (const text of ["a", "b"]) await say(text);
    const { turn, words: said } = await say("c");
    expect(turn.ending).toEqual({ type: "answered" });
    expect(said.at(-1)).toBe("THE ANSWER");
    expect(compactionsIn(await entries())).toEqual([]);
  });

  it("is left for later, whole on the disk, where it is the storage that fails", async () => {
    const { say } = talk(
      (kind) => (kind === "summary" ? new PincerError("storage/unavailable", "no disk") : words("fine")),
      remembering,
    );
    for (const text of ["a", "b"]) await say(text);
    await expect(say("c")).rejects.toThrow("no disk");
  });

  it("COMP-02 comes although the summary before it cannot be made", async () => {
    const { say, asked } = talk((kind) => (kind === "summary" ? unconnected() : words(long("one"))), narrow);
    await say(long("first"));
    await say(long("second"));
    const { turn } = await say("third");
    expect(turn.ending).toEqual({ type: "answered" });
    expect(asked.filter((kind) => kind === "summary")).toHaveLength(1);
  });

  it.each(["stop", "shutdown"] as const)(
    "is neither thrown away nor asked for again when a %s comes while the session is summed up",
    async (by) => {
      const stop = new AbortController();
      const { say, entries, asked } = talk((kind) => {
        if (kind === "summary") stop.abort(new TurnStop(by));
        return words("THE ANSWER");
      }, remembering);
      for (const text of ["a", "b"]) await say(text);
      const { outcome, turn, words: said } = await say("c", { signal: stop.signal });
      expect(outcome.type).toBe("ended");
      expect(turn.ending).toEqual({ type: "answered" });
      expect(said.at(-1)).toBe("THE ANSWER");
      expect(compactionsIn(await entries())).toEqual([]);
      expect(asked).toEqual(["turn", "turn", "turn", "summary"]);
    },
  );

  it("does not wait for the summary of another session; the next turn makes it", async () => {
    let isBusy = true;
    const { say, entries } = talk(
      () => words("fine"),
      compacting({
        messages: { over: 4, keep: 2 },
        serially: (work, how) =>
          !isBusy ? work() : how?.ifFree ? Promise.resolve(undefined) : new Promise(() => {}),
      }),
    );
    for (const text of ["a", "b", "c"]) await say(text);
    expect(compactionsIn(await entries())).toEqual([]);
    isBusy = false;
    await say("d");
    expect(compactionsIn(await entries())).toHaveLength(1);
  });

  it("is what a session is summed up after: not a failure", async () => {
    let isDown = false;
    const { say, asked } = talk(
      () => (isDown ? { stopReason: "error", errorMessage: "down" } : words("fine")),
      remembering,
    );
    for (const text of ["a", "b"]) await say(text);
    isDown = true;
    const { turn } = await say("c");
    expect(turn.ending).toMatchObject({ type: "model-failed" });
    expect(asked).toEqual(["turn", "turn", "turn"]);
  });
});

it("COMP-01 counts the messages of a session with memory although a request shows fewer", async () => {
  const { say, entries } = talk(() => words("fine"), {
    ...compacting({ messages: { over: 60, keep: 2 }, by: "digest" }),
    view: { ...plainContext().view, maxMessages: 4 },
  });
  for (let count = 0; count < 31; count++) await say("more");
  expect(compactionsIn(await entries())).toMatchObject([{ trigger: "messages" }]);
});

describe("what a summary says", () => {
  const secret = "sk-very-secret-12345";

  it("tells no secret, asked for or made with an answer", async () => {
    const { say, entries, redactor, setup } = talk(
      () => words(`${long("x")} the key is ${secret}`),
      remembering,
    );
    redactor.add("key", secret);
    for (const text of ["a", "b", "c", "d"]) await say(text);
    setup.compact = {};
    await say("/compact", { options: { compact: {} } });
    const made = compactionsIn(await entries());
    expect(made.map(({ trigger }) => trigger)).toEqual(["messages", "manual"]);
    for (const { summary } of made) expect(summary).toContain("the key is [secret:key]");
    expect(JSON.stringify(await entries())).not.toContain(secret);
  });
});

it("COMP-03 can be stopped while it waits for the summary of another session", async () => {
  const stop = new AbortController();
  const waiting = compacting({
    serially: (_work, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(undefined));
        stop.abort(new TurnStop("stop"));
      }),
  });
  const { say, setup } = talk(() => words(long("one")), waiting);
  await say(long("first"));
  setup.compact = {};
  const { turn } = await say("/compact", { options: { compact: {} }, signal: stop.signal });
  expect(turn.ending).toEqual({ type: "aborted", by: "stop" });
});

it("COMP-04 sums up once although it was killed before it could tell", async () => {
  const stage = talk((kind) => words(kind === "summary" ? "Counted." : long("one")));
  for (const text of ["first", "second"]) await stage.say(long(text));
  stage.setup.compact = {};
  const turn = await stage.queue("/compact", { options: { compact: {} } });
  const killed = createTurnRunner({
    ...stage.parts,
    turns: { ...stage.parts.turns, end: () => Promise.reject(new Error("killed")) },
  });
  await expect(killed(turn, stage.never)).rejects.toThrow("killed");
  await stage.run((await stage.stores.turns.get(turn.turnId)) ?? turn, stage.never);
  expect(compactionsIn(await stage.entries())).toHaveLength(1);
  const told = (await stage.entries()).flatMap((entry) => (entry.type === "command" ? [entry.output] : []));
  expect(told).toEqual([expect.stringMatching(/^summed up \d+/)]);
});

describe("taking notes", () => {
  const noting = plainContext({
    ...narrow,
    compaction: { ...narrow.compaction, thresholds: { flushAt: 1200, compactAt: 7000, keepTokens: 400 } },
    flush: { ...narrow.flush, enabled: true },
  });
  const notes = (answer: (count: number, request: ModelRequest) => Answer, context = noting) => {
    let count = 0;
    const stage = talk(
      (kind, request) => (kind === "flush" ? answer(++count, request) : words(long("one"))),
      context,
    );
    stage.setup.tools.descriptions = [{ name: "memory_append", description: "Note.", parameters: {} }];
    return stage;
  };
  /** After it the next turn takes notes. */
  const grow = async ({ say, asked }: Pick<ReturnType<typeof talk>, "say" | "asked">) => {
    await say(`${long("first")}${long("and more")}`);
    expect(asked).toEqual(["turn"]);
  };

  it("COMP-21 is remembered with the first note, also where it is stopped then", async () => {
    const stop = new AbortController();
    const stage = notes((count) => {
      if (count === 1) return call("memory_append", { text: "tea" });
      stop.abort(new TurnStop("shutdown"));
      return { stopReason: "aborted" };
    });
    await grow(stage);
    const turn = await stage.queue(long("second"));
    expect((await stage.run(turn, stop.signal)).type).toBe("parked");
    expect(flushesIn(await stage.entries())).toHaveLength(1);
    await stage.run((await stage.stores.turns.get(turn.turnId)) ?? turn, stage.never);
    expect(flushesIn(await stage.entries())).toHaveLength(1);
    expect(stage.effects).toEqual(["memory_append"]);
  });

  it("COMP-21 is remembered where there was nothing to note", async () => {
    const stage = notes(() => words("NO_REPLY"));
    await grow(stage);
    await stage.say(long("second"));
    await stage.say("third");
    expect(flushesIn(await stage.entries())).toMatchObject([{ data: { wrote: false } }]);
  });

  it("COMP-21 is tried again in the next turn, and not in this one, where the model did not answer", async () => {
    let isDown = true;
    const stage = notes(() => (isDown ? refused() : words("NO_REPLY")));
    await grow(stage);
    let steps = 0;
    const { model } = stage.setup;
    stage.setup.model = {
      ...model,
      stream: (request) =>
        kindOf(request) === "turn" && ++steps === 1
          ? (async function* () {
              yield {
                type: "end" as const,
                message: {
                  ...({ role: "assistant", provider: "p", model: "m", usage: noUsage() } as const),
                  content: [{ type: "toolCall" as const, id: "c", name: "look", arguments: {} }],
                  stopReason: "toolUse" as const,
                },
              };
            })()
          : model.stream(request),
    };
    await stage.say(long("second"));
    expect(stage.asked.filter((kind) => kind === "flush")).toHaveLength(1);
    expect(flushesIn(await stage.entries())).toEqual([]);
    isDown = false;
    await stage.say("third");
    expect(flushesIn(await stage.entries())).toHaveLength(1);
  });

  it("COMP-21 leaves room for what it is asked with, however long that is", async () => {
    const sizes: number[] = [];
    const wordy = {
      ...noting,
      compaction: { ...noting.compaction, thresholds: { flushAt: 5000, compactAt: 7500, keepTokens: 400 } },
      flush: { ...noting.flush, prompt: `2026-01-01 ${"note ".repeat(2000)}` },
    };
    const stage = notes((_count, request) => {
      sizes.push(sizeOf(request));
      return words("NO_REPLY");
    }, wordy);
    for (const text of ["a", "b", "c", "d", "e", "f", "g"]) await stage.say(long(text));
    await stage.say("h ".repeat(5000));
    expect(sizes.length).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThan(5600);
  });
});

describe("a model whose window is smaller than it says", () => {
  const real = 24_000;
  const declared = plainContext({
    view: {
      ...plainContext().view,
      resultChars: 30_000,
      limits: { contextWindow: 128_000, maxTokens: 8192 },
    },
    compaction: {
      ...plainContext().compaction,
      thresholds: { flushAt: 104_000, compactAt: 108_000, keepTokens: 20_000 },
    },
  });
  /** One turn of many steps, with long results. */
  const work = (context: ContextSetup, steps = 30) => {
    let done = 0;
    const seen: string[] = [];
    const stage = talk((kind, _request, size) => {
      seen.push(size > real ? "refused" : kind);
      if (size > real) return refused({ contextWindow: 128_000 });
      if (kind === "summary") return words("They worked.");
      return ++done > steps ? words("done") : call("look", { done });
    }, context);
    stage.setup.maxSteps = 100;
    stage.setup.tools.admit = admitting(async () => ({
      ok: true,
      content: [{ type: "text", text: `${"r".repeat(12_000)}${Math.random()}` }],
      usage: { durationMs: 0 },
    }));
    return { ...stage, seen };
  };

  it("COMP-02 is believed after one refusal: the rest of the turn fits, and is summed up for size once", async () => {
    const { say, entries, seen } = work(declared);
    const { turn } = await say("go");
    expect(turn.ending).toEqual({ type: "answered" });
    expect(seen.filter((kind) => kind === "refused").length).toBeLessThanOrEqual(2);
    const overflows = compactionsIn(await entries()).filter(({ trigger }) => trigger === "overflow");
    expect(overflows).toHaveLength(1);
    for (const { summary } of compactionsIn(await entries())) expect(summary).toContain("They worked.");
  });

  it("COMP-02 is told what it takes, for the turns to come", async () => {
    const found: Array<[string, number]> = [];
    const { say } = work({
      ...declared,
      foundWindow: ({ provider, id }, window) => void found.push([`${provider}/${id}`, window]),
    });
    await say("go");
    expect(found).toHaveLength(1);
    expect(found[0]?.[0]).toBe("p/m");
    expect(found[0]?.[1]).toBeGreaterThan(real / 2);
    expect(found[0]?.[1]).toBeLessThan(real * 1.2);
  });

  it("is summed up for size at most once in a turn, whatever is refused", async () => {
    let steps = 0;
    const stage = talk((kind) => {
      if (kind === "summary") return words("They worked.");
      return ++steps % 2 === 1 ? refused() : steps > 20 ? words("done") : call("look", { steps });
    }, narrow);
    stage.setup.maxSteps = 100;
    for (const text of ["first", "second"]) await stage.say(long(text));
    const before = compactionsIn(await stage.entries()).length;
    await stage.say(long("third"));
    const after = compactionsIn(await stage.entries()).slice(before);
    expect(after.filter(({ trigger }) => trigger === "overflow").length).toBeLessThanOrEqual(1);
  });

  it("is asked with what fits where another model with less room takes its place, and nothing is summed up for that", async () => {
    const found: number[] = [];
    const fallback = 6000;
    const stage = talk(
      (kind, _request, size) => {
        if (kind === "summary") throw new Error("nothing is to be summed up");
        return size > fallback ? refused({ provider: "q", contextWindow: fallback }) : words("fine");
      },
      { ...declared, foundWindow: (_model, window) => void found.push(window) },
    );
    for (let count = 0; count < 30; count++) {
      const { turn } = await stage.say(long(`w${count}`));
      expect(turn.ending).toEqual({ type: "answered" });
    }
    expect(compactionsIn(await stage.entries())).toEqual([]);
    expect(found).toEqual([]);
  });

  it("is not given up for good on a summary that a model with less room refused", async () => {
    const stage = talk(
      (kind) => (kind === "summary" ? refused({ provider: "q", contextWindow: 4000 }) : words(long("one"))),
      narrow,
    );
    await stage.say(long("first"));
    await stage.say(long("second"));
    await stage.say("third");
    expect(compactionsIn(await stage.entries())).toEqual([]);
  });
});

describe("session_before_compact", () => {
  const hooked = (hook: ContextSetup["compaction"]["hook"]) =>
    talk((kind) => words(kind === "summary" ? "Counted." : long("one")), {
      ...narrow,
      compaction: { ...narrow.compaction, hook },
    });

  it("COMP-09 that does not answer has no wish after ten seconds", async () => {
    const { promise: isAsked, resolve } = Promise.withResolvers<void>();
    const stage = hooked(() => {
      resolve();
      return new Promise(() => {});
    });
    await stage.say(long("first"));
    await stage.say(long("second"));
    const going = stage.say("third");
    let isOver = false;
    void going.then(() => (isOver = true));
    await isAsked;
    await stage.clock.advance(9999);
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    await stage.clock.advance(1);
    await going;
    expect(compactionsIn(await stage.entries())).toHaveLength(1);
  });

  it("COMP-09 that does not answer keeps nobody from stopping", async () => {
    const stop = new AbortController();
    const stage = hooked(() => {
      stop.abort(new TurnStop("stop"));
      return new Promise(() => {});
    });
    await stage.say(long("first"));
    await stage.say(long("second"));
    const { turn } = await stage.say("third", { signal: stop.signal });
    expect(turn.ending).toEqual({ type: "aborted", by: "stop" });
    expect(compactionsIn(await stage.entries())).toEqual([]);
  });
});
