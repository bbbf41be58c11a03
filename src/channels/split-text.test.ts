import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitText } from "./split-text.ts";

/** Whether the parts, with white space put back between them, are the text. */
function isSplitOf(text: string, parts: string[]): boolean {
  let at = 0;
  for (const part of parts) {
    // The gap before a part is white space; the part begins at the first place where it fits.
    let start = at;
    while (!text.startsWith(part, start)) {
      if (start >= text.length || text[start]?.trim() !== "") return false;
      start += 1;
    }
    at = start + part.length;
  }
  return text.slice(at).trim() === "";
}

const graphemeStarts = (text: string) =>
  new Set(
    Array.from(new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text), (s) => s.index),
  );

const sample = fc.constantFrom(
  ..."a b c . ! ? , \n \n\n \t   é e\u0301 中 文 。 ！ 😀 👨‍👩‍👧‍👦 🇩🇪 🇫🇷 👍🏽 word sentence. \r\n ़ \u200d".split(" "),
  " ",
);
const prose = fc.array(sample, { maxLength: 300 }).map((pieces) => pieces.join(""));

describe("splitText", () => {
  it("CHAN-25 leaves a text that fits as it is, and makes nothing of a blank one", () => {
    expect(splitText(" hello\n", 10)).toEqual([" hello\n"]);
    expect(splitText(" \n ", 10)).toEqual([]);
    expect(splitText("", 10)).toEqual([]);
  });

  it("CHAN-25 cuts at paragraphs, then lines, then sentences, then spaces", () => {
    expect(splitText("one two\n\nthree four five", 16)).toEqual(["one two", "three four five"]);
    expect(splitText("one two three\nfour five six", 20)).toEqual(["one two three", "four five six"]);
    expect(splitText("It is so, yes. And that is all", 20)).toEqual(["It is so, yes.", "And that is all"]);
    expect(splitText("这是第一句话。这是第二句话。", 10)).toEqual(["这是第一句话。", "这是第二句话。"]);
    expect(splitText("alpha beta gamma", 11)).toEqual(["alpha beta", "gamma"]);
    expect(splitText("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  });

  it("CHAN-25 keeps what people see as one character whole", () => {
    expect(splitText("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 12)).toEqual(["👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"]);
    expect(splitText("e\u0301e\u0301e\u0301", 3)).toEqual(["e\u0301", "e\u0301", "e\u0301"]);
    expect(splitText(`a${"\u0301".repeat(9)}`, 5).join("")).toBe(`a${"\u0301".repeat(9)}`);
  });

  it("CHAN-25 loses nothing but white space at the cuts, whatever the text", () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 2, max: 60 }), (text, limit) => {
        const parts = splitText(text, limit);
        expect(isSplitOf(text, parts)).toBe(true);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(limit);
          expect(part.trim()).not.toBe("");
        }
      }),
      { numRuns: 500 },
    );
  });

  it("CHAN-25 cuts between characters wherever each of them fits", () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 24, max: 60 }), (text, limit) => {
        const starts = graphemeStarts(text);
        const longest = Math.max(
          0,
          ...[...starts, text.length].map((at, index, all) => at - (all[index - 1] ?? 0)),
        );
        fc.pre(longest <= limit);
        let at = 0;
        for (const part of splitText(text, limit)) {
          at = text.indexOf(part, at);
          expect(starts.has(at)).toBe(true);
          at += part.length;
          expect(at === text.length || starts.has(at)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("CHAN-25 closes a code block in one part and opens it again in the next", () => {
    const code = Array.from({ length: 12 }, (_, index) => `  line ${index}`);
    const parts = splitText(["Look:", "```ts", ...code, "```", "Done."].join("\n"), 80);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts[0]).toMatch(/^Look:\n```ts\n[^]*\n```$/);
    expect(parts.at(-1)).toMatch(/^```ts\n[^]*\n```\nDone\.$/);
    const lines = parts.flatMap((part) => part.split("\n")).filter((line) => line.startsWith("  line"));
    expect(lines).toEqual(code);
  });

  it("CHAN-25 makes no empty block where a part ends at a fence", () => {
    const before = "x".repeat(60);
    expect(splitText(`${before}\n\`\`\`js\nlet a = 1;\n\`\`\``, 70)).toEqual([
      before,
      "```js\nlet a = 1;\n```",
    ]);
    const parts = splitText(`\`\`\`js\n${"y".repeat(60)}\n\`\`\`\nThe end of it all.`, 71);
    expect(parts).toEqual([`\`\`\`js\n${"y".repeat(60)}\n\`\`\``, "The end of it all."]);
  });

  it("CHAN-25 keeps every line of code and the balance of fences, whatever their size", () => {
    const line = fc.stringMatching(/^[a-z (){};=]{0,30}$/).map((text) => `|${text}`);
    const block = fc.tuple(
      fc.constantFrom("```", "```ts", "~~~", "````md"),
      fc.array(line, { maxLength: 12 }),
    );
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 64, max: 120 }),
        (blocks, limit) => {
          const text = blocks
            .map(([opener, lines]) =>
              [opener, ...lines, opener.replaceAll(/[a-z]/g, ""), "between"].join("\n"),
            )
            .join("\n");
          const parts = splitText(text, limit);
          const shown: string[] = [];
          for (const part of parts) {
            expect(part.length).toBeLessThanOrEqual(limit);
            const all = part.split("\n");
            expect(all.filter((each) => /^(```|~~~)/.test(each)).length % 2).toBe(0);
            shown.push(...all.filter((each) => each.startsWith("|")));
          }
          expect(shown).toEqual(blocks.flatMap(([, lines]) => lines));
        },
      ),
      { numRuns: 300 },
    );
  });
});
