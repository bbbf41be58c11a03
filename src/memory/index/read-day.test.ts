import { describe, expect, it } from "vitest";
import { atLocalTime, momentOf, readDay } from "./read-day.ts";

describe("days as people write them", () => {
  it.each([
    "2023-05-08",
    "2023/5/8",
    "2023.05.08",
    "20230508",
    "8 May, 2023",
    "8 May 2023",
    "8th of May 2023",
    "May 8, 2023",
    "May 8th 2023",
    "Monday, May 8, 2023",
    "Mon 8 May 2023",
    "08.05.2023",
    "5/8/2023",
    "2023年5月8日",
    "2023 年 05 月 08 号",
    "二〇二三年五月八日",
    "2023年5月8日（星期一）",
  ])("MEM-07 reads %s", (text) => {
    expect(readDay(text)).toEqual({ day: "2023-05-08", clock: undefined, isAll: true });
  });

  it.each([
    ["1:56 pm on 8 May, 2023", "13:56:00"],
    ["2023-05-08 13:56", "13:56:00"],
    ["2023-05-08T13:56:07", "13:56:07"],
    ["8 May 2023, 12:05 a.m.", "00:05:00"],
    ["May 8, 2023 at 3 pm", "15:00:00"],
    ["2023年5月8日 下午3点20分", "15:20:00"],
    ["2023年5月8日晚上11点半", "23:30:00"],
    ["2023年5月8日 上午9点", "09:00:00"],
  ])("MEM-07 reads the time of day in %s", (text, clock) => {
    expect(readDay(text)).toEqual({ day: "2023-05-08", clock, isAll: true });
  });

  it.each([
    "2023-02-30",
    "31 June 2023",
    "13/13/2023",
    "version 1.2.3",
    "chapter 12",
    "may be 2023",
    "25:61",
  ])("MEM-07 sees neither day nor time in %s", (text) => {
    expect(readDay(text)).toEqual({ day: undefined, clock: undefined, isAll: false });
  });

  it("MEM-07 tells a day from words about a day", () => {
    expect(readDay("Trip to Rome, 2023-05-08").isAll).toBe(false);
    expect(readDay("tt 2023-05-08").isAll).toBe(false);
    expect(readDay("31/12/2023").day).toBe("2023-12-31");
    expect(readDay("十二月三十一日 2023年12月31日").day).toBe("2023-12-31");
  });

  it("MEM-07 gives a moment as the clocks there show it, in summer and in winter", () => {
    const clock = "13:45:00";
    expect(momentOf({ day: "2026-07-01", clock }, "Europe/Berlin")).toBe("2026-07-01T13:45:00+02:00");
    expect(momentOf({ day: "2026-12-01", clock }, "America/New_York")).toBe("2026-12-01T13:45:00-05:00");
    expect(momentOf({ day: "2026-12-01", clock: undefined }, "Europe/Berlin")).toBe("2026-12-01");
    expect(momentOf({ day: undefined, clock }, "Europe/Berlin")).toBeUndefined();
    expect(atLocalTime("2026-11-15T22:30:00.000Z", "Asia/Shanghai")).toBe("2026-11-16T06:30:00+08:00");
    expect(atLocalTime("2026-11-15T22:30:00.000Z", "UTC")).toBe("2026-11-15T22:30:00Z");
  });
});
