import { expect, it } from "vitest";
import { fieldsOf, filterLines } from "./log-lines.ts";

const line = (message: string, fields: Record<string, unknown> = {}) => ({
  time: "2026-01-01T00:00:00.000Z",
  level: "info" as const,
  message,
  fields,
});

it("finds lines by every word, in their fields as well", () => {
  const lines = [line("turn ended", { runId: "r_1", ms: 5 }), line("turn began", { runId: "r_2" })];
  expect(filterLines(lines, "TURN r_1")).toEqual([lines[0]]);
  expect(filterLines(lines, "  ")).toEqual(lines);
  expect(filterLines(lines, "nothing")).toEqual([]);
  expect(fieldsOf(line("x", { a: "b", c: { d: 1 } }))).toBe('a=b c={"d":1}');
});
