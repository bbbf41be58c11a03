import {
  noUsage,
  textOf,
  toolFailure,
  wellFormedMessages,
  type AssistantMessage,
  type Message,
  type Model,
} from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asked, createTurnStage } from "./testing/turn-stage.ts";
import { TurnStop } from "./turn-run.ts";

const look = { calls: [{ name: "look" }] };
const send = { calls: [{ name: "send" }] };
const never = new AbortController().signal;
const many = { maxSteps: 1000 };

/** A model that says this once, and nothing else. */
const once = (message: Partial<AssistantMessage>): Model => ({
  provider: "p",
  id: "m",
  async *stream() {
    yield {
      type: "end",
      message: {
        role: "assistant",
        content: [],
        provider: "p",
        model: "m",
        usage: noUsage(),
        stopReason: "stop",
        ...message,
      },
    };
  },
});

async function conclusionOf(
  stage: ReturnType<typeof createTurnStage>,
  limits: { maxSteps: number; carried?: number } = many,
  from: Message[] = [asked],
) {
  const conclusion = await stage.run(from, never, undefined, new Set(), limits);
  if (conclusion.type === "parked") throw new Error("parked");
  return conclusion;
}

describe("a turn that turns in circles", () => {
  it("LOOP-05 ends when the same call had the same result three times, and says so", async () => {
    const stage = createTurnStage([look]);
    const { ending, last, messages } = await conclusionOf(stage);
    expect(ending).toEqual({ type: "repeated-calls", tool: "look", times: 3 });
    expect(textOf(last)).toBe("look 3 times");
    expect(stage.model.requests).toHaveLength(4);
    const results = messages.filter((message) => message.role === "toolResult");
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, true]);
    expect(textOf(results.at(-1) ?? asked)).toContain("not run: look was called 3 times");
    expect(wellFormedMessages(messages).repairs).toEqual([]);
  });

  it("LOOP-05 goes on where the result changes", async () => {
    let count = 0;
    const stage = createTurnStage([look, look, look, look, look, { text: "done" }], async () => ({
      ok: true,
      content: [{ type: "text", text: String(++count) }],
      usage: { durationMs: 0 },
    }));
    expect((await conclusionOf(stage)).ending).toEqual({ type: "answered" });
  });

  it("LOOP-05 ends when two calls take turns and nothing changes", async () => {
    const stage = createTurnStage([look, send, look, send, look, send, look, send, look]);
    const { ending } = await conclusionOf(stage);
    expect(ending).toEqual({ type: "repeated-calls", tool: "look", times: 4 });
    expect(stage.model.requests).toHaveLength(9);
  });

  it("LOOP-05 ends at the same place wherever a crash cuts it", async () => {
    const whole = createTurnStage([look]);
    const { messages } = await conclusionOf(whole);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: messages.length - 1 }), async (cut) => {
        const kept = messages.slice(0, cut);
        const again = createTurnStage([look]);
        const conclusion = await conclusionOf(again, many, kept);
        expect(conclusion.ending).toEqual({ type: "repeated-calls", tool: "look", times: 3 });
        expect(conclusion.messages.map(({ role }) => role)).toEqual(messages.map(({ role }) => role));
      }),
    );
  });
});

describe("the step limit", () => {
  it("LOOP-05 ends at the same place wherever a crash cuts it", async () => {
    const whole = createTurnStage([look]);
    const { messages } = await conclusionOf(whole, { maxSteps: 2 });
    for (let cut = 1; cut < messages.length; cut++) {
      const conclusion = await conclusionOf(createTurnStage([look]), { maxSteps: 2 }, messages.slice(0, cut));
      expect(conclusion.ending).toEqual({ type: "step-limit", steps: 2 });
      expect(conclusion.messages).toHaveLength(messages.length);
    }
  });

  it("LOOP-05 counts anew in a turn that was continued, for steps and for circles", async () => {
    const first = createTurnStage([look]);
    const { messages } = await conclusionOf(first, { maxSteps: 3 });
    const goOn: Message = { role: "user", content: [{ type: "text", text: "/continue" }] };
    const stage = createTurnStage([look, look, { text: "done" }]);
    stage.waiting.push(goOn);
    const carried = messages.length;
    const conclusion = await conclusionOf(stage, { maxSteps: 2, carried }, messages);
    expect(conclusion.ending).toEqual({ type: "answered" });
    expect(stage.model.requests).toHaveLength(3);
    expect(stage.model.requests[0]?.messages.at(-1)).toMatchObject(goOn);
  });
});

