import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown, plainText } from "./index.ts";
import { splitLine } from "./split-line.ts";

const plain = (text: string) => plainText(parseMarkdown(text));

describe("Markdown as plain text", () => {
  it("CHAN-25 reads as people type", () => {
    const text = `# Title

Some **bold**, *soft*, ~~gone~~ and \`code\`; [words](http://x.y), <http://bare.z>, ![cat](c.png).

> quoted
> twice

1. one
2. two
   - deeper

- [x] done
- [ ] open

|a|b|
|-|-|
|1|2|

\`\`\`js
if (a) {
  b();
}
\`\`\`
---
A note[^1].

[^1]: the note`;
    expect(plain(text)).toBe(`Title

Some bold, soft, ~~gone~~ and \`code\`; words (http://x.y), http://bare.z, cat (c.png).

> quoted
> twice

1. one
2. two
   - deeper

- [x] done
- [ ] open

a | b
1 | 2

if (a) {
  b();
}

---

A note[1].

[1] the note`);
  });

  it("takes the marks of a network instead", () => {
    const marks = { strong: "B", emphasis: "I", delete: "S", code: "C" };
    expect(plainText(parseMarkdown("**a** _b_ ~~c~~ `d`"), marks)).toBe("BaB IbI ScS CdC");
  });

  it("loses no word, whatever is written", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9中文 ,\n]{0,200}$/), (text) => {
        expect(plain(text).replaceAll(/\s+/g, "")).toBe(text.replaceAll(/\s+/g, ""));
      }),
    );
  });
});

describe("one line in parts", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "word ",
      " ",
      "  ",
      "汉字",
      "👩‍👩‍👧‍👦",
      "e\u0301",
      "a\u0301\u0302\u0303",
      "😀",
      "long".repeat(20),
    ),
    fc.string({ maxLength: 10 }),
  );
  const line = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join("").replaceAll("\n", " "));

  it("CHAN-25 holds no more bytes than it may, and all parts together are the line", () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 4, max: 80 }), (text, bytes) => {
        const parts = splitLine(text, bytes);
        for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(bytes);
        expect(parts.join("").replaceAll(/\s+/g, "")).toBe(text.replaceAll(/\s+/g, ""));
        expect(parts.every((part) => part.trim() !== "")).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("CHAN-25 cuts between words, and never within a character that fits", () => {
    expect(splitLine("one two three four", 10)).toEqual(["one two", "three four"]);
    expect(splitLine("ab👩‍👩‍👧‍👦cd", 26)).toEqual(["ab", "👩‍👩‍👧‍👦c", "d"]);
    expect(splitLine("", 10)).toEqual([]);
    expect(() => splitLine("a", 3)).toThrow("at least 4 bytes");
  });
});
