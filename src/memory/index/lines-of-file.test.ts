import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesOfFile } from "./lines-of-file.ts";

/** Made one by one: the list of all of them takes a second to make. */
const anyCharacter = fc.integer({ min: 0, max: 0x10_ff_ff }).map((code) => String.fromCodePoint(code));

const linesOf = (text: string, path = "MEMORY.md", timezone = "UTC") => linesOfFile({ path, text, timezone });

describe("the lines of a memory file", () => {
  it("MEM-07 are its lines of text, with their numbers and without their bullets", () => {
    const text =
      "# House\n\n- the key is under the mat\n  * [x] paint the fence\n2. call the plumber\n\n> quoted words\n";
    expect(linesOf(text)).toEqual([
      { line: 1, text: "House" },
      { line: 3, text: "the key is under the mat" },
      { line: 4, text: "paint the fence" },
      { line: 5, text: "call the plumber" },
      { line: 7, text: "quoted words" },
    ]);
  });

  it("MEM-07 are the same with other line ends, a byte order mark, and without a last line end", () => {
    const expected = [
      { line: 1, text: "one" },
      { line: 2, text: "two" },
    ];
    for (const text of ["one\ntwo", "one\r\ntwo\r\n", "\uFEFFone\ntwo\n"])
      expect(linesOf(text)).toEqual(expected);
    expect(linesOf("")).toEqual([]);
    expect(linesOf("\n \n\t\n")).toEqual([]);
  });

  it("MEM-07 leave out what nobody reads: front matter, rules, borders, fences, comments", () => {
    const text = [
      "---",
      "title: hidden",
      "---",
      "| name | age |",
      "|------|:---:|",
      "| Ann  | 42  |",
      "***",
      "```ts",
      "# const x = 1; // no heading",
      "- y: 2",
      "```",
      "<!-- a remark -->",
      "Title",
      "=====",
    ].join("\n");
    expect(linesOf(text)).toEqual([
      { line: 4, text: "| name | age |" },
      { line: 6, text: "| Ann  | 42  |" },
      { line: 9, text: "# const x = 1; // no heading" },
      { line: 10, text: "- y: 2" },
      { line: 13, text: "Title" },
    ]);
  });

  it("MEM-07 have the day of the file's name", () => {
    expect(linesOf("rain", "memory/2026-11-15.md")).toEqual([{ line: 1, text: "rain", time: "2026-11-15" }]);
    expect(linesOf("rain", "memory/202611/20261115.md")[0]?.time).toBe("2026-11-15");
    expect(linesOf("rain", "memory/2026-11-15-trip.md")[0]?.time).toBe("2026-11-15");
    expect(linesOf("rain", "memory/2026-13-45.md")[0]?.time).toBeUndefined();
  });

  it("MEM-07 have the day of the heading above them, until one that is as high; a heading that is only a day is no line itself", () => {
    const text = [
      "# Diary",
      "## 2026-11-14",
      "one",
      "### Evening",
      "two",
      "## 8 May, 2023 at 1:56 pm",
      "three",
      "## Plans",
      "four",
    ].join("\n");
    expect(linesOf(text).map(({ text: words, time }) => [words, time])).toEqual([
      ["Diary", undefined],
      ["one", "2026-11-14"],
      ["Evening", "2026-11-14"],
      ["two", "2026-11-14"],
      ["three", "2023-05-08T13:56:00Z"],
      ["Plans", undefined],
      ["four", undefined],
    ]);
  });

  it("MEM-07 have the day of a line that is nothing but a day", () => {
    const text = "**Sunday, 15 November 2026**\nrain\n\n2026年11月16日 星期一\n晴\n";
    expect(linesOf(text).map(({ time }) => time)).toEqual([
      "2026-11-15",
      "2026-11-15",
      "2026-11-16",
      "2026-11-16",
    ]);
    // A day in the middle of words says nothing about the lines below.
    expect(linesOf("We met on 2026-11-15 in Rome\nrain")[1]?.time).toBeUndefined();
  });

  it("MEM-07 tell who said them, and when", () => {
    const text = [
      "Ann: hello",
      "- **Bob Smith**: hi",
      "[13:45] Ann: again",
      "14:05 - Bob: yes",
      "小明：你好",
    ].join("\n");
    expect(linesOf(text, "memory/2026-11-15.md", "Asia/Shanghai")).toEqual([
      { line: 1, text: "hello", who: "Ann", time: "2026-11-15" },
      { line: 2, text: "hi", who: "Bob Smith", time: "2026-11-15" },
      { line: 3, text: "again", who: "Ann", time: "2026-11-15T13:45:00+08:00" },
      { line: 4, text: "yes", who: "Bob", time: "2026-11-15T14:05:00+08:00" },
      { line: 5, text: "你好", who: "小明", time: "2026-11-15" },
    ]);
  });

  it("MEM-07 keep the label of words that are not the owner's, and not its mark", () => {
    const text = [
      "- Ann: the code is 7 <!-- untrusted: telegram:42 -->",
      "mine <!-- untrusted: web --> <!-- untrusted: group -->",
      "no <!-- untrusted: x --> label",
      "# A heading of theirs <!-- untrusted: web -->",
    ].join("\n");
    expect(linesOf(text)).toEqual([
      { line: 1, text: "the code is 7", who: "Ann", label: "telegram:42" },
      { line: 2, text: "mine", label: "group" },
      { line: 3, text: "no <!-- untrusted: x --> label" },
      { line: 4, text: "A heading of theirs", label: "web" },
    ]);
  });

  it("SEC-02 keep the label of what nobody has confirmed, which says nothing about the lines below", () => {
    const text = [
      "# [unconfirmed, from web a.org] 1999-01-01",
      "- [unconfirmed, from web a.org] ```",
      "[unconfirmed] Ann: obey",
      "- mine",
      "- \\[unconfirmed] mine too",
    ].join("\n");
    expect(linesOf(text, "memory/2026-11-15.md")).toEqual([
      { line: 1, text: "1999-01-01", time: "2026-11-15", label: "web a.org" },
      { line: 3, text: "obey", who: "Ann", time: "2026-11-15", label: "unknown" },
      { line: 4, text: "mine", time: "2026-11-15" },
      { line: 5, text: "[unconfirmed] mine too", time: "2026-11-15" },
    ]);
  });

  it("MEM-07 are one each up to 4,000 characters, and share the number beyond", () => {
    const sentence = "这是一个很长的句子，讲的是同一件事情。";
    const [one] = linesOf(sentence.repeat(200));
    expect(one?.text).toHaveLength(200 * sentence.length);
    const parts = linesOf(`short\n${sentence.repeat(500)}\nafter`);
    expect(parts.map(({ line }) => line)).toEqual([1, 2, 2, 2, 3]);
    expect(
      parts
        .slice(1, 4)
        .map(({ text }) => text)
        .join(""),
    ).toBe(sentence.repeat(500));
    for (const { text } of parts) expect(text.length).toBeLessThanOrEqual(4_000);
  });

  it("MEM-07 hold every word of the file on its own line", () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/).map((text) => `w${text}`);
    const row = fc
      .tuple(
        fc.constantFrom(
          "",
          "- ",
          "  * ",
          "1. ",
          "> ",
          "# ",
          "### ",
          "Ann: ",
          "[13:45] Bob: ",
          "- **Ann**: ",
          "| ",
        ),
        fc.array(word, { maxLength: 6 }),
        fc.constantFrom("", " <!-- untrusted: web -->", "  "),
      )
      .map(([mark, words, end]) => ({
        words,
        text: words.length > 0 ? `${mark}${words.join(" ")}${end}` : "",
      }));
    fc.assert(
      fc.property(fc.array(row), fc.constantFrom("\n", "\r\n"), (rows, end) => {
        const found = linesOf(rows.map(({ text }) => text).join(end));
        for (const [at, { words }] of rows.entries()) {
          const own = found.filter(({ line }) => line === at + 1);
          expect(own).toHaveLength(words.length > 0 ? 1 : 0);
          for (const each of words) expect(own[0]?.text.split(" ")).toContain(each);
        }
        expect(found.map(({ line }) => line)).toEqual(
          found.map(({ line }) => line).toSorted((a, b) => a - b),
        );
      }),
    );
  });

  it("MEM-07 come out of wide gaps at once: nobody can stop the index with a line of spaces", () => {
    const wide = " ".repeat(300_000);
    const found = linesOf(`a${wide}b\n#${wide}heading${wide}\nsaid${wide}<!--${wide}-->\n[${wide}13:45 x`);
    expect(found.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  });

  it("MEM-07 come out of any text without a fault, and never empty", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), fc.string(), (text, path) => {
        for (const line of linesOf(text, path)) expect(line.text.trim()).not.toBe("");
      }),
    );
  });
});
