import { expect, it } from "vitest";
import { partOf, readSeed, shuffled, testSeed } from "./test-seed.ts";

const items = Array.from({ length: 50 }, (_, index) => `file ${index}`);
const own = (item: string) => item;

it("shuffles the same for the same seed and otherwise for another, and loses nothing", () => {
  expect(shuffled(items, own, 1)).toEqual(shuffled([...items].reverse(), own, 1));
  expect(shuffled(items, own, 1)).not.toEqual(shuffled(items, own, 2));
  expect(shuffled(items, own, 1)).not.toEqual(items);
  expect(shuffled(items, own, 1).sort()).toEqual([...items].sort());
});

it("gives all items in as many parts as there are, each by another seed", () => {
  const parts = [7, 8, 9].map((seed) => partOf(items, 3, seed));
  expect(parts.flat().sort()).toEqual([...items].sort());
});

it("takes a whole number as a seed and nothing else", () => {
  expect(["12", "4294967295", "", "x", "-1", "1.5", undefined].map(readSeed)).toEqual([
    12,
    4_294_967_295,
    ...Array.from({ length: 5 }, () => undefined),
  ]);
  expect(Number.isSafeInteger(testSeed)).toBe(true);
});
