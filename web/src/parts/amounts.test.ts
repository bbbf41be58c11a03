import { describe, expect, it } from "vitest";
import { bytes, count, duration, exactTime, money, relativeTime } from "./amounts.ts";

const now = Date.parse("2026-01-10T12:00:00Z");

describe("amounts", () => {
  it("UI-01 tell how long ago something was, in both languages", () => {
    expect(relativeTime("2026-01-10T11:57:00Z", "en", now)).toBe("3 minutes ago");
    expect(relativeTime("2026-01-10T11:57:00Z", "zh", now)).toBe("3分钟前");
    expect(relativeTime("2026-01-09T12:00:00Z", "en", now)).toBe("yesterday");
    expect(relativeTime("2026-01-10T12:00:00Z", "en", now)).toBe("now");
    expect(relativeTime("2026-01-10T14:00:00Z", "en", now)).toBe("in 2 hours");
  });

  it("say nothing about what is no moment", () => {
    expect([relativeTime("never", "en", now), exactTime("never", "en")]).toEqual(["", ""]);
  });

  it("tell how long something took", () => {
    expect([12.4, 1500, 42_000, 245_000, 7_380_000].map((ms) => duration(ms, "en"))).toEqual([
      "12 ms",
      "1.5 s",
      "42 s",
      "4 min 5 s",
      "2 h 3 min",
    ]);
    expect([12.4, 1500, 1_068_000, 7_380_000].map((ms) => duration(ms, "zh"))).toEqual([
      "12 毫秒",
      "1.5 秒",
      "17 分 48 秒",
      "2 小时 3 分",
    ]);
  });

  it("tell sizes, money and counts", () => {
    expect([bytes(999), bytes(1500), bytes(250_000_000)]).toEqual(["999 B", "1.5 kB", "250 MB"]);
    expect([money(0), money(0.00421), money(12.3)]).toEqual(["$0", "$0.0042", "$12.30"]);
    expect([count(12_345, "en"), count(1_234_567, "en")]).toEqual(["12,345", "1.2M"]);
  });
});
