import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { handoffName, parseHandoff } from "./parse-handoff.ts";

describe("the words behind a handoff", () => {
  it.each([
    ["", {}],
    ["phase-1", { name: "phase-1" }],
    ["phase-1 the parser is done", { name: "phase-1", summary: "the parser is done" }],
    ['"phase one" done', { name: "phase one", summary: "done" }],
    ['name=phase-1 summary="the parser is done"', { name: "phase-1", summary: "the parser is done" }],
    ["summary=“解析器已完成” name=阶段一", { name: "阶段一", summary: "解析器已完成" }],
    ["name=phase-1 the parser is done", { name: "phase-1", summary: "the parser is done" }],
    ["summary=done and tested", { summary: "done and tested" }],
    ['p "all of it"', { name: "p", summary: "all of it" }],
  ])("SESS-09 reads %j", (words, expected) => {
    expect(parseHandoff(words)).toEqual(expected);
  });

  it("takes a first word that is too long for a name as the beginning of the summary", () => {
    const long = "已".repeat(61);
    expect(parseHandoff(`${long} 完成`)).toEqual({ summary: `${long} 完成` });
  });

  it("counts characters as people see them", () => {
    const family = "👨‍👩‍👧";
    expect(parseHandoff(family.repeat(60)).name).toBe(family.repeat(60));
    expect(handoffName(family.repeat(61))).toBe(family.repeat(60));
  });

  it("loses no word, whatever is written", () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        const { name = "", summary = "" } = parseHandoff(words.join(" "));
        expect(`${name} ${summary}`.trim()).toBe(words.join(" "));
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void parseHandoff(text)));
  });
});
