import { expect, it } from "vitest";
import { createSay, type Language } from "../texts/texts.ts";
import { lastKnownWords } from "./last-known-words.ts";

it("UI-01 says how long ago a state was known, in both languages", () => {
  const since = "2026-01-01T00:00:00.000Z";
  const words = (language: Language, seconds: number) =>
    lastKnownWords(since, { say: createSay(language), language }, Date.parse(since) + seconds * 1000);
  expect(words("en", 5)).toBe("last known, just now");
  expect(words("en", 150)).toBe("last known, 2 minutes ago");
  expect(words("zh", 5)).toBe("上次状态：刚刚");
  expect(words("zh", 7300)).toBe("上次状态：2小时前");
});
