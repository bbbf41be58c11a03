import type { Message } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { contextUsed, isKnownToFit } from "./context-used.ts";
import { showEntries } from "./shown-entries.ts";
import { answer, entriesOf, settings, user } from "./testing/session-said.ts";

const reported = { input: 100, cacheRead: 3000, cacheWrite: 200, output: 50 };
const after = user("and then?");
const show = (...messages: Message[]) => showEntries(entriesOf(messages), [], settings());

describe("how full the window is", () => {
  it("is what the provider counted last, and our count of what came after", () => {
    const shown = show(user("hi"), answer("a", reported), after);
    expect(contextUsed({ shown, markSeq: undefined, estimate: 20 })).toBe(3350 + (shown[2]?.tokens ?? 0));
  });

  it("is never less than our count of the whole request", () => {
    const shown = show(user("hi"), answer("a", reported), after);
    expect(contextUsed({ shown, markSeq: undefined, estimate: 9000 })).toBe(9000);
  });

  it("is not what was counted before the last summary: that was another request", () => {
    const shown = show(user("hi"), answer("a", reported), after);
    expect(contextUsed({ shown, markSeq: 3, estimate: 20 })).toBe(20);
    expect(contextUsed({ shown, markSeq: 2, estimate: 20 })).toBeGreaterThan(3350);
  });

  it("does not believe what was only estimated, nor an answer that broke off", () => {
    const shown = show(answer("a", reported), answer("b", { input: 70_000, estimated: true }), {
      ...answer("c", { input: 80_000 }),
      stopReason: "error",
    });
    const used = contextUsed({ shown, markSeq: undefined, estimate: 20 });
    expect(used).toBeGreaterThan(3350);
    expect(used).toBeLessThan(3400);
  });
});

describe("a request that the provider has counted", () => {
  const said = (characters: number, input: number) => [user("x".repeat(characters)), answer("a", { input })];
  const isKnown = (messages: Message[], markSeq?: number) =>
    isKnownToFit({ shown: show(...messages, after), markSeq, server: 0, space: 1500, limit: 2000 });

  it("is known to fit where that count says so, even if ours alone does not", () => {
    // By our own count 1,000 tokens and then 1,600.
    expect(isKnown([...said(4000, 800), ...said(2400, 1400)])).toBe(true);
    expect(isKnown([...said(4000, 800), ...said(2400, 1990)])).toBe(false);
  });

  it("is not judged by the count of one that may have been shortened, or of another one", () => {
    expect(isKnown([...said(4000, 1300), ...said(2400, 1400)])).toBe(false);
    expect(isKnown(said(8000, 700))).toBe(false);
    expect(isKnown([...said(4000, 800), ...said(2400, 1400)], 99)).toBe(false);
    expect(isKnown([user("hi")])).toBe(false);
  });
});
