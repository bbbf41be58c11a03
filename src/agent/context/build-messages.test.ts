import { textOf, wellFormedMessages, type Message, type MessageEntry } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frozen } from "../../infra/frozen.ts";
import { buildMessages, type MessagesRequest } from "./build-messages.ts";
import { conservative } from "./estimate-tokens.ts";
import type { Mark } from "./session-view.ts";
import {
  answer,
  anyTurn,
  anyTurns,
  call,
  entriesOf,
  result,
  settings,
  user,
  viewOf,
} from "./testing/session-said.ts";

const build = (rest: Partial<MessagesRequest> & Pick<MessagesRequest, "turn">) =>
  buildMessages({
    view: viewOf([]),
    settings: settings(),
    fixedTokens: 1000,
    level: "normal",
    digest: (messages) => `${messages.length} earlier ones`,
    hasSessionMemory: false,
    ...rest,
  });
const summary: Mark = {
  type: "compaction",
  summary: "They chose blue.",
  keepFrom: 10,
  seq: 14,
  time: "2026-11-15T12:00:00.000Z",
};
const talk = (count: number, size = 1): Message[] =>
  Array.from({ length: count }, (_, index) =>
    index % 2 ? answer(`a${index} `.repeat(size)) : user(`q${index} `.repeat(size)),
  );
const session = (messages: Message[], from = 2) => {
  const entries = entriesOf(messages, { from });
  return { entries, next: from + messages.length };
};

/** A provider that counts more than we do: all bytes, and three of ten for each token. */
const strictCount = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + strictTokens(message), 0);
function strictTokens(message: Message): number {
  const { length: images } = message.content.filter((block) => block.type === "image");
  const texts = message.content.map((block) => {
    if (block.type === "text") return block.text;
    if (block.type === "thinking") return block.thinking;
    return block.type === "image" ? "" : `${block.id}${block.name}${JSON.stringify(block.arguments)}`;
  });
  const note = message.role === "user" ? (message.note ?? "") : "";
  return Buffer.byteLength(texts.join("") + note) / 3.3 + images * 1200 + 5;
}

