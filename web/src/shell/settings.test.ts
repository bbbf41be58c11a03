import { describe, expect, it } from "vitest";
import { keepSettings, readSettings } from "./settings.ts";

const storage = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
};

describe("settings of a browser", () => {
  it("UI-01 begin with what the browser speaks", () => {
    expect(readSettings(storage(), "zh-TW").language).toBe("zh");
    expect(readSettings(storage(), "de")).toEqual({ theme: "auto", language: "en" });
  });

  it("are kept", () => {
    const kept = storage();
    keepSettings(kept, { theme: "dark", language: "zh" });
    expect(readSettings(kept, "en")).toEqual({ theme: "dark", language: "zh" });
  });

  it("that make no sense are as if there were none", () => {
    const kept = storage();
    kept.setItem("pincer.theme", "pink");
    kept.setItem("pincer.language", "xx");
    expect(readSettings(kept, "en")).toEqual({ theme: "auto", language: "en" });
  });
});
