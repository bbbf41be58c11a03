import { expect, it } from "vitest";
import { parsePath } from "./parse-path.ts";

it("reads a path", () => {
  expect(parsePath("agents.list[0].id")).toEqual(["agents", "list", 0, "id"]);
});

it.each(["", ".", "a.", ".a", "a..b", "a[", "a[x]", 'a["b]', "a]b", "__proto__", "a.__proto__.b"])(
  "refuses %j",
  (text) => {
    expect(() => parsePath(text)).toThrow(expect.objectContaining({ code: "usage/bad-argument" }));
  },
);