describe("the messages of a request", () => {
  it("CTX-11 are what stands for the past, the notice, the history, and the present turn", () => {
    const { entries, next } = session(talk(120), 10);
    const { messages, parts } = build({
      view: viewOf(entries, { mark: summary }),
      turn: entriesOf([user("now?")], { from: next }),
    });
    expect(textOf(messages[0] as Message)).toContain("They chose blue.");
    expect(textOf(messages[1] as Message)).toMatch(/before entry #\d+[^]*40 earlier ones/);
    expect(messages.at(-1)).toMatchObject({ content: [{ text: "now?" }] });
    expect(messages.length).toBeGreaterThan(25);
    expect(parts.map(({ name }) => name)).toEqual(["summary", "cut", "history", "turn"]);
    expect(parts[0]).toMatchObject({ from: 2, to: 9 });
  });

  it("carry the time above what people said, and above nothing else", () => {
    const { entries, next } = session(talk(2));
    const { messages } = build({
      view: viewOf(entries, { mark: { ...summary, keepFrom: 2 } }),
      turn: entriesOf([user("now?")], { from: next }),
    });
    const notes = messages.map((message) => (message.role === "user" ? message.note : undefined));
    expect(notes).toEqual([undefined, "[Sun 2026-11-15 12:00 GMT]", undefined, "[Sun 2026-11-15 12:00 GMT]"]);
  });

  it("keep the question of a turn whose beginning was summed up", () => {
    const steps = Array.from({ length: 4 }, (_, index) => [
      call(`c${index}`),
      result(`c${index}`, "x"),
    ]).flat();
    const turn = entriesOf([user("old words"), user("do it"), ...steps], { from: 5 });
    const { messages } = build({ view: viewOf([], { mark: { ...summary, keepFrom: 11 } }), turn });
    expect(messages.map(({ role }) => role).join()).toBe(
      "user,user,assistant,toolResult,assistant,toolResult",
    );
    expect(textOf(messages[1] as Message)).toBe("do it");
  });

  it("CFG-06 always hold the question of the present turn, however many steps it has taken", () => {
    const steps = Array.from({ length: 60 }, (_, index) => [
      call(`${index}`),
      result(`${index}`, "x"),
    ]).flat();
    const { messages } = build({ turn: entriesOf([user("now?"), ...steps]) });
    expect(messages[0]).toMatchObject({ content: [{ text: "now?" }] });
    expect(messages).toHaveLength(121);
  });

  it("show long results by head and tail, those of some tools longer", () => {
    const turn = entriesOf([user("look"), call("c"), result("c", "x".repeat(30_000))]);
    const sizeWith = (resultCharsByTool: Record<string, number>) =>
      textOf(build({ turn, settings: settings({ resultCharsByTool }) }).messages[2] as Message).length;
    expect(sizeWith({})).toBeLessThanOrEqual(10_000);
    expect(sizeWith({ look: 50_000 })).toBe(30_000);
  });

  it("SESS-15 give every call a result", () => {
    const turn = entriesOf([user("look"), call("c"), user("well?")]);
    const { messages } = build({ turn });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult", "user"]);
    expect(wellFormedMessages(messages).repairs).toEqual([]);
  });

  it("keep the handle of a result whose call had to be renamed", () => {
    const exchange = () => [call("same"), result("same", "x".repeat(20_000))];
    const { messages } = build({ turn: entriesOf([user("look"), ...exchange(), ...exchange()]) });
    expect(messages.flatMap((each) => (each.role === "toolResult" ? [each.toolCallId] : []))).toEqual([
      "same",
      "same-2",
    ]);
    expect(textOf(messages[2] as Message)).toContain("the whole is r4:");
    expect(textOf(messages[4] as Message)).toContain("the whole is r6:");
  });

  it("are the same bytes for the same entries, and only grow at their end as the session goes on", () => {
    const all = entriesOf(talk(300));
    let before: string[] = [];
    let kept = 0;
    for (let end = 2; end < all.length; end += 2) {
      const view = viewOf(all.slice(0, end));
      const turn = all.slice(end, end + 1);
      const texts = build({ view, turn }).messages.map((message) => JSON.stringify(message));
      expect(
        build({ view: structuredClone(view), turn }).messages.map((message) => JSON.stringify(message)),
      ).toEqual(texts);
      if (before.every((text, index) => texts[index] === text)) kept++;
      before = texts;
    }
    // A jump each half window.
    expect(kept).toBeGreaterThan(149 - 14);
  });

  it("only grow at their end as the turn goes on, whatever was said", () => {
    const limits = { contextWindow: 50_000_000, maxTokens: 8000 };
    fc.assert(
      fc.property(anyTurns(5), anyTurn, fc.nat(40), (history, said, at) => {
        const { entries, next } = session(history);
        const turn = entriesOf(said, { from: next });
        const isSettled = ({ message }: MessageEntry, index: number) =>
          message.role !== "assistant" && turn[index + 1]?.message.role !== "toolResult";
        const ends = turn.flatMap((entry, index) => (isSettled(entry, index) ? [index + 1] : []));
        const shown = (end: number) =>
          build({ view: viewOf(entries), turn: turn.slice(0, end), settings: settings({ limits }) }).messages;
        const short = shown(ends[at % ends.length] ?? 1);
        expect(shown(turn.length).slice(0, short.length)).toEqual(short);
      }),
    );
  });

  it("are the same of what cannot change, however it was shown before", () => {
    const looks = fc.record({
      timezone: fc.constantFrom("UTC", "Asia/Shanghai"),
      resultChars: fc.constantFrom(20, 2000),
      resultCharsByTool: fc.constantFrom(undefined, { read: 10 }, { read: 1000 }),
    });
    fc.assert(
      fc.property(
        anyTurns(5),
        anyTurn,
        fc.array(looks, { minLength: 1, maxLength: 4 }),
        (history, said, all) => {
          const { entries, next } = session(history);
          const kept = frozen(structuredClone(entries));
          const turn = entriesOf(said, { from: next });
          for (const look of all) {
            const shown = (each: typeof entries) =>
              build({ view: viewOf(each), turn, settings: settings({ ...look }) });
            expect(shown(kept)).toEqual(shown(structuredClone(entries)));
          }
        },
      ),
    );
  });

  it("say how full the window is, also where the request had to be made smaller", () => {
    const { entries, next } = session(talk(40, 300));
    const turn = entriesOf([user("now?")], { from: next });
    const limits = { contextWindow: 8000, maxTokens: 1000 };
    const small = build({ view: viewOf(entries), turn, settings: settings({ limits }) });
    const large = build({ view: viewOf(entries), turn });
    expect(small.used).toBe(large.used);
    expect(small.used).toBeGreaterThan(8000);
    expect(small.tokens).toBeLessThan(8000);
    expect(large.used).toBe(large.tokens + 1000);
    const reported = build({ view: viewOf(entriesOf([user("hi"), answer("a", { input: 50_000 })])), turn });
    expect(reported.used).toBeGreaterThan(50_000);
  });
});

describe("a request that would not fit", () => {
  const limits = { contextWindow: 16_000, maxTokens: 2000 };
  const exchange = (id: string, size: number) => [call(id), result(id, "r".repeat(size))];
  const fit = (history: Message[], turn: Message[], rest: Partial<MessagesRequest> = {}) => {
    const { entries, next } = session(history);
    return build({
      view: viewOf(entries),
      turn: entriesOf(turn, { from: next }),
      settings: settings({ limits, pruning: { ...settings().pruning, mode: "off" } }),
      ...rest,
    });
  };
  const resultSizes = (messages: Message[]) =>
    messages.filter(({ role }) => role === "toolResult").map((message) => textOf(message).length);

  it("first trims old results, then removes them", () => {
    const history = (count: number) =>
      Array.from({ length: count }, (_, index) => [
        user("q"),
        ...exchange(`c${index}`, 9000),
        answer("a"),
      ]).flat();
    const trimmed = fit(history(5), [user("now?")]);
    expect(new Set(resultSizes(trimmed.messages).map((size) => Math.round(size / 100)))).toEqual(
      new Set([31]),
    );
    const removed = fit(history(12), [user("now?")], { fixedTokens: 7000 });
    expect(resultSizes(removed.messages).every((size) => size < 80)).toBe(true);
    expect(removed.messages).toHaveLength(49);
    expect(removed.parts.find(({ why }) => why === "view.shortened")?.count).toBe(12);
  });

  it("then shortens those of the present turn, but not what the model has not seen yet", () => {
    const steps = Array.from({ length: 7 }, (_, index) => exchange(`c${index}`, 9000)).flat();
    const sizes = resultSizes(fit([], [user("now?"), ...steps]).messages);
    expect(sizes.slice(0, -1).every((size) => size <= 2000)).toBe(true);
    expect(sizes.at(-1)).toBe(9000);
  });

  it("then leaves out old turns, says so, and keeps the cut for a while", () => {
    const all = entriesOf(talk(400, 250));
    const begins = Array.from({ length: 150 }, (_, step) => {
      const end = 60 + step * 2;
      const { messages, parts } = build({
        view: viewOf(all.slice(0, end)),
        turn: all.slice(end, end + 1),
        settings: settings({ limits, maxMessages: 500 }),
      });
      return {
        notice: textOf(messages[0] as Message),
        isLeftOut: parts.some(({ name }) => name === "left-out"),
      };
    });
    expect(begins.filter(({ isLeftOut }) => isLeftOut).length).toBeGreaterThan(100);
    expect(begins.find(({ isLeftOut }) => isLeftOut)?.notice).toMatch(
      /before entry #\d+[^]*\d+ earlier ones/,
    );
    const moves = begins.filter(
      ({ notice }, index) => index > 0 && notice !== begins[index - 1]?.notice,
    ).length;
    expect(moves).toBeLessThan(50);
  });

  it("says of the whole how much is missing, however often it was shortened", () => {
    const asked = "word ".repeat(40_000);
    const { messages } = fit([], [user(asked), call("c"), result("c", "r".repeat(60_000))]);
    const marks = messages
      .map(textOf)
      .join("\n")
      .match(/\[… [^\]]*\]/g);
    expect(marks).toEqual([
      expect.stringMatching(/of 200,000 characters of entry #2 left out/),
      expect.stringMatching(/of 60,000 characters left out; the whole is r4: result_read/),
    ]);
  });

  it("is made smaller still where the provider refused it", () => {
    const history = talk(40, 300);
    const normal = fit(history, [user("now?")]);
    const smaller = fit(history, [user("now?")], { level: "smaller" });
    expect(conservative(smaller.tokens + 1000)).toBeLessThanOrEqual(16_000 * 0.6);
    expect(smaller.tokens).toBeLessThan(normal.tokens);
    expect(fit(history, [user("now?")], { level: "smaller" })).toEqual(smaller);
  });

  it("fits every window, whatever was said", () => {
    const windows = fc.constantFrom(4000, 8000, 16_000, 32_000, 128_000, 200_000);
    const sessions = fc.record({
      history: anyTurns(6),
      turn: anyTurn,
      contextWindow: windows,
      maxTokens: fc.constantFrom(1, 1000, 8000, 64_000),
      fixedShare: fc.double({ min: 0, max: 0.5, noNaN: true }),
      level: fc.constantFrom("normal", "smaller"),
      mark: fc.constantFrom(undefined, "short", "word ".repeat(30_000)),
      words: fc.constantFrom("", "a digest", "好".repeat(5000)),
    });
    fc.assert(
      fc.property(sessions, ({ history, turn, contextWindow, maxTokens, fixedShare, level, mark, words }) => {
        // Prompt and tools leave some room at either level.
        const share = level === "smaller" ? fixedShare / 2 : fixedShare;
        const fixedTokens = Math.floor(contextWindow * share);
        const { entries, next } = session(history);
        const said: MessageEntry[] = entriesOf(turn, { from: next });
        const { messages, tokens } = build({
          view: viewOf(entries, {
            mark: mark === undefined ? undefined : { ...summary, summary: mark, keepFrom: 2, seq: 1 },
          }),
          turn: said,
          settings: settings({ limits: { contextWindow, maxTokens } }),
          fixedTokens,
          level: level as "normal" | "smaller",
          digest: () => words,
        });
        expect(conservative(tokens + fixedTokens)).toBeLessThanOrEqual(contextWindow);
        expect(strictCount(messages) + (fixedTokens * 4) / 3.3).toBeLessThanOrEqual(contextWindow);
        expect(wellFormedMessages(messages).repairs).toEqual([]);
        const question = turn.findLast(({ role }) => role === "user") as Message;
        const begins = textOf(question).slice(0, 8);
        expect(messages.some((each) => each.role === "user" && textOf(each).startsWith(begins))).toBe(true);
      }),
      { numRuns: 300 },
    );
  }, 30_000);
});
