import { parseMarkdown, visibleText, walk } from "@pincer/sdk/markdown";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureBytes, measureUtf16, splitText } from "./split-text.ts";

/** The number of an item is a word for the parser when the part begins within the item before it. */
const seen = (text: string) =>
  visibleText(parseMarkdown(text))
    .replaceAll(/^\d\. /gm, "")
    .replaceAll(/\s+/g, "");

/** What is shown in a way of its own: each with its words. */
function stretches(text: string): string[] {
  const found: string[] = [];
  walk(parseMarkdown(text), (node) => {
    if (
      ["link", "inlineCode", "emphasis", "strong", "delete", "image", "heading", "tableRow"].includes(
        node.type,
      )
    )
      found.push(`${node.type} ${visibleText(node)}`);
  });
  return found;
}

function hasOpenFence(text: string): boolean {
  let isOpen = false;
  walk(parseMarkdown(text), (node) => {
    if (node.type !== "code") return;
    const source = text.slice(node.position?.start.offset, node.position?.end.offset);
    const marks = /^(?:`{3,}|~{3,})/.exec(source)?.[0];
    if (marks !== undefined && !(source.includes("\n") && source.trimEnd().endsWith(marks))) isOpen = true;
  });
  return isOpen;
}

const word = fc.constantFrom(
  ..."word another some, thing. Yes! 中文字符。 你好， (aside) 😀 e\u0301 3.14 x".split(" "),
);
const stretch = fc.constantFrom(
  "[a link of words](https://example.org/a_b?c=d)",
  "`code with spaces`",
  "**strong words here**",
  "*leaning words*",
  "~~gone words~~",
  "![a picture](p.png)",
  "https://example.org/path?query=1",
  "``a ` tick``",
);
const sentence = fc
  .array(fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: stretch }), {
    minLength: 1,
    maxLength: 30,
  })
  .map((words) => words.join(" "));
const code = fc
  .array(
    fc.constantFrom("let a = 1;", "  indented();", "", "# no heading", "**no emphasis** [x](y)", "- no item"),
    {
      maxLength: 14,
    },
  )
  .map((lines) => lines.map((line) => `|${line}`));
const block = fc.oneof(
  { weight: 3, arbitrary: sentence },
  sentence.map((text) => `## ${text.slice(0, 30).replaceAll(/[`*~[\]()!_<]/g, "")}`),
  fc
    .array(sentence, { minLength: 1, maxLength: 5 })
    .map((items) => items.map((item) => `- ${item}`).join("\n")),
  fc
    .array(sentence, { minLength: 1, maxLength: 5 })
    .map((items) => items.map((item, index) => `${index + 1}. ${item}`).join("\n")),
  sentence.map((text) => `> ${text}`),
  fc
    .tuple(fc.constantFrom("```", "```ts", "~~~sh", "````"), code)
    .map(([opener, lines]) => [opener, ...lines, opener.replaceAll(/[a-z]/g, "")].join("\n")),
  code.map((lines) => ["1. step", "", ...["```js", ...lines, "```"].map((line) => `   ${line}`)].join("\n")),
  fc.constant("| a | b |\n|---|---|\n| one | two |\n| three | four |"),
);
const document = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join("\n\n"));

describe("splitText over Markdown", () => {
  it("CHAN-25 shows the same in its parts as in the whole, within the limit and with no fence left open", () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 130, max: 600 }), (text, limit) => {
        const parts = splitText(text, limit);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(limit);
          expect(hasOpenFence(part)).toBe(false);
        }
        expect(parts.map(seen).join("")).toBe(seen(text));
        expect(parts.flatMap(stretches)).toEqual(stretches(text));
      }),
      { numRuns: 300 },
    );
  }, 60_000);

  it("CHAN-25 cuts no link, code or emphasis where there is another place", () => {
    const filler = "x".repeat(40);
    for (const whole of [
      "[two words](https://e.org)",
      "`two words`",
      "**two words**",
      "*two words*",
      "~~two words~~",
    ])
      for (let limit = 45; limit < 70; limit++) {
        expect(
          splitText(`${filler} ${whole} and the rest of it`, limit).some((part) => part.includes(whole)),
        ).toBe(true);
        expect(
          splitText(`${"字".repeat(40)}${whole}和其余`, limit).some((part) => part.includes(whole)),
        ).toBe(true);
      }
  });

  it("CHAN-25 keeps a heading with what follows, a marker with its item and a row in one piece", () => {
    expect(splitText(`${"word ".repeat(12).trim()}\n\n## Title\n\nWhat follows it.`, 75)).toEqual([
      "word ".repeat(12).trim(),
      "## Title\n\nWhat follows it.",
    ]);
    expect(splitText(`${"word ".repeat(9).trim()}\n10. item`, 50)).toEqual([
      "word ".repeat(9).trim(),
      "10. item",
    ]);
    const rows = Array.from({ length: 9 }, (_, index) => `| cell ${index} | and more |`);
    const parts = splitText(["| head | second |", "|---|---|", ...rows].join("\n"), 90);
    expect(parts.join("\n").split("\n").slice(2)).toEqual(rows);
    expect(parts[0]).toMatch(/^\| head \| second \|\n\|---\|---\|\n\| cell 0/);
  });

  it("CHAN-25 lets numbered lists go on with their numbers", () => {
    const items = Array.from({ length: 12 }, (_, index) => `${index + 1}. the item`);
    const parts = splitText(items.join("\n"), 70);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flatMap((part) => part.split("\n"))).toEqual(items);
  });

  it("CHAN-25 opens a block again with its language, also one that stands in a list or a quotation", () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line_${index}();`);
    const inside = (before: string) => ["```ts", ...lines, "```"].map((line) => before + line).join("\n");
    for (const text of [
      inside(""),
      `1. Do\n\n${inside("   ")}`,
      `- Do\n  - this\n\n${inside("    ")}`,
      inside("> "),
      `- \`\`\`ts\n${lines.map((line) => `  ${line}`).join("\n")}\n  \`\`\`\n- more`,
    ]) {
      const parts = splitText(text, 90);
      expect(parts.length).toBeGreaterThan(1);
      expect(parts.slice(1, -1).every((part) => part.startsWith("```ts\n"))).toBe(true);
      expect(parts.some(hasOpenFence)).toBe(false);
      expect(parts.map(seen).join("")).toBe(seen(text));
    }
  });

  it("CHAN-25 takes nothing away from code in a list or a quotation but what sets it in", () => {
    const code = (text: string) => {
      const found: string[] = [];
      walk(parseMarkdown(text), (node) => {
        if (node.type === "code") found.push(...node.value.split("\n"));
      });
      return found;
    };
    const lines = ["> quoted", ">> twice", "  > set in", "", "a > b", "- > item"];
    const inside = (first: string, rest: string) =>
      ["```md", ...lines, ...lines, "```"].map((line, at) => (at === 0 ? first : rest) + line).join("\n");
    for (const text of [
      `- Do\n  - this\n\n${inside("    ", "    ")}`,
      `- Do\n  - this\n\n${inside("    ", "\t")}`,
      `- Do\n  - this\n\n${inside("      ", "    ")}`,
      inside("- - ", "    "),
      inside("10. ", "    "),
      inside("> ", "> "),
      inside("> > ", "> > "),
      inside("- > ", "  > "),
    ]) {
      const parts = splitText(text, 70);
      expect(parts.length).toBeGreaterThan(1);
      expect(parts.flatMap(code)).toEqual(code(text));
    }
  });

  it("CHAN-25 begins no part with marks that were within a line, where they would open a block", () => {
    for (const marks of ["```", "~~~", "````"])
      for (let limit = 64; limit < 140; limit++) {
        const words = "some words that go on ".repeat(4);
        const parts = splitText(`${words}${marks} and ${words}${marks}js ${words}`, limit);
        expect(parts.length).toBeGreaterThan(1);
        for (const part of parts) expect(part).not.toMatch(/^\s*(?:```|~~~)/);
      }
  });

  it("CHAN-25 knows the ends of Chinese sentences", () => {
    expect(splitText("他说：“这是第一句话。”这是第二句话；这是第三句话。", 13)).toEqual([
      "他说：“这是第一句话。”",
      "这是第二句话；",
      "这是第三句话。",
    ]);
  });

  it("CHAN-25 counts as the network does", () => {
    const text = "中文字符。".repeat(40);
    for (const part of splitText(text, 100, measureBytes))
      expect(measureBytes(part)).toBeLessThanOrEqual(100);
    expect(splitText(text, 200, measureUtf16)).toEqual([text]);
    expect(splitText(text, 600, measureBytes)).toEqual([text]);
    const codePoints = (each: string) => Array.from(each).length;
    const faces = splitText("😀".repeat(25), 10, codePoints);
    expect(faces.map(codePoints)).toEqual([10, 10, 5]);
    fc.assert(
      fc.property(document, fc.integer({ min: 130, max: 400 }), (each, limit) => {
        const parts = splitText(each, limit, measureBytes);
        for (const part of parts) expect(measureBytes(part)).toBeLessThanOrEqual(limit);
        expect(parts.map(seen).join("")).toBe(seen(each));
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it("CHAN-25 is quick with 200 KB, whatever it is made of", () => {
    const passage =
      "Some **bold** text with `code` and [a link](http://x.y/z). 中文。\n\n- item\n\n```js\nlet a = 1;\n```\n\n";
    for (const each of [
      passage,
      "word ",
      "x",
      "` `` ",
      "[a",
      "*a ",
      "| a |\n",
      "-",
      "> ",
      "字",
      "\n",
      "<a ",
      "_",
      "```\n",
    ]) {
      const text = `begin ${each.repeat(Math.ceil(200_000 / each.length))} end`;
      const began = process.cpuUsage().user;
      const parts = splitText(text, 4096);
      expect(process.cpuUsage().user - began).toBeLessThan(3_000_000);
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(4096);
    }
  }, 60_000);
});
