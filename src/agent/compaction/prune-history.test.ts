import type { MessageEntry } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxHistoryShare, pruneHistory } from "./prune-history.ts";
import { splitByShare, sumOf } from "./split-by-share.ts";
import { conversations, entriesOf, quarterOfChars, user } from "./testing/conversation.ts";

const tokensOf = ({ message }: MessageEntry) => quarterOfChars(message);
const share = maxHistoryShare;

describe("history that is too much", () => {
  it("COMP-12 drops the oldest half until the rest is within half of the window", () => {
    const said = entriesOf(Array.from({ length: 8 }, () => user("x".repeat(400))));
    const { kept, dropped } = pruneHistory(said, { mostTokens: 500 * share, tokensOf });
    expect(dropped.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(kept.map(({ seq }) => seq)).toEqual([8, 9]);
  });

  it("COMP-12 drops nothing that is within it", () => {
    const said = entriesOf([user("x".repeat(400)), user("x".repeat(400))]);
    expect(pruneHistory(said, { mostTokens: 400 * share, tokensOf })).toEqual({ kept: said, dropped: [] });
  });

  it("COMP-12 keeps what cannot be parted, however large it is", () => {
    const said = entriesOf([user("small"), user("x".repeat(4000))]);
    const { kept } = pruneHistory(said, { mostTokens: 400 * share, tokensOf });
    expect(kept.map(({ seq }) => seq)).toEqual([3]);
  });

  it("COMP-12 drops a beginning, and no more halves than it must", () => {
    fc.assert(
      fc.property(conversations, fc.integer({ min: 1, max: 3000 }), (said, contextWindow) => {
        const { kept, dropped } = pruneHistory(said, { mostTokens: contextWindow * share, tokensOf });
        expect([...dropped, ...kept]).toEqual(said);
        const fits = sumOf(kept, tokensOf) <= contextWindow * share;
        expect(fits || splitByShare(kept, { parts: 2, tokensOf }).length === 1).toBe(true);
      }),
    );
  });
});
