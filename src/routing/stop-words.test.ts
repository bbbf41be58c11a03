import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isStop } from "./stop-words.ts";

const stops = [
  "/stop",
  ",stop",
  "!stop",
  "/STOP@pincer_bot",
  "stop",
  "Stop!",
  "STOP STOP STOP!!!",
  "  stop.  ",
  "ＳＴＯＰ",
  "🛑",
  "🛑 stop 🛑",
  "✋stop✋🏽",
  "@pincer stop",
  "<@U123> stop!",
  "please stop",
  "Stopp!",
  "halt",
  "¡Para!",
  "alto",
  "basta",
  "Arrête !",
  "arre\u0302te",
  "стоп",
  "停",
  "停止。",
  "停下来！",
  "【停】",
  "止めて",
  "やめて！",
  "ストップ",
  "그만",
];

const sentences = [
  "",
  "   ",
  "!!!",
  "👍",
  "stopping",
  "stop the music at nine",
  "don't stop",
  "where is the bus stop",
  "how do I stop a docker container",
  "non-stop",
  "stop@example.com",
  "/stopwatch",
  "/path/stop",
  "停车场在哪里",
  "不要停止",
  "para mañana",
  "cancel",
  "取消",
  `stop ${"!".repeat(100)}`,
];

describe("a bare stop", () => {
  it.each(stops)("is %j", (text) => {
    expect(isStop(text)).toBe(true);
  });

  it.each(sentences)("is not %j", (text) => {
    expect(isStop(text)).toBe(false);
  });

  it("stays one in any case and with any punctuation around it", () => {
    const marks = fc.string({
      unit: fc.constantFrom("!", ".", " ", "…", "?", "🛑", "。", "\n"),
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        marks,
        fc.constantFrom("stop", "halt", "停止", "стоп"),
        fc.boolean(),
        marks,
        (a, word, up, b) => {
          expect(isStop(a + (up ? word.toUpperCase() : word) + b)).toBe(true);
        },
      ),
    );
  });

  it("is never found inside other words", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("stop", "halt", "停止"),
        fc.stringMatching(/^[b-z]{1,8}$/),
        (word, rest) => {
          expect(isStop(`${word}${rest === "p" ? "x" : rest}`)).toBe(false);
          expect(isStop(`x${rest} ${word}`)).toBe(false);
        },
      ),
    );
  });
});
