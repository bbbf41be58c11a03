import { describe, expect, it } from "vitest";
import { frozen, oncePerFrozen, oncePerFrozenFor } from "./once-per-frozen.ts";

function counting() {
  let count = 0;
  const lengthOf = oncePerFrozenFor(
    (value: { text: string }, factor: number) => (count++, value.text.length * factor),
    Object.is,
  );
  return { lengthOf, count: () => count };
}

describe("what is made once", () => {
  it("is made once of what is frozen, for each that asks for something else", () => {
    const { lengthOf, count } = counting();
    const value = frozen({ text: "four" });
    expect([lengthOf(value, 1), lengthOf(value, 1), count()]).toEqual([4, 4, 1]);
    expect([lengthOf(value, 2), lengthOf(value, 2), count()]).toEqual([8, 8, 2]);
    expect([lengthOf(frozen({ text: "five!" }), 2), count()]).toEqual([10, 3]);
  });

  it("is frozen like what it was made of, so the next step is made once in turn", () => {
    const words = oncePerFrozen(({ text }: { text: string }) => text.split(" "));
    const value = frozen({ text: "two words" });
    expect(words(value)).toBe(words(value));
    expect(() => words(value).push("more")).toThrow("not extensible");
    const open = { text: "two words" };
    expect(words(open)).not.toBe(words(open));
    expect(Object.isFrozen(words(open))).toBe(false);
  });

  it("is made anew of what may have changed", () => {
    const { lengthOf, count } = counting();
    const value = { text: "four" };
    expect(lengthOf(value, 1)).toBe(4);
    value.text = "longer";
    expect([lengthOf(value, 1), count()]).toEqual([6, 2]);
  });

  it("freezes all that is in a value, and takes what has no parts as it is", () => {
    const value = frozen({ list: [{ text: "a" }], none: null, word: "b" });
    expect(() => value.list.push({ text: "c" })).toThrow("not extensible");
    expect(() => Object.assign(value.list[0] ?? {}, { text: "c" })).toThrow("read only");
    expect([frozen("a"), frozen(null)]).toEqual(["a", null]);
  });
});
