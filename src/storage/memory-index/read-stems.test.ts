import { expect, it } from "vitest";
import { stemsOf } from "./read-stems.ts";

it("gives each word as the index keeps it, in their order, again and again", () => {
  const words = ["running", "Allergies", "生日", "…", "errːconnːreset", "café"];
  const stems = ["run", "allergi", "生日", "", "errːconnːreset", "cafe"];
  expect(stemsOf(words)).toEqual(stems);
  expect(stemsOf(words.toReversed())).toEqual(stems.toReversed());
  expect(stemsOf([])).toEqual([]);
});
