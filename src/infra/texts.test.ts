import { describe, expect, it } from "vitest";
import { languageOf } from "./language.ts";
import { createSay } from "./texts.ts";

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
});
