import * as fc from "fast-check";
import { expect, it } from "vitest";
import { formatPath, isWithin, parsePath, readPath, withPath } from "./config-path.ts";

/** One name is refused wherever a path is read. */
const name = fc.string({ minLength: 1 }).filter((each) => each !== "__proto__");
const path = fc.array(fc.oneof(name, fc.nat(999)), { minLength: 1 });

it("UI-01 reads back every path that it writes", () => {
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

it.each([
  "",
  ".",
  "a.",
  ".a",
  "a..b",
  "a[",
  "a[x]",
  'a["b]',
  'a["\\x"]',
  "a]b",
  "__proto__",
  "a.__proto__.b",
  'a["__proto__"]',
])("finds no path in %j", (text) => {
  expect(parsePath(text)).toBeUndefined();
});

it("reads only what is the value's own", () => {
  expect(readPath({ a: {} }, ["a", "constructor"])).toBeUndefined();
});

it("puts a value at a path without changing the original", () => {
  const original = { a: { b: 1 }, list: [1, 2] };
  expect(withPath(original, ["a", "c"], 2)).toEqual({ a: { b: 1, c: 2 }, list: [1, 2] });
  expect(withPath(original, ["list", 0], undefined)).toEqual({ a: { b: 1 }, list: [2] });
  expect(withPath(original, ["list", "1"], 3)).toEqual({ a: { b: 1 }, list: [1, 3] });
  expect(original).toEqual({ a: { b: 1 }, list: [1, 2] });
});

it("makes groups and lists along the way, and keeps those that are there", () => {
  expect(withPath({}, ["agents", "list", 0, "id"], "a")).toEqual({ agents: { list: [{ id: "a" }] } });
  expect(withPath({ dms: { b: 1 } }, ["dms", 0], 2)).toEqual({ dms: { b: 1, 0: 2 } });
});

it("finds what it has put there", () => {
  const names = fc.array(name, { minLength: 1 });
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue()), names, fc.jsonValue(), (value, at, put) => {
      fc.pre(at.every((_, index) => !Array.isArray(readPath(value, at.slice(0, index)))));
      expect(readPath(withPath(value, at, put), at)).toEqual(put);
      expect(readPath(withPath(value, at, undefined), at)).toBeUndefined();
    }),
  );
});

it("UI-01 tells what is in what", () => {
  expect(isWithin(["a", 0, "b"], ["a", 0])).toBe(true);
  expect(isWithin(["a"], ["a"])).toBe(true);
  expect(isWithin(["a"], ["a", 0])).toBe(false);
  expect(isWithin(["a", 1], ["a", 0])).toBe(false);
});
