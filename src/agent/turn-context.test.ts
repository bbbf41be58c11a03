import { textOf, type Entry, type Message } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { carryOver } from "./carry-over.ts";
import { createRunnerStage } from "./testing/runner-stage.ts";
import { plainContext } from "./testing/plain-context.ts";
import { createTurnRunner } from "./turn-runner.ts";

/** A window in which a few long messages are too many. */
const narrow = plainContext({
  view: { ...plainContext().view, limits: { contextWindow: 8000, maxTokens: 1000 } },
  compaction: {
    ...plainContext().compaction,
    thresholds: { flushAt: 1300, compactAt: 1500, keepTokens: 400 },
  },
});

const long = (word: string) => `${word} `.repeat(300);

const compactionsIn = (entries: readonly Entry[]) => entries.filter((entry) => entry.type === "compaction");

const commandsIn = (entries: readonly Entry[]) => entries.filter((entry) => entry.type === "command");

const isSummaryRequest = ({ systemPrompt }: { systemPrompt: string }) => systemPrompt !== "";

function talk(steps: Parameters<typeof createRunnerStage>[0], setup = narrow) {
  const stage = createRunnerStage(steps);
  stage.setup.context = setup;
  const run = createTurnRunner(stage.parts);
  const say = async (text: string, change = {}) => {
    const turn = await stage.queue(text, change);
    const outcome = await run(turn, stage.never);
    const found = await stage.stores.turns.get(turn.turnId);
    return { outcome, turn: found, said: await stage.said(turn.turnId) };
  };
  const entries = async () => {
    const [session] = (await stage.stores.sessions.list({ limit: 1 })).sessions;
    return stage.stores.entries.recent(session?.sessionId ?? "", 1000);
  };
  return { ...stage, say, entries };
}

describe("a conversation that grows", () => {
  it("COMP-02 COMP-03 COMP-16 is summed up before a request that would be too large, in its own turn, and goes on with the summary", async () => {
    const { say, entries, model } = talk([
      { text: long("one") },
      { text: long("two") },
      { text: "We counted to two." },
      { text: "three" },
    ]);
    await say(long("first"));
    await say(long("second"));
    const { said } = await say("third");
    const [compaction, ...others] = compactionsIn(await entries());
    expect(others).toEqual([]);
    expect(compaction).toMatchObject({ trigger: "tokens", from: 2 });
    expect(compaction?.summary).toContain("We counted to two.");
    expect(textOf(said.at(-1) as Message)).toBe("three");
    const last = model.requests.at(-1)?.messages ?? [];
    expect(textOf(last[0] as Message)).toContain("We counted to two.");
    expect(textOf(last.at(-1) as Message)).toBe("third");
    // What was said is all there.
    const words = (await entries()).flatMap((each) =>
      each.type === "message" ? [textOf(each.message)] : [],
    );
    expect(words).toEqual([long("first"), long("one"), long("second"), long("two"), "third", "three"]);
  });

  it("is summed up rather than cut where a request might not fit, however far the limit for that is", async () => {
    const thresholds = { flushAt: 7800, compactAt: 7900, keepTokens: 400 };
    const late = { ...narrow, compaction: { ...narrow.compaction, thresholds } };
    const { say, entries, model } = talk(
      [{ text: "one" }, { text: "We counted." }, { text: "two" }, { text: "three" }],
      late,
    );
    await say("first ".repeat(2000));
    await say("second ".repeat(1700));
    expect(compactionsIn(await entries())).toHaveLength(1);
    await say("third");
    expect(model.requests.filter(isSummaryRequest)).toHaveLength(1);
  });

  it("is not summed up for good where the model fails for the moment, and is answered all the same", async () => {
    const { say, entries, model } = talk([
      { text: long("one") },
      { text: long("two") },
      { error: "overloaded" },
      { text: "three" },
    ]);
    await say(long("first"));
    await say(long("second"));
    const { said } = await say("third");
    expect(compactionsIn(await entries())).toEqual([]);
    expect(textOf(said.at(-1) as Message)).toBe("three");
    expect(model.requests.filter(isSummaryRequest)).toHaveLength(1);
  });

  it("is not summed up where the config says no", async () => {
    const off = { ...narrow, compaction: { ...narrow.compaction, enabled: false } };
    const { say, entries } = talk([{ text: long("one") }, { text: long("two") }, { text: "three" }], off);
    await say(long("first"));
    await say(long("second"));
    await say("third");
    expect(compactionsIn(await entries())).toEqual([]);
  });

  it("COMP-02 is asked once more, smaller, when the provider finds it too large all the same", async () => {
    const { say, model } = talk(
      [{ text: "one" }, { error: "too large", code: "context_overflow" }, { text: "two" }],
      { ...plainContext(), compaction: { ...plainContext().compaction, enabled: false } },
    );
    await say("first");
    const { said, turn } = await say("second");
    expect(turn?.ending).toEqual({ type: "answered" });
    expect(textOf(said.at(-1) as Message)).toBe("two");
    expect(model.requests).toHaveLength(3);
  });

  it("is told so when it is too large twice", async () => {
    const refused = { error: "too large", code: "context_overflow" } as const;
    const { say, model } = talk([refused, refused, { text: "never" }]);
    const { turn } = await say("first");
    expect(turn?.ending).toMatchObject({ type: "model-failed" });
    expect(model.requests).toHaveLength(2);
  });
});

