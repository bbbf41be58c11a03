import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cosine, nearestCodes, quantise, wordsOf } from "./quantise.ts";

const component = fc.double({ min: -1, max: 1, noNaN: true });
const direction = (size: number) =>
  fc
    .array(component, { minLength: size, maxLength: size })
    .filter((numbers) => Math.hypot(...numbers) > 0.1)
    .map((numbers) => Float32Array.from(numbers));
const pairOf = (sizes: fc.Arbitrary<number>) =>
  sizes.chain((size) => fc.tuple(direction(size), direction(size)));

function exactCosine(a: Float32Array, b: Float32Array): number {
  const product = a.reduce((sum, each, index) => sum + each * (b[index] ?? 0), 0);
  return product / (Math.hypot(...a) * Math.hypot(...b));
}

describe("quantise", () => {
  it("keeps the signs as bits, the lowest first, and the largest component as 127", () => {
    const { code, bytes } = quantise(Float32Array.from([0.5, -1, 0, 0.25, 0, 0, 0, 0, 1]));
    expect([...code]).toEqual([0b1001, 0b1, 0, 0]);
    expect([...bytes]).toEqual([64, -127, 0, 32, 0, 0, 0, 0, 127]);
  });

  it("makes zeros of a vector without a direction", () => {
    const { code, bytes } = quantise(new Float32Array(33));
    expect([...code]).toEqual(Array(8).fill(0));
    expect(cosine(Float32Array.from(Array(33).fill(1)), bytes)).toBe(0);
  });

  it("keeps the angle to another vector within two hundredths", () => {
    fc.assert(
      fc.property(pairOf(fc.integer({ min: 2, max: 200 })), ([query, vector]) => {
        const error = Math.abs(cosine(query, quantise(vector).bytes) - exactCosine(query, vector));
        expect(error).toBeLessThan(0.02);
      }),
    );
  });

  it("keeps the order of two vectors that are clearly not equally near", () => {
    const three = fc
      .integer({ min: 2, max: 64 })
      .chain((size) => fc.tuple(direction(size), direction(size), direction(size)));
    fc.assert(
      fc.property(three, ([query, a, b]) => {
        const [nearer, farther] = [exactCosine(query, a), exactCosine(query, b)];
        fc.pre(nearer - farther > 0.05);
        expect(cosine(query, quantise(a).bytes)).toBeGreaterThan(cosine(query, quantise(b).bytes));
      }),
    );
  });

  it("finds no likeness between vectors of different sizes", () => {
    expect(cosine(Float32Array.from([1, 0]), quantise(Float32Array.from([1, 0, 0])).bytes)).toBe(0);
  });
});

describe("nearestCodes", () => {
  it("answers as one would who compares every code bit by bit", () => {
    const codes = fc.integer({ min: 1, max: 4 }).chain((words) =>
      fc.record({
        // Few bits set, so that many codes are equally far away.
        codes: fc.array(fc.array(fc.nat(7), { minLength: words, maxLength: words }), { maxLength: 40 }),
        query: fc.array(fc.oneof(fc.nat(7), fc.constant(0xffffffff)), { minLength: words, maxLength: words }),
        count: fc.integer({ min: 0, max: 12 }),
        everyNth: fc.integer({ min: 1, max: 3 }),
      }),
    );
    fc.assert(
      fc.property(codes, ({ codes, query, count, everyNth }) => {
        const isWanted = (index: number) => index % everyNth === 0;
        const distance = (code: number[]) =>
          code.reduce((sum, word, at) => sum + ones((word ^ (query[at] ?? 0)) >>> 0), 0);
        const expected = codes
          .map((code, index) => ({ index, distance: distance(code) }))
          .filter(({ index }) => isWanted(index))
          .sort((a, b) => a.distance - b.distance || a.index - b.index)
          .slice(0, count)
          .map(({ index }) => index);
        expect(
          nearestCodes(Uint32Array.from(codes.flat()), Uint32Array.from(query), count, isWanted),
        ).toEqual(expected);
      }),
    );
  });

  it("finds a vector again by its own code", () => {
    fc.assert(
      fc.property(fc.array(direction(48), { minLength: 1, maxLength: 30 }), fc.nat(), (vectors, pick) => {
        const all = vectors.map((vector) => wordsOf(quantise(vector).code));
        const query = all[pick % all.length] ?? new Uint32Array();
        const codes = Uint32Array.from(all.flatMap((words) => [...words]));
        const [nearest = -1] = nearestCodes(codes, query, 1);
        expect([...(all[nearest] ?? [])]).toEqual([...query]);
      }),
    );
  });

  it("reads a code that does not lie at a word's boundary", () => {
    const stored = Uint8Array.from([9, 1, 0, 0, 0, 2, 0, 0, 0]).subarray(1);
    expect([...wordsOf(stored)]).toEqual([1, 2]);
  });
});

const ones = (word: number): number => word.toString(2).replaceAll("0", "").length;
