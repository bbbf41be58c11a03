import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";
import { headAndTail, shortenText, shortenToTokens, withCommas } from "./head-and-tail.ts";

const mark = (count: number, total: number) => `[${count} of ${total}]`;
const anyText = fc
  .array(fc.constantFrom("a", "\n", "\r\n", "好", "👨‍👩‍👧", "é", "🇨🇳", "word "), { maxLength: 400 })
  .map((pieces) => pieces.join(""));

describe("head and tail of a text", () => {
  it("are the text itself where it is short", () => {
    expect(headAndTail("short", { head: 3, tail: 2 }, mark)).toBe("short");
  });

  it("end and begin with whole lines where one is near", () => {
    const text = `${"a".repeat(90)}\n${"b".repeat(500)}\n${"c".repeat(45)}`;
    const shown = headAndTail(text, { head: 100, tail: 50 }, mark);
    expect(shown).toBe(`${"a".repeat(90)}\n[502 of 637]\n${"c".repeat(45)}`);
  });

  it("never cut through a character as people see it", () => {
    const family = "👨‍👩‍👧";
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }), (head, tail) => {
        const seen = headAndTail(family.repeat(200), { head, tail }, () => "|");
        expect(seen.replaceAll(family, "").replaceAll("\n", "")).toBe("|");
        expect(seen.length).toBeLessThanOrEqual(head + tail + 3);
      }),
    );
  });

  it("say truly how much is missing", () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), fc.nat(60), (text, head, tail) => {
        let missing = 0;
        const shown = headAndTail(text, { head, tail }, (count) => {
          missing = count;
          return "";
        });
        const joined = shown.length;
        expect(Math.abs(joined + missing - text.length)).toBeLessThanOrEqual(1);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });

  it("keep to a number of characters and to a number of tokens", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 90, max: 500 }), (text, limit) => {
        expect(shortenText(text, limit, mark).length).toBeLessThanOrEqual(limit);
        const few = shortenToTokens(text, limit / 8, mark);
        expect(estimateTokens(few)).toBeLessThanOrEqual(limit / 8);
        expect(few === "").toBe(text === "");
      }),
    );
  });

  it("write large numbers as people read them", () => {
    expect([0, 999, 1000, 48_213, 1_234_567].map(withCommas)).toEqual([
      "0",
      "999",
      "1,000",
      "48,213",
      "1,234,567",
    ]);
  });
});