describe("an answer that stops short", () => {
  it("MODEL-05 ends with the limit that was reached, below what was said before it", async () => {
    const stage = createTurnStage([]);
    const errorMessage = "This turn has used its 3 model calls.";
    const partial = {
      content: [{ type: "text" as const, text: "so far" }],
      usage: { ...noUsage(), input: 7 },
    };
    stage.parts.model = once({ ...partial, stopReason: "error", errorCode: "budget", errorMessage });
    const { ending, last } = await conclusionOf(stage);
    expect(ending).toEqual({ type: "budget", reason: errorMessage });
    expect(textOf(last)).toBe(`so far\n\n${errorMessage}`);
    expect(last.usage.input).toBe(7);
  });

  it("MODEL-09 says why no model answered, below what was said before it", async () => {
    const stage = createTurnStage([]);
    stage.parts.model = once({
      content: [{ type: "text", text: "so far" }],
      stopReason: "error",
      errorCode: "exhausted",
      errorMessage: "all tried",
    });
    const { ending, last } = await conclusionOf(stage);
    expect(ending).toEqual({ type: "model-failed", reason: "all tried" });
    expect(textOf(last)).toBe("so far\n\nfailed: all tried");
  });

  it.each([
    ["half a thou", "half a thou\n\ncut off"],
    ["", "cut off"],
  ])("keeps an answer that was cut off (%j), and says so", async (text, shown) => {
    const stage = createTurnStage([]);
    stage.parts.model = once({ content: text ? [{ type: "text", text }] : [], stopReason: "length" });
    const { ending, last } = await conclusionOf(stage);
    expect(ending).toEqual({ type: "cut" });
    expect(textOf(last)).toBe(shown);
  });
});

describe("calls and their results", () => {
  it("LOOP-07 runs no tool after an abort, and keeps what the aborted answer used", async () => {
    const ran: string[] = [];
    const stop = new AbortController();
    const stage = createTurnStage([], async ({ name }) => {
      ran.push(name);
      return toolFailure("execution_error", "not reached");
    });
    const usage = { ...noUsage(), input: 12, total: 12, estimated: true };
    const call = { type: "toolCall" as const, id: "c", name: "send", arguments: {} };
    stage.parts.model = {
      ...once({}),
      async *stream(request) {
        yield { type: "text-delta", text: "I will" };
        stop.abort(new TurnStop("stop"));
        const content = [{ type: "text" as const, text: "I will" }, call];
        yield* once({ content, stopReason: "toolUse", usage }).stream(request);
      },
    };
    const conclusion = await stage.run([asked], stop.signal);
    expect(conclusion).toMatchObject({ ending: { type: "aborted", by: "stop" }, last: { usage } });
    expect(conclusion.type === "ended" && textOf(conclusion.last)).toBe("I will\n\nstopped");
    expect(ran).toEqual([]);
    expect(stage.said).toEqual([]);
  });

  it("LOOP-04 stores each result of calls side by side as it comes, not when all have come", async () => {
    const slow = Promise.withResolvers<void>();
    const stage = createTurnStage(
      [{ calls: [{ name: "slow" }, { name: "quick" }] }, { text: "done" }],
      async ({ name }) => {
        if (name === "slow") await slow.promise;
        return { ok: true, content: [{ type: "text", text: name }], usage: { durationMs: 0 } };
      },
    );
    const running = stage.run([asked]);
    const results = () => stage.said.filter((message) => message.role === "toolResult");
    while (results().length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(results().map(textOf)).toEqual(["quick"]);
    slow.resolve();
    await running;
    expect(results().map(textOf)).toEqual(["quick", "slow"]);
  });
});
