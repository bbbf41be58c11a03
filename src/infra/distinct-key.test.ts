import * as fc from "fast-check";
import { expect, it } from "vitest";
import { distinctKey, type KeyValue } from "./distinct-key.ts";

it("is the same for the same values, and for no others", () => {
  const text = fc.string({ unit: fc.constantFrom("1", "2", ":", ";", "null", "true"), maxLength: 4 });
  const number = fc.integer({ min: -12, max: 12 });
  const value = fc.oneof(text, number, fc.boolean(), fc.constantFrom(null, undefined));
  const values = fc.array<KeyValue>(value, { maxLength: 4 });
  const isSame = (one: KeyValue[], other: KeyValue[]) =>
    one.length === other.length && one.every((each, index) => each === other[index]);
  fc.assert(
    fc.property(values, values, (one, other) => {
      expect(distinctKey(one)).toBe(distinctKey([...one]));
      expect(distinctKey(one) === distinctKey(other)).toBe(isSame(one, other));
    }),
    {
      numRuns: 1000,
      examples: [
        [["1:"], ["", ""]],
        [[1, 2], [12]],
        [[null], ["null"]],
        [[1], ["1"]],
        [
          ["", "1:1"],
          ["1:1", ""],
        ],
        [["a", null], ["anull;"]],
        [[], [""]],
      ],
    },
  );
});
