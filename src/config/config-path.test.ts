import * as fc from "fast-check";
import { expect, it } from "vitest";
import { formatPath, readPath, withPath } from "./config-path.ts";
import { parsePath } from "./parse-path.ts";

const path = fc.array(
  fc.oneof(
    fc.string({ minLength: 1 }).filter((name) => name !== "__proto__"),
    fc.nat(999),
  ),
  { minLength: 1 },
);

it("reads back every path that it writes", () => {
  fc.assert(
    fc.property(path, (segments) => {
      expect(parsePath(formatPath(segments))).toEqual(segments);
    }),
  );
});

it("reads dots, quotes and indexes", () => {
  expect(parsePath(`channels.telegram.dms["a.b"][0]['c d'].x`)).toEqual([
    "channels",
    "telegram",
    "dms",
    "a.b",
    0,
    "c d",
    "x",
  ]);
});

it.each(["", ".", "a.", ".a", "a..b", "a[", "a[x]", 'a["b]', "a]b", "__proto__", "a.__proto__.b"])(
  "refuses %j",
  (text) => {
    expect(() => parsePath(text)).toThrow(expect.objectContaining({ code: "usage/bad-argument" }));
  },
);

it("reads only what is the value's own", () => {
  expect(readPath({ a: {} }, ["a", "constructor"])).toBeUndefined();
});

it("puts a value at a path without changing the original", () => {
  const original = { a: { b: 1 }, list: [1, 2] };
  expect(withPath(original, ["a", "c"], 2)).toEqual({ a: { b: 1, c: 2 }, list: [1, 2] });
  expect(withPath(original, ["list", 0], undefined)).toEqual({ a: { b: 1 }, list: [2] });
  expect(original).toEqual({ a: { b: 1 }, list: [1, 2] });
});
