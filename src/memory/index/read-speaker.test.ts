import { describe, expect, it } from "vitest";
import { readSpeaker } from "./read-speaker.ts";

describe("who says a line", () => {
  it.each([
    ["Ann: hello", "Ann", "hello"],
    ["**Ann**: hello", "Ann", "hello"],
    ["**Ann:** hello", "Ann", "hello"],
    ["__Ann__: hello", "Ann", "hello"],
    ["ann_42: hello", "ann_42", "hello"],
    ["Ann (telegram:42): hello", "Ann", "hello"],
    ["Maria de la Cruz: hola", "Maria de la Cruz", "hola"],
    ["Jean-Luc O'Neill: bonjour", "Jean-Luc O'Neill", "bonjour"],
    ["小明：你好", "小明", "你好"],
    ["小明:你好", "小明", "你好"],
    ["user: https://example.org", "user", "https://example.org"],
  ])("MEM-07 reads %s", (line, who, words) => {
    expect(readSpeaker(line)).toEqual({ who, clock: undefined, words });
  });

  it.each([
    "hello",
    "https://example.org/a",
    "we need for the trip: tents",
    "Shopping list: milk",
    "Ann:",
    "12:30",
    "3: third",
    "C:\\temp",
    "a.ts:12 fails",
    "What did she say? Nothing: silence",
    ": nothing",
  ])("MEM-07 sees only words in %s", (line) => {
    expect(readSpeaker(line)).toEqual({ who: undefined, clock: undefined, words: line });
  });

  it("MEM-07 reads the time before the name", () => {
    expect(readSpeaker("[13:45] Ann: hi")).toEqual({ who: "Ann", clock: "13:45:00", words: "hi" });
    expect(readSpeaker("(1:45 pm) Ann: hi")).toEqual({ who: "Ann", clock: "13:45:00", words: "hi" });
    expect(readSpeaker("13:45 went out")).toEqual({ who: undefined, clock: "13:45:00", words: "went out" });
    expect(readSpeaker("[99:99] Ann: hi").clock).toBeUndefined();
  });
});
