import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDates } from "./dates.ts";

// A Sunday.
const now = Date.parse("2026-11-15T12:00:00Z");
const read = (text: string, timezone = "UTC") => readDates(text, { now, timezone });
const range = (text: string, timezone?: string) => {
  const [first] = read(text, timezone).ranges;
  return first && (first.from === first.to ? first.from : `${first.from}..${first.to}`);
};

describe("dates in a question", () => {
  it.each([
    ["what did I do yesterday?", "2026-11-14"],
    ["today", "2026-11-15"],
    ["the day before yesterday", "2026-11-13"],
    ["What happened last Tuesday?", "2026-11-10"],
    ["on Friday", "2026-11-13"],
    ["next Monday", "2026-11-16"],
    ["two weeks ago", "2026-10-29..2026-11-04"],
    ["3 days ago", "2026-11-12"],
    ["a month ago", "2026-09-30..2026-10-30"],
    ["in the past 3 weeks", "2026-10-25..2026-11-15"],
    ["last week", "2026-11-02..2026-11-08"],
    ["last weekend", "2026-11-06..2026-11-08"],
    ["this month", "2026-11-01..2026-11-30"],
    ["last year", "2025-01-01..2025-12-31"],
    ["last summer", "2026-06-01..2026-08-31"],
    ["last December", "2025-12-01..2025-12-31"],
    ["on 2023-05-08", "2023-05-08"],
    ["on 8 May, 2023", "2023-05-08"],
    ["May 8th, 2023", "2023-05-08"],
    ["in July 2022", "2022-07-01..2022-07-31"],
    ["in 2022", "2022-01-01..2022-12-31"],
    ["昨天", "2026-11-14"],
    ["前天说了什么", "2026-11-13"],
    ["上周二", "2026-11-03"],
    ["上周末", "2026-11-07..2026-11-08"],
    ["上个月", "2026-10-01..2026-10-31"],
    ["去年", "2025-01-01..2025-12-31"],
    ["去年五月", "2025-05-01..2025-05-31"],
    ["2023年5月8日", "2023-05-08"],
    ["三天前", "2026-11-12"],
    ["最近三天", "2026-11-12..2026-11-15"],
  ])("MEM-07 reads %s", (text, expected) => {
    expect(range(text)).toBe(expected);
  });

  it("takes a month or a date without a year to be that of any of the last years, never of one to come", () => {
    expect(read("in May").ranges.slice(0, 2)).toEqual([
      { from: "2026-05-01", to: "2026-05-31" },
      { from: "2025-05-01", to: "2025-05-31" },
    ]);
    expect(range("December 24")).toBe("2025-12-24");
    expect(range("五月八号")).toBe("2026-05-08");
  });

  it("leaves words that only look like dates", () => {
    for (const text of ["may I march on?", "how long did it last", "the second of three", "31 June", "月亮"])
      expect(read(text)).toEqual({ ranges: [], rest: text });
  });

  it("takes the dates out of the question", () => {
    expect(read("what did Ann buy last Tuesday in Rome").rest).toBe("what did Ann buy   in Rome");
  });

  it("counts from the day where the person lives", () => {
    expect(range("yesterday", "Asia/Shanghai")).toBe("2026-11-14");
    expect(
      readDates("today", { now: Date.parse("2026-11-15T20:00:00Z"), timezone: "Asia/Shanghai" }).ranges,
    ).toEqual([{ from: "2026-11-16", to: "2026-11-16" }]);
  });

  it("never throws, and gives no range that ends before it begins", () => {
    const part = fc.constantFrom(
      "last",
      "in",
      "May",
      "31",
      "2024",
      "999",
      "ago",
      "weeks",
      "年",
      "月",
      "十二",
      "-",
      "/",
      "上",
      "前",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 8 }), (parts) => {
        for (const text of [parts.join(" "), parts.join("")])
          for (const { from, to } of read(text).ranges) expect(from <= to).toBe(true);
      }),
    );
  });
});
