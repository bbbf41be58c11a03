import * as fc from "fast-check";
import { expect, it } from "vitest";
import { digestOf } from "./digest-of.ts";

it("is the same for the same members in another order, and where one of them is undefined", () => {
  expect(digestOf({ a: { c: 1, d: [2] }, b: null })).toBe(
    digestOf({ b: null, a: { d: [2], c: 1 }, e: undefined }),
  );
});

it("differs with the value, with the order in a list and with what kind of value it is", () => {
  const values = [{}, [], null, "", 0, "0", { a: 1 }, { a: "1" }, [1, 2], [2, 1], { a: [] }, { a: null }];
  expect(new Set(values.map(digestOf)).size).toBe(values.length);
});

it("is that of whatever JSON brings back", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(digestOf(JSON.parse(JSON.stringify(value)))).toBe(digestOf(value));
    }),
  );
});
