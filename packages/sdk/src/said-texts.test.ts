import { expect, it } from "vitest";
import { textOf, withWholeTexts, type TextBlock } from "./message.ts";
import { markedTexts } from "./said-texts.ts";

const typed = (text: string): TextBlock => ({ type: "text", text, origin: "owner" });
const pasted = (text: string): TextBlock => ({ type: "text", text, origin: "quoted", pasted: "certain" });
const along = (text: string): TextBlock => ({ type: "text", text, origin: "quoted" });

it("reads what was pasted into a sentence as a part of it, and what came along below it", () => {
  const content = [along("> before"), pasted("a"), typed(" b "), pasted("c"), along("[file: d]")];
  expect(textOf({ role: "user", content })).toBe("> before\na b c\n[file: d]");
  expect(markedTexts(content.slice(1, 4))).toEqual({
    text: "a b c",
    pasted: [
      { start: 0, end: 1 },
      { start: 4, end: 5 },
    ],
  });
  expect(withWholeTexts(content)).toEqual([
    along("> before"),
    { type: "text", text: "a b c" },
    along("[file: d]"),
  ]);
});

it("leaves texts of several messages on lines of their own", () => {
  expect(textOf({ role: "user", content: [typed("one"), typed("two")] })).toBe("one\ntwo");
  const image = { type: "image" as const, media: "m", mimeType: "image/png" };
  expect(withWholeTexts([pasted("a"), image, typed("b")])).toEqual([pasted("a"), image, typed("b")]);
});
