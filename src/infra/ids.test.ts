import { describe, expect, it } from "vitest";
import { createIds } from "./ids.ts";

describe("ids", () => {
  it("sort by the time they were made, carry their prefix and never repeat", () => {
    let now = Date.UTC(2026, 0, 1);
    const ids = createIds(() => now);
    const made = Array.from({ length: 2000 }, () => {
      now += 1;
      return ids.make("s");
    });
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
    expect(made.every((id) => /^s_[0-9a-z]{26}$/.test(id))).toBe(true);
  });
});
