import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../infra/redactor.ts";
import { createSay } from "../infra/texts.ts";
import { createLiveAnswer, type LiveAnswerSettings } from "./live-answer.ts";
import { createFakeTerminal } from "./testing/fake-terminal.ts";

const call = { type: "toolCall" as const, id: "c1", name: "time\u001B[2J", arguments: {} };

function setUp(settings: Partial<LiveAnswerSettings> = {}, errIsTerminal = true) {
  const terminal = createFakeTerminal({ outIsTerminal: true, errIsTerminal });
  const redactor = createRedactor();
  // As the context's own terminal does.
  const guarded = { ...terminal, out: (text: string) => terminal.out(redactor.text(text)) };
  const clock = createHandClock();
  const parts = { terminal: guarded, say: createSay("en"), redactor };
  const live = createLiveAnswer(parts, { streams: true, tellsTools: true, ...settings }, clock);
  const words = (...texts: string[]) => {
    for (const text of texts) live.onEvent({ type: "text-delta", text });
  };
  return { live, words, clock, redactor, out: terminal.written, err: terminal.said };
}

describe("an answer at a terminal", () => {
  it("shows words as they arrive, Chinese and wide characters too, and each once", () => {
    const { live, words, out } = setUp();
    words("Hello ", "wor");
    expect(out()).toBe("Hello ");
    words("ld, 你", "好，", "🦀");
    expect(out()).toBe("Hello world, 你好，🦀");
    live.end({ result: "Hello world, 你好，🦀" }, "by-outcome");
    expect(out()).toBe("Hello world, 你好，🦀\n");
  });

  it("lets no control sequence through, also when it comes in pieces", () => {
    const { words, out } = setUp();
    words("a \u001B", "]0;owned", "\u0007 b\u009B", "2J ");
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect(out()).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
    expect(out()).toBe("a ␛]0;owned␇ b\uFFFD2J ");
  });

  it("takes a secret out that comes in pieces, and does not take the answer for another one then", () => {
    const { live, words, out, redactor } = setUp();
    redactor.add("key", "sk-12345678");
    words("It is sk-12", "345678", " now");
    live.end({ result: "It is [secret:key] now" }, "by-outcome");
    expect(out()).toBe("It is [secret:key] now\n");
  });

  it("adds what is missing at the end: a postscript, or a failure on stderr", () => {
    const cut = setUp();
    cut.words("I begin ");
    cut.live.end({ result: "I begin\n\nIt was cut off." }, "by-outcome");
    expect(cut.out()).toBe("I begin \n\nIt was cut off.\n");

    const failed = setUp();
    failed.words("I begin ");
    failed.live.end({ result: "I begin\n\nStopped.", error: {} }, "by-outcome");
    expect(failed.out()).toBe("I begin \n");
    expect(failed.err()).toBe("Stopped.\n");

    const silent = setUp();
    silent.live.end({ result: "No model.", error: {} }, "by-outcome");
    expect([silent.out(), silent.err()]).toEqual(["", "No model.\n"]);

    const chat = setUp();
    chat.live.end({ result: "No model.", error: {} }, "stdout");
    expect(chat.out()).toBe("No model.\n");
  });

  it("says so when the answer starts again, and shows the new words", () => {
    const { live, words, out, err } = setUp();
    words("I begin ");
    live.onEvent({ type: "start-over", reason: "reset" });
    words("All of it.");
    live.end({ result: "All of it." }, "by-outcome");
    expect(out()).toBe("I begin \nAll of it.\n");
    expect(err()).toContain("starts again");
  });

  it("begins a new line for what comes after a tool call, and takes only that for the answer", () => {
    const { live, words, out, err } = setUp();
    words("Let me look.");
    live.onEvent({ type: "tool-call-start", call });
    words("It is noon.");
    live.end({ result: "It is noon." }, "by-outcome");
    expect(out()).toBe("Let me look.\nIt is noon.\n");
    expect(err()).toContain("  · time␛[2J\n");
  });

  it("writes the whole answer when what was shown is not its beginning", () => {
    const { live, words, out } = setUp();
    words("in the middle");
    live.end({ result: "From the start to in the middle" }, "by-outcome");
    expect(out()).toBe("in the middle\nFrom the start to in the middle\n");
  });

  it("shows thoughts dimmed on stderr, apart from the answer, and only to somebody who looks", () => {
    const { live, words, out, err } = setUp();
    live.onEvent({ type: "thinking-delta", text: "hm \u001B[2J " });
    words("Yes.");
    live.end({ result: "Yes." }, "by-outcome");
    expect(err()).toBe("\u001B[2mhm ␛[2J \u001B[22m\n");
    expect(out()).toBe("Yes.\n");
    const alone = setUp({}, false);
    alone.live.onEvent({ type: "thinking-delta", text: "hm " });
    expect(alone.err()).toBe("");
  });

  it("gives a sign of life while nothing comes, never in the middle of a line, and takes it away", async () => {
    const { live, words, clock, err } = setUp();
    await clock.advance(1000);
    expect(err()).toBe("");
    await clock.advance(1000);
    await clock.advance(1000);
    expect(err()).toContain("working… 3 s");
    words("Hello ");
    expect(err().endsWith("\r\u001B[K")).toBe(true);
    const before = err();
    for (let count = 0; count < 5; count++) await clock.advance(1000);
    expect(err()).toBe(before);
    live.end({ result: "Hello" }, "by-outcome");
    for (let count = 0; count < 5; count++) await clock.advance(1000);
    expect(err()).toBe(before);
  });

  it("writes once, at the end, where the words do not go to a terminal", () => {
    const { live, words, out, err } = setUp({ streams: false });
    words("Hello ", "world.");
    live.onEvent({ type: "tool-call-start", call });
    expect(out()).toBe("");
    live.end({ result: "Hello world." }, "by-outcome");
    expect(out()).toBe("Hello world.\n");
    expect(err()).toBe("  · time␛[2J\n");
  });
});
