import * as fc from "fast-check";
import { expect, it } from "vitest";
import { beyond, createWordHolder } from "./word-holder.ts";

const pieces = fc.array(
  fc.oneof(fc.string(), fc.constantFrom("字", "🦀", "\uD83E", "\uDD80", " ", "\n", "word")),
);

it("gives everything once and in order, however it is cut, and tears no character in two", () => {
  fc.assert(
    fc.property(pieces, (deltas) => {
      const given: string[] = [];
      const holder = createWordHolder((text) => void given.push(text));
      for (const delta of deltas) holder.push(delta);
      holder.flush();
      expect(given.join("|")).not.toMatch(/[\uD800-\uDBFF]\|[\uDC00-\uDFFF]/);
      expect(given.join("")).toBe(deltas.join(""));
    }),
  );
});

it("gives a word only whole, other scripts as they come, and what has no end all the same", () => {
  const given: string[] = [];
  const holder = createWordHolder((text) => void given.push(text));
  for (const delta of ["sk-se", "cret", "12 and", " 你", "好"]) holder.push(delta);
  expect(given).toEqual(["sk-secret12 ", "and 你", "好"]);
  holder.push("x".repeat(5000));
  expect(given.at(-1)).toHaveLength(5000);
});

it("finds what a text has beyond its shown beginning, white space aside", () => {
  expect(beyond("I begin ", "I begin\n\nStopped.")).toBe("\n\nStopped.");
  expect(beyond("\n\nfirst second", "first\n\nsecond")).toBe("");
  expect(beyond("something else", "I begin")).toBeUndefined();
  expect(beyond("longer than", "longer")).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (shown, rest) => {
      expect(beyond(shown, shown + rest)).toBe(rest);
      expect(beyond(` ${shown.trim()}`, shown.trim() + rest)?.trim()).toBe(rest.trim());
    }),
  );
});
