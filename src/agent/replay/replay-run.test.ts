import { PincerError, toolFailure, type Entry } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { plainContext } from "../testing/plain-context.ts";
import { TurnStop } from "../turn-run.ts";
import { createIds } from "../../infra/ids.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import { replayRun } from "./replay-run.ts";
import { createReplayStage, done } from "./testing/replay-stage.ts";

const same = (ending: string, entries: number) => ({
  same: true,
  stored: entries,
  replayed: entries,
  ending: { stored: ending, replayed: ending },
});
const look = (name = "look", args: Record<string, unknown> = {}) => ({ name, arguments: args });

describe("PROTO-10 a run that is played again comes out as it is stored", () => {
  it("after a plain answer, whatever its words look like", async () => {
    for (const text of [
      "hello",
      "a [[reply_to:7]] tag",
      "<think>so</think>said",
      "`<b>` & [[x]]",
      "hidden words 0",
    ]) {
      const stage = createReplayStage([{ text }]);
      expect(await stage.runAndReplay()).toMatchObject(same("answered", 2));
    }
  });

  it("after a silent one, one that was cut and one that failed", async () => {
    const silent = createReplayStage([{ text: "NO_REPLY" }]);
    expect(await silent.runAndReplay()).toMatchObject(same("silent", 2));
    const failed = createReplayStage([{ error: "it is down", code: "unavailable" }]);
    expect(await failed.runAndReplay()).toMatchObject(same("model-failed", 2));
    const over = createReplayStage([{ error: "too much", code: "budget" }]);
    expect(await over.runAndReplay()).toMatchObject(same("budget", 2));
    const mute = createReplayStage([{ silence: true }]);
    expect(await mute.runAndReplay()).toMatchObject(same("model-failed", 2));
    const empty = createReplayStage([{ text: "" }]);
    expect(await empty.runAndReplay()).toMatchObject(same("model-failed", 2));
  });

  it("with calls of tools, also those that fail or are refused", async () => {
    const stage = createReplayStage([
      { calls: [look()], text: "let me see" },
      { calls: [{ name: "write", invalidArguments: "{" }, look("danger")] },
      { text: "done" },
    ]);
    stage.setup.tools = {
      ...stage.setup.tools,
      async admit({ name }) {
        if (name === "danger")
          return { type: "refused", result: toolFailure("execution_error", "a rule says no") };
        const result =
          name === "write"
            ? toolFailure("invalid_args", "no JSON")
            : done("seen", { data: { a: [1, null] }, origin: "web", from: "example.org", forUser: "look!" });
        return { type: "run", run: async () => result };
      },
    };
    expect(await stage.runAndReplay()).toMatchObject(same("answered", 7));
  });

  it("with calls side by side that ended in another order than they began", async () => {
    const stage = createReplayStage([
      { calls: [look("a"), look("b"), look("c"), look("d")] },
      { text: "done" },
    ]);
    const gates = new Map(["a", "b", "c", "d"].map((name) => [name, Promise.withResolvers<void>()]));
    stage.answerCalls(async ({ name }) => {
      await gates.get(name)?.promise;
      return done(name);
    });
    const turn = await stage.queue("hi");
    const running = stage.run(turn);
    for (const name of ["c", "a", "d", "b"]) {
      gates.get(name)?.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await running;
    const order = (await stage.said(turn.turnId)).flatMap((message) =>
      message.role === "toolResult" ? [message.toolName] : [],
    );
    expect(order).toEqual(["c", "a", "d", "b"]);
    expect(await stage.replay(turn.turnId)).toMatchObject(same("answered", 7));
  });

  it("that waited for its owner", async () => {
    const stage = createReplayStage([{ calls: [look("a"), look("send")] }, { text: "sent" }]);
    let isAllowed = false;
    stage.setup.tools = {
      ...stage.setup.tools,
      async admit({ name }) {
        if (name === "send" && !isAllowed) return { type: "pause", approvalId: "q1" };
        return { type: "run", run: async () => done(name) };
      },
    };
    const turn = await stage.queue("hi");
    await stage.clock.advance(10);
    expect(await stage.run(turn)).toMatchObject({ type: "waiting" });
    isAllowed = true;
    await stage.clock.advance(1000);
    await stage.run(turn);
    expect(await stage.replay(turn.turnId)).toMatchObject(same("answered", 5));
  });

  it("that somebody stopped, while the model spoke and while a tool ran", async () => {
    for (const by of ["stop", "interrupt", "client"] as const) {
      const stop = new AbortController();
      const stage = createReplayStage([{ text: "never said" }]);
      stage.setup.model = {
        ...stage.model,
        async *stream() {
          yield { type: "text-delta", text: "half a" };
          stop.abort(new TurnStop(by));
        },
      };
      expect(await stage.runAndReplay("hi", stop.signal)).toMatchObject(same("aborted", 2));
    }
    const stop = new AbortController();
    const stage = createReplayStage([{ calls: [look("a"), look("b")] }, { text: "never said" }]);
    stage.answerCalls(async ({ name }) => {
      if (name === "a") stop.abort(new TurnStop("stop"));
      return done(name);
    });
    expect(await stage.runAndReplay("hi", stop.signal)).toMatchObject(same("aborted", 5));
  });

  it("that ran into a limit: steps, circles, time, and what protects the owner", async () => {
    const steps = createReplayStage([{ calls: [look()] }]);
    let count = 0;
    steps.answerCalls(async () => done(`${count++}`));
    expect(await steps.runAndReplay()).toMatchObject(same("step-limit", 10));

    const circle = createReplayStage([{ calls: [look()] }]);
    circle.setup.maxSteps = 50;
    expect(await circle.runAndReplay()).toMatchObject({ same: true, ending: { stored: "repeated-calls" } });

    const two = createReplayStage(
      Array.from({ length: 20 }, (_, index) => ({ calls: [look(index % 2 ? "a" : "b")] })),
    );
    two.setup.maxSteps = 50;
    expect(await two.runAndReplay()).toMatchObject({ same: true, ending: { stored: "repeated-calls" } });

    const stop = new AbortController();
    const late = createReplayStage([{ calls: [look()] }, { text: "late" }]);
    late.answerCalls(async () => (stop.abort(new TurnStop("overdue")), done("x")));
    expect(await late.runAndReplay("hi", stop.signal)).toMatchObject(same("breaker", 4));

    const broken = createReplayStage([{ calls: [look("a"), look("many"), look("b")] }]);
    broken.setup.tools = {
      ...broken.setup.tools,
      admit: async ({ name }) =>
        name === "many"
          ? { type: "break", reason: "too many messages" }
          : { type: "run", run: async () => done(name) },
    };
    expect(await broken.runAndReplay()).toMatchObject(same("breaker", 6));
  });

  it("that could not be set up", async () => {
    for (const code of ["model/not-connected", "internal/bug"] as const) {
      const stage = createReplayStage([{ text: "x" }]);
      stage.parts.setUp = () => {
        throw new PincerError(code, "no model here");
      };
      expect(await stage.runAndReplay()).toMatchObject(same("failed", 2));
    }
  });

  it("that was summed up inside, and at its end", async () => {
    const inside = createReplayStage([
      { text: "one ".repeat(300) },
      { text: "two ".repeat(300) },
      { calls: [look()] },
      { text: "done" },
    ]);
    inside.setup.context = plainContext({
      view: { ...plainContext().view, limits: { contextWindow: 8000, maxTokens: 1000 } },
      compaction: {
        ...plainContext().compaction,
        by: "digest",
        thresholds: { flushAt: 1300, compactAt: 1500, keepTokens: 400 },
      },
    });
    inside.answerCalls(async () => done("three ".repeat(300)));
    for (const text of ["first ", "second "]) await inside.run(await inside.queue(text.repeat(300)));
    const turn = await inside.queue("third");
    await inside.run(turn);
    const types = (await inside.stores.turns.entries(turn.turnId)).map(({ type }) => type);
    expect(types).toContain("compaction");
    expect(await inside.replay(turn.turnId)).toMatchObject({ same: true, stored: types.length });

    const closing = createReplayStage([{ text: "one" }, { text: "two" }, { text: "a summary" }]);
    closing.setup.context = plainContext({
      compaction: { ...plainContext().compaction, by: "digest", messages: { over: 2, keep: 1 } },
    });
    await closing.run(await closing.queue("first"));
    const last = await closing.queue("second");
    await closing.run(last);
    const ends = (await closing.stores.turns.entries(last.turnId)).map(({ type }) => type);
    expect(ends.at(-1)).toBe("compaction");
    expect(await closing.replay(last.turnId)).toMatchObject({ same: true, stored: ends.length });
  });

  it("into which somebody spoke", async () => {
    const stage = createReplayStage([{ calls: [look()] }, { text: "done" }]);
    const turn = await stage.queue("hi");
    stage.answerCalls(async () => {
      await stage.queue("and this", { mode: "steer" });
      return done("x");
    });
    await stage.run(turn);
    expect((await stage.said(turn.turnId)).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "user",
      "assistant",
    ]);
    expect(await stage.replay(turn.turnId)).toMatchObject(same("answered", 5));
  });

  it("that was continued after a limit", async () => {
    const stage = createReplayStage([{ calls: [look()] }]);
    let count = 0;
    stage.answerCalls(async () => done(`${count++}`));
    const turn = await stage.queue("hi");
    await stage.run(turn);
    await stage.run(await stage.resume());
    const replay = await stage.replay(turn.turnId);
    expect(replay).toMatchObject({ same: true, ending: { stored: "step-limit", replayed: "step-limit" } });
    expect(replay.stored).toBeGreaterThan(15);
  });

  it("that handed calls over to the caller", async () => {
    const stage = createReplayStage([{ calls: [look("theirs"), look("ours")] }, { text: "never" }]);
    stage.setup.tools = {
      ...stage.setup.tools,
      isHandedOver: ({ name }) => name === "theirs",
      admit: async ({ name }) =>
        name === "theirs" ? { type: "hand-over" } : { type: "run", run: async () => done(name) },
    };
    expect(await stage.runAndReplay()).toMatchObject(same("handed-over", 4));
  });

  it("as far as it came, where something outside ended it", async () => {
    const stage = createReplayStage([{ calls: [look()] }, { text: "never" }]);
    stage.setup.tools = { ...stage.setup.tools, admit: async () => ({ type: "pause", approvalId: "q" }) };
    const turn = await stage.queue("hi");
    await stage.run(turn);
    const running = { same: true, stored: 2, replayed: 2, ending: { stored: null, replayed: null } };
    expect(await stage.replay(turn.turnId)).toMatchObject(running);
    await stage.stores.turns.bury(turn.turnId, {
      replies: [],
      notice: { kind: "dead-letter", subject: "x", text: { key: "notice.dead-letter", parameters: {} } },
    });
    expect(await stage.replay(turn.turnId)).toMatchObject({
      same: true,
      stored: 2,
      ending: { stored: "crashed", replayed: null },
    });
  });
});

