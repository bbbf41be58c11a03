import * as fc from "fast-check";
import { expect, it } from "vitest";
import { changedPaths } from "./changed-paths.ts";

it("names every path that differs, and a list as one", () => {
  const before = { a: { b: 1, c: [1, 2] }, d: "x", gone: 1 };
  const after = { a: { b: 1, c: [2, 1] }, d: "x", fresh: { e: 1 } };
  expect(changedPaths(before, after)).toEqual(["a.c", "fresh", "gone"]);
  expect(changedPaths({ ["k".repeat(200)]: 1 }, {})[0]?.length).toBeLessThan(70);
});

it("says nothing of equal configs, and something of all others", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(changedPaths(one, structuredClone(one))).toEqual([]);
      expect(changedPaths({ one }, { one: other }).length > 0).toBe(
        JSON.stringify(one) !== JSON.stringify(other),
      );
    }),
    { examples: [[{ a: 1 }, { b: 1 }]] },
  );
});
