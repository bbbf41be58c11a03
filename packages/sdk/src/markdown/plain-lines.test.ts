import * as fc from "fast-check";
import { parseMarkdown, visibleText } from "./index.ts";
import { describe, expect, it } from "vitest";
import { plainLines } from "./plain-lines.ts";

const usual = { bytes: 400, most: 20 };
const marks = { strong: "\x02", emphasis: "\x1d", delete: "\x1e", code: "\x11" };

describe("an answer as lines, each a message of its own", () => {
  it("CHAN-25 reads without marks, each line one of its own, none blank", () => {
    const text = "# News\n\nAll **good**, see [here](http://x.y).\n\n- one\n- two\n\n```sh\nls\n\n  cd\n```";
    expect(plainLines(text, usual)).toEqual([
      "News",
      "All good, see here (http://x.y).",
      "- one",
      "- two",
      "ls",
      "  cd",
    ]);
  });

  it("shows bold and code where that is wanted, also over the end of a line", () => {
    expect(plainLines("a **b** `c`", { ...usual, marks })).toEqual(["a \x02b\x02 \x11c\x11"]);
    expect(plainLines("**one two three** four", { ...usual, bytes: 14, marks })).toEqual([
      "\x02one two",
      "\x02three\x02",
      "four",
    ]);
  });

  it("puts lines together where there would be too many", () => {
    const text = Array.from({ length: 40 }, (_, line) => `line ${line}  `).join("\n");
    const lines = plainLines(text, { ...usual, bytes: 100 });
    expect(lines.length).toBeLessThan(20);
    expect(lines[0]).toMatch(/^line 0 \/ line 1 \/ /);
  });

  it(
    "keeps every line within its bytes, with nothing in it that ends it or passes for a code",
    { timeout: 30_000 },
    () => {
      const text = fc.array(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 10 }),
          fc.constantFrom(
            "\r\n",
            "\n\n",
            "\0",
            "\x01ACTION x\x01",
            "\x02",
            "\x03",
            "**b** ",
            "`c` ",
            "汉字",
            "👩‍👩‍👧‍👦",
            "\u0085",
            "\u2028",
          ),
        ),
        { maxLength: 40 },
      );
      fc.assert(
        fc.property(text, fc.integer({ min: 40, max: 420 }), fc.boolean(), (pieces, bytes, formatting) => {
          for (const line of plainLines(pieces.join(""), {
            bytes,
            most: 20,
            marks: formatting ? marks : undefined,
          })) {
            expect(Buffer.byteLength(line)).toBeLessThanOrEqual(bytes);
            // oxlint-disable-next-line no-control-regex -- what IRC formats with are control characters
            const bare = formatting ? line.replaceAll(/[\u0002\u0011\u001d\u001e]/g, "") : line;
            expect(bare).not.toMatch(/[\p{Cc}\u2028]/u);
          }
        }),
        { numRuns: 60 },
      );
    },
  );

  it("loses no word", () => {
    const text = fc.stringMatching(/^[a-z0-9中文 ,\n]{0,900}$/);
    fc.assert(
      fc.property(text, fc.integer({ min: 40, max: 420 }), (words, bytes) => {
        const lines = plainLines(words, { bytes, most: 2000 });
        const seen = visibleText(parseMarkdown(words)).replaceAll(/\s+/g, "");
        expect(lines.join("").replaceAll(/\s+/g, "")).toBe(seen);
      }),
    );
  });
});