describe("PROTO-10 a replay", () => {
  const stored = async (change: (entries: Entry[]) => Entry[], turnChange: Partial<TurnRecord> = {}) => {
    const stage = createReplayStage([{ calls: [look("a"), look("b")] }, { text: "done" }]);
    stage.answerCalls(async ({ name }) => done(name));
    const { turnId } = await stage.queue("hi");
    const turn = await stage.stores.turns.get(turnId);
    if (!turn) throw new Error("no run");
    await stage.run(turn);
    const ended = await stage.stores.turns.get(turnId);
    if (!ended) throw new Error("no run");
    const entries = change(await stage.stores.turns.entries(turnId));
    return replayRun(
      {
        turns: { entries: async () => entries, journal: stage.stores.turns.journal },
        clock: stage.clock,
        ids: createIds(stage.clock.now),
      },
      { ...ended, ...turnChange },
    );
  };

  it("shows the first entry that is not the same", async () => {
    const without = await stored((entries) => entries.filter((_, index) => index !== 3));
    expect(without).toMatchObject({ same: false, difference: { at: 4 } });
    const twice = await stored((entries) => [...entries.slice(0, 4), ...entries.slice(3)]);
    expect(twice).toMatchObject({ same: false, difference: { at: 5 } });
  });

  it("says so when only the ending is another one", async () => {
    const other = await stored((entries) => entries, { ending: { type: "silent" } });
    expect(other).toMatchObject({ same: false, ending: { stored: "silent", replayed: "answered" } });
    expect(other).not.toHaveProperty("difference");
  });

  it("is refused where nothing is left, and for a run that only summed up", async () => {
    await expect(stored(() => [])).rejects.toMatchObject({ code: "message/not-found" });
    await expect(stored((entries) => entries, { options: { compact: {} } })).rejects.toMatchObject({
      code: "usage/bad-argument",
    });
  });

  it("asks no model, runs no tool and changes nothing", async () => {
    const stage = createReplayStage([{ calls: [look("a")] }, { text: "done" }]);
    const turn = await stage.queue("hi");
    await stage.run(turn);
    const before = [stage.model.requests.length, stage.effects.length, await stage.said(turn.turnId)];
    await stage.replay(turn.turnId);
    expect([stage.model.requests.length, stage.effects.length, await stage.said(turn.turnId)]).toEqual(
      before,
    );
  });
});
