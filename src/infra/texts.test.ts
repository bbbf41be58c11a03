import { describe, expect, it } from "vitest";
import { languageOf } from "./language.ts";
import { createSay } from "./texts.ts";
import { allTexts } from "./texts/all-texts.ts";
import type { TextTable } from "./texts/table.ts";

describe("texts", () => {
  it("fill in their parameters and leave unknown ones visible", () => {
    const say = createSay("en");
    expect(say("error.prefix", { message: "no" })).toBe("pincer: no");
    expect(say("error.prefix")).toBe("pincer: {message}");
  });

  it("speak Chinese where the environment is Chinese", () => {
    expect(createSay("zh")("help.help")).toBe("显示帮助");
    expect(languageOf({ LANG: "zh_CN.UTF-8" })).toBe("zh");
    expect(languageOf({ LANG: "zh_CN.UTF-8", LC_ALL: "C" })).toBe("en");
    expect(languageOf({ LANG: "de_DE", PINCER_LANG: "zh" })).toBe("zh");
    expect(languageOf({})).toBe("en");
  });

  it("have the same parameters in both languages", () => {
    const texts = Object.entries(allTexts satisfies TextTable);
    expect(texts.length).toBeGreaterThan(200);
    // `{nameZh}` is what `{name}` is in English: a text within a text, in its own language.
    const parameters = (text: string) =>
      [...new Set(text.match(/\{\w+\}/g)?.map((name) => name.replace(/Zh\}$/, "}")))].sort();
    const uneven = texts.filter(([, { en, zh }]) => parameters(en).join() !== parameters(zh).join());
    expect(uneven.map(([key]) => key)).toEqual([]);
  });
});
