import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutAfter, cutBefore, firstPart, lastPart } from "./cut-text.ts";

const family = "👨‍👩‍👧";
const pieces = fc.constantFrom("a", "\n", "\r\n", "你", "好", "e\u0301", "🇨🇳", family, "👍🏽", "한", "각", " ");
const texts = fc.array(pieces, { maxLength: 60 }).map((all) => all.join(""));

const placesIn = (text: string) =>
  new Set([
    ...Array.from(new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text), (s) => s.index),
    text.length,
  ]);

describe("cutting a text", () => {
  it("never cuts through a character, and stays as near to the limit as can be", () => {
    fc.assert(
      fc.property(texts, fc.nat(200), (text, at) => {
        const places = [...placesIn(text)];
        expect(cutBefore(text, at)).toBe(Math.max(...places.filter((place) => place <= at)));
        expect(cutAfter(text, at)).toBe(Math.min(...places.filter((place) => place >= at), text.length));
      }),
    );
  });

  it("gives a beginning and an end of at most the length that was asked for", () => {
    fc.assert(
      fc.property(texts, fc.nat(200), (text, maxChars) => {
        const [first, last] = [firstPart(text, maxChars), lastPart(text, maxChars)];
        expect(text.startsWith(first) && text.endsWith(last)).toBe(true);
        expect(Math.max(first.length, last.length)).toBeLessThanOrEqual(maxChars);
        expect(text.length > maxChars || (first === text && last === text)).toBe(true);
      }),
    );
  });

  it("keeps a family of emoji whole or leaves it out", () => {
    expect(firstPart(`你${family}好`, 5)).toBe("你");
    expect(lastPart(`你${family}好`, 5)).toBe("好");
  });

  it("finds its way in the middle of a long text", () => {
    const text = `${"你好".repeat(5000)}${family}${"好".repeat(5000)}`;
    expect(cutBefore(text, 10_003)).toBe(10_000);
    expect(cutAfter(text, 10_003)).toBe(10_000 + family.length);
  });

  it("cuts marks that are heaped on one letter without end, but no pair", () => {
    const heap = `a${"\u{1D165}".repeat(500)}`;
    expect(firstPart(heap, 400).length).toBe(399);
    expect(firstPart(heap, 400).isWellFormed()).toBe(true);
    expect(lastPart(heap, 399).isWellFormed()).toBe(true);
  });

  it("lets an end begin with a line where little is lost by it", () => {
    expect(lastPart("one\ntwo\nthree", 7)).toBe("three");
    expect(lastPart("one\ntwo\nthree", 9)).toBe("two\nthree");
    expect(lastPart("a long line\nx", 10)).toBe("long line\nx".slice(-10));
  });
});
