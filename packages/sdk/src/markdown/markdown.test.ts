import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown, visibleText, walk } from "./index.ts";

const typesIn = (text: string): string[] => {
  const types: string[] = [];
  walk(parseMarkdown(text), (node) => types.push(node.type));
  return types;
};

describe("the Markdown tree", () => {
  it("knows what models write: code, links, emphasis, tables, task lists, strikethrough", () => {
    expect(
      typesIn("# T\n\n**b** ~~d~~ `c` [l](http://x.y)\n\n- [x] done\n\n|a|\n|-|\n|b|\n\n```js\n1\n```"),
    ).toEqual(
      expect.arrayContaining([
        "heading",
        "strong",
        "delete",
        "inlineCode",
        "link",
        "listItem",
        "tableCell",
        "code",
      ]),
    );
  });

  it("shows what a reader sees", () => {
    const text =
      "# Title\n\nSome **bold _and_** `code`,\\\na [link](http://x.y) ![pic](p.png)&amp;\n\n1. one\n2. two\n\n```js\nlet a;\n```\n\n|a|b|\n|-|-|\n|c|d|";
    expect(visibleText(parseMarkdown(text))).toBe(
      "Title\nSome bold and code,\na link pic&\none\ntwo\nlet a;\na\nb\nc\nd",
    );
  });

  it("visits parents first, in the order of the text", () => {
    expect(typesIn("a *b*\n\nc")).toEqual([
      "root",
      "paragraph",
      "text",
      "emphasis",
      "text",
      "paragraph",
      "text",
    ]);
  });

  it("throws at no text, and loses no word of one without marks", () => {
    const mark = fc.constantFrom(
      ..."> - 1. * ** _ ` ``` ~~~ [ ] ( ) ![ < > | # \\ & : www. http:// @ [^a] [^a]: --- ===".split(" "),
      "\n",
      "\n\n",
      "    ",
      "\t",
      "word",
      "中文",
      "😀",
      "\ud800",
      "\0",
    );
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 60 }), (pieces) => {
        const root = parseMarkdown(pieces.join(""));
        expect(root.type).toBe("root");
        expect(typeof visibleText(root)).toBe("string");
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9中文 ,\n]{0,200}$/), (text) => {
        expect(visibleText(parseMarkdown(text)).replaceAll(/\s+/g, "")).toBe(text.replaceAll(/\s+/g, ""));
      }),
    );
  });

  it.each([
    ">",
    "[",
    "> ",
    "- ",
    "1. ",
    "> - ",
    "* > ",
    "![",
    "*a ",
    "**a",
    "_a ",
    "` `` ",
    "[a](",
    "<",
    "|a",
    "~~a ",
  ])(
    "takes ten thousand of %j without harm, and keeps the words",
    (mark) => {
      const began = process.cpuUsage().user;
      const root = parseMarkdown(`${mark.repeat(10_000)} end`);
      expect(visibleText(root)).toContain("end");
      expect(process.cpuUsage().user - began).toBeLessThan(2_000_000);
    },
    30_000,
  );

  it("does not count marks in code", () => {
    const data = Array.from({ length: 3000 }, (_, index) => `[${index}, "a_b"],`).join("\n");
    expect(
      parseMarkdown(`Data:\n\`\`\`json\n${data}\n\`\`\`\nDone.`).children.map(({ type }) => type),
    ).toEqual(["paragraph", "code", "paragraph"]);
    expect(parseMarkdown(`\`\`\`\n\`\`\`\n${"**a".repeat(9000)}`).children[0]?.type).toBe("paragraph");
    expect(parseMarkdown(`\`\`\`${"\n".repeat(50_000)}`).children[0]?.type).toBe("code");
    expect(parseMarkdown(data).children).toEqual([
      { type: "paragraph", children: [{ type: "text", value: data }] },
    ]);
  });

  it("takes what nests too deep for plain text", () => {
    const list = Array.from({ length: 300 }, (_, depth) => `${"  ".repeat(depth)}- item`).join("\n");
    expect(parseMarkdown(list).children).toEqual([
      { type: "paragraph", children: [{ type: "text", value: list }] },
    ]);
    expect(parseMarkdown("> - 1. > deep enough").children[0]?.type).toBe("blockquote");
    expect(parseMarkdown(`- a\n\n${" ".repeat(300)}far to the right`).children[0]?.type).toBe("list");
  });
});
