import { expect, it } from "vitest";
import { frozen } from "./frozen.ts";

it("freezes all that is in a value, and takes what has no parts as it is", () => {
  const value = frozen({ list: [{ text: "a" }], none: null, word: "b" });
  expect(() => value.list.push({ text: "c" })).toThrow("not extensible");
  expect(() => Object.assign(value.list[0] ?? {}, { text: "c" })).toThrow("read only");
  expect([frozen("a"), frozen(null)]).toEqual(["a", null]);
});