describe("summing up on demand", () => {
  const manual = { options: { compact: {} } };

  it("COMP-04 tells what it came to, and keeps the wish", async () => {
    const stage = talk([{ text: long("one") }, { text: long("two") }, { text: "Counted." }], plainContext());
    await stage.say(long("first"));
    await stage.say(long("second"));
    stage.setup.compact = { instructions: "keep the numbers" };
    const { turn } = await stage.say("/compact", manual);
    expect(turn?.ending).toEqual({ type: "answered" });
    expect(commandsIn(await stage.entries())).toMatchObject([
      { name: "compact", ok: true, output: expect.stringMatching(/^summed up \d+/) as string },
    ]);
    expect(JSON.stringify(stage.model.requests.at(-1))).toContain("keep the numbers");
    expect(compactionsIn(await stage.entries())).toMatchObject([{ trigger: "manual" }]);
  });

  it("says so where there is nothing to sum up, and where the model fails", async () => {
    const empty = talk([], plainContext());
    empty.setup.compact = {};
    await empty.say("/compact", manual);
    expect(commandsIn(await empty.entries())).toMatchObject([{ output: "nothing to sum up" }]);

    const failing = talk([{ text: long("one") }, { text: long("two") }, { error: "down" }], plainContext());
    await failing.say(long("first"));
    await failing.say(long("second"));
    failing.setup.compact = {};
    const { turn } = await failing.say("/compact", manual);
    expect(turn?.ending).toMatchObject({ type: "model-failed" });
    expect(commandsIn(await failing.entries())).toMatchObject([
      { ok: false, output: expect.stringMatching(/^not summed up/) as string },
    ]);
    expect(compactionsIn(await failing.entries())).toEqual([]);
  });
});

it("a command is no part of the conversation: no request shows it or its answer", async () => {
  const stage = talk([{ text: long("one") }, { text: "Counted." }, { text: "two" }], plainContext());
  await stage.say(long("first"));
  stage.setup.compact = {};
  await stage.say("/compact", { options: { compact: {} } });
  delete stage.setup.compact;
  await stage.say("second");
  expect(JSON.stringify(stage.model.requests)).not.toContain("/compact");
  expect(JSON.stringify(stage.model.requests.at(-1))).not.toContain("summed up");
});

describe("a session with memory", () => {
  it("COMP-01 is summed up when it has more messages than it may, together with the answer", async () => {
    const remembering = plainContext({
      hasSessionMemory: true,
      compaction: { ...plainContext().compaction, messages: { over: 4, keep: 2 }, by: "digest" },
    });
    const { say, entries } = talk([{ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" }], remembering);
    for (const text of ["a", "b", "c", "d"]) await say(text);
    const all = await entries();
    expect(compactionsIn(all)).toMatchObject([{ trigger: "messages", from: 2, keepFrom: 6 }]);
    expect(all.filter(({ type }) => type === "message")).toHaveLength(8);
  });
});

describe("a session that begins anew", () => {
  it("SESS-21 COMP-25 opens with what the last one came to", async () => {
    const stage = createRunnerStage([{ text: "blue it is" }, { text: "blue" }]);
    const run = (isStale: boolean) =>
      createTurnRunner({ ...stage.parts, isStale: () => isStale, carry: carryOver });
    await run(false)(await stage.queue("paint the door blue"), stage.never);
    await run(true)(await stage.queue("which colour was it?"), stage.never);
    const [opening, question] = stage.model.requests.at(-1)?.messages ?? [];
    expect(textOf(opening as Message)).toContain("- user: paint the door blue\n- assistant: blue it is");
    expect(textOf(question as Message)).toBe("which colour was it?");
    const { sessions } = await stage.stores.sessions.list({ limit: 5 });
    expect(sessions.map(({ state }) => state).toSorted()).toEqual(["active", "ended"]);
  });
});
