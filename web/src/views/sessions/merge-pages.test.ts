import { describe, expect, it } from "vitest";
import { addPage, mergeFirstPage } from "./merge-pages.ts";

const row = (sessionId: string, minute: number) => ({
  sessionId,
  updatedAt: `2026-01-01T12:${String(minute).padStart(2, "0")}:00.000Z`,
});
const ids = (rows: Array<{ sessionId: string }>) => rows.map(({ sessionId }) => sessionId).join("");

describe("a list of pages", () => {
  const old = [row("e", 50), row("d", 40), row("c", 30), row("b", 20), row("a", 10)];

  it("UI-01 takes up what is new, what has moved up and what is gone, and keeps what is further down", () => {
    expect(ids(mergeFirstPage(old, [row("f", 55), row("e", 50)], false))).toBe("fedcba");
    expect(ids(mergeFirstPage(old, [row("b", 56), row("e", 50)], false))).toBe("bedca");
    expect(ids(mergeFirstPage(old, [row("e", 50), row("c", 30)], false))).toBe("ecba");
  });

  it("is the fresh page alone where nothing is behind it", () => {
    expect(ids(mergeFirstPage(old, [row("e", 50)], true))).toBe("e");
    expect(mergeFirstPage(old, [], true)).toEqual([]);
  });

  it("holds nobody twice who came up while the next page was read", () => {
    expect(ids(addPage([row("b", 56), row("e", 50)], [row("d", 40), row("b", 20)]))).toBe("bed");
  });
});
