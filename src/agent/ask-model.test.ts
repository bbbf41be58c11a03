import {
  PincerError,
  noUsage,
  textOf,
  type AssistantMessage,
  type Model,
  type ModelEvent,
} from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { askModel } from "./ask-model.ts";

const ended = (text: string, more: Partial<AssistantMessage> = {}): ModelEvent => ({
  type: "end",
  message: {
    role: "assistant",
    content: text === "" ? [] : [{ type: "text", text }],
    provider: "p",
    model: "m",
    usage: noUsage(),
    stopReason: "stop",
    ...more,
  },
});

function ask(stream: Model["stream"], signal = new AbortController().signal) {
  const clock = createHandClock();
  const seen: ModelEvent[] = [];
  const answer = askModel(
    { provider: "p", id: "m", stream },
    { systemPrompt: "", messages: [], tools: [], signal, clock, onEvent: (event) => seen.push(event) },
  );
  return { clock, seen, answer };
}

it("STREAM-09 discards the text before the answer started over, and tells the watcher", async () => {
  const { answer, seen } = ask(async function* () {
    yield { type: "text-delta", text: "first try" };
    yield { type: "start-over", reason: "the connection broke" };
    yield { type: "text-delta", text: "second" };
  });
  expect(textOf(await answer)).toBe("second");
  expect(seen.map(({ type }) => type)).toEqual(["text-delta", "start-over", "text-delta"]);
});

it("LOOP-07 keeps what an aborted answer has said and used, and hears nothing more of it", async () => {
  const stop = new AbortController();
  const usage = { ...noUsage(), input: 40, output: 3, total: 43, cost: 0.1, estimated: true };
  const { answer, seen } = ask(async function* () {
    yield { type: "text-delta", text: "once upon" };
    stop.abort();
    yield { type: "text-delta", text: " a time" };
    await new Promise((resolve) => setTimeout(resolve, 5));
    yield ended("once upon", { stopReason: "aborted", usage });
  }, stop.signal);
  expect(await answer).toMatchObject({
    stopReason: "aborted",
    usage,
    content: [{ type: "text", text: "once upon" }],
  });
  expect(seen.map(({ type }) => type)).toEqual(["text-delta", "end"]);
});

it("LOOP-07 keeps the words also where the last event of an aborted answer has none", async () => {
  const stop = new AbortController();
  const { answer } = ask(async function* () {
    yield { type: "text-delta", text: "once upon" };
    stop.abort();
    yield ended("", { stopReason: "aborted" });
  }, stop.signal);
  expect(textOf(await answer)).toBe("once upon");
});

it("LOOP-07 leaves a model behind that does not heed the signal", async () => {
  const stop = new AbortController();
  const closed = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const { answer, clock, seen } = ask(async function* () {
    try {
      yield { type: "text-delta", text: "deaf" };
      stop.abort();
      await goOn.promise;
      yield ended("much too late");
      yield { type: "text-delta", text: "later still" };
    } finally {
      closed.resolve();
    }
  }, stop.signal);
  while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(150);
  expect(await answer).toMatchObject({ stopReason: "aborted", content: [{ text: "deaf" }] });
  goOn.resolve();
  await closed.promise;
  expect(seen.map(({ type }) => type)).toEqual(["text-delta"]);
});

it("takes a stream that throws after an abort for aborted, and any other for failed", async () => {
  const stop = new AbortController();
  const aborted = ask(async function* () {
    yield { type: "text-delta", text: "one" };
    stop.abort();
    throw new Error("aborted");
  }, stop.signal);
  expect(await aborted.answer).toMatchObject({ stopReason: "aborted", content: [{ text: "one" }] });
  const broken = ask(async function* () {
    yield { type: "text-delta", text: "one" };
    throw new Error("reset");
  });
  expect(await broken.answer).toMatchObject({ stopReason: "error", errorMessage: "reset" });
});

it("leaves nothing behind, neither on the clock nor on the signal, however the answer ends", async () => {
  const answers: Array<(stop: AbortController) => ReturnType<Model["stream"]>> = [
    async function* () {
      yield ended("fine");
    },
    async function* () {
      yield { type: "text-delta", text: "so" };
      throw new PincerError("storage/full", "no room");
    },
    async function* (stop) {
      stop.abort();
      yield ended("", { stopReason: "aborted" });
    },
    async function* (stop) {
      yield { type: "text-delta", text: "so" };
      stop.abort();
      throw new Error("aborted");
    },
  ];
  for (const answerOf of answers) {
    const stop = new AbortController();
    const { answer, clock } = ask(() => answerOf(stop), stop.signal);
    await Promise.allSettled([answer]);
    expect(clock.sleeping()).toBe(0);
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  }
});

it("lets go on what concerns the storage or a model that cannot be had; anything else is a failed answer", async () => {
  const throwing = (error: unknown) =>
    ask(() => {
      throw error;
    }).answer;
  await expect(throwing(new PincerError("storage/full", "no room"))).rejects.toMatchObject({
    code: "storage/full",
  });
  expect(await throwing(new Error("oops"))).toMatchObject({ stopReason: "error", errorMessage: "oops" });
  expect((await throwing(new PincerError("internal/bug", "oops"))).stopReason).toBe("error");
});
