import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startThreadTimer } from "../../infra/testing/thread-timer.ts";
import { plainOutput, unfinishedFrom } from "./plain-output.ts";

describe("output made plain", () => {
  it.each<[string, string]>([
    ["plain\ttext\n", "plain\ttext\n"],
    ["a\r\nb\r\n", "a\nb\n"],
    ["\u001b[1;31mred\u001b[0m", "red"],
    ["\u001b[38;2;1;2;3mtrue\u001b[m", "true"],
    ["\u001b]0;title\u0007text", "text"],
    ["\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["\u001b(Btext\u001b=", "text"],
    ["\u001bPdata\u001b\\text", "text"],
    ["10%\r100%", "100%"],
    ["long line\rshort", "shortline"],
    ["long line\r\u001b[Kshort", "short"],
    ["long line\u001b[2K\rshort", "short"],
    ["ab\bc", "ac"],
    ["bell\u0007\u0000", "bell"],
    ["你好\u001b[0m 😀", "你好 😀"],
    ["😀x\ry", "yx"],
    ["\u001b", ""],
    ["\u001b[", ""],
  ])("%j is %j", (raw, plain) => {
    expect(plainOutput(raw)).toBe(plain);
  });

  it("has no sign for a terminal left, whatever comes", () => {
    const sign = fc.constantFrom(
      "a",
      "\u001b",
      "[",
      "]",
      "K",
      "2",
      ";",
      "m",
      "\r",
      "\b",
      "\n",
      "\u0007",
      "\u009b",
      "P",
      "\\",
      "é",
    );
    fc.assert(
      fc.property(fc.array(sign), (signs) => {
        // oxlint-disable-next-line no-control-regex -- the signs of a terminal are control characters
        expect(plainOutput(signs.join(""))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
    );
  });

  it("takes little time for much", () => {
    const took = startThreadTimer();
    for (const part of ["\u001b", "\u001b[", "\u001b]", "x\r", "\r", "\b", "\u001b[31mx", "\u001b[K\r"])
      plainOutput(part.repeat(200_000 / part.length));
    expect(took()).toBeLessThan(5000);
  });
});

describe("what is not whole yet", () => {
  it.each<[Buffer, number]>([
    [Buffer.from("abc"), 3],
    [Buffer.from("aé"), 3],
    [Buffer.from("aé").subarray(0, 2), 1],
    [Buffer.from("a你").subarray(0, 3), 1],
    [Buffer.from("a😀").subarray(0, 4), 1],
    [Buffer.from("a😀"), 5],
    [Buffer.from("a\u001b"), 1],
    [Buffer.from("a\u001b[1;3"), 1],
    [Buffer.from("a\u001b[1;31m"), 8],
    [Buffer.from("a\u001b]0;tit"), 1],
    [Buffer.from("a\u001b]0;title\u0007"), 11],
    [Buffer.from([0x80, 0x80, 0x80, 0x80]), 4],
    [Buffer.alloc(0), 0],
  ])("%j goes on from %i", (bytes, at) => {
    expect(unfinishedFrom(bytes)).toBe(at);
  });
});

describe("a long line", () => {
  it.each([
    ["written over", "abc\r".repeat(50_000)],
    ["erased again and again", `${"a".repeat(100_000)}${"\x1b[2Kb".repeat(20_000)}`],
    ["of characters", `${"a".repeat(200_000)}\r\b`],
  ])("%s holds the thread for a moment only", (_, raw) => {
    const took = startThreadTimer();
    plainOutput(raw);
    expect(took()).toBeLessThan(250);
  });
});
