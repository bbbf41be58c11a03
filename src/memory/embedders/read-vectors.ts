/** Vectors as providers write them, checked and brought to length 1. */

/** What is wrong with an answer is said in a few words. */
export type ReadVectors = { vectors: Float32Array[] } | { wrong: string };

/** `size` is that of vectors seen before, where there were any. */
export function readVectors(
  written: unknown[] | undefined,
  count: number,
  size: number | undefined,
): ReadVectors {
  if (!written) return { wrong: "it holds no list of vectors" };
  if (written.length !== count) return { wrong: `${written.length} vectors for ${count} texts` };
  const vectors: Float32Array[] = [];
  for (const each of written) {
    const vector = numbersOf(each);
    if (!vector || vector.length === 0) return { wrong: "a vector is not a list of numbers" };
    const expected = size ?? vectors[0]?.length ?? vector.length;
    if (vector.length !== expected)
      return { wrong: `a vector of ${vector.length} numbers among those of ${expected}` };
    if (!vector.every(Number.isFinite)) return { wrong: "a vector holds something that is no number" };
    vectors.push(unitLength(vector));
  }
  return { vectors };
}

/** Zeros stay zeros: they have no direction. */
export function unitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const component of vector) squares += component * component;
  const length = Math.sqrt(squares);
  return length > 0 ? vector.map((component) => component / length) : vector;
}

/** A list of numbers, or their four bytes each in base64, the lowest first. */
function numbersOf(written: unknown): Float32Array | undefined {
  if (Array.isArray(written))
    return written.every((each) => typeof each === "number") ? Float32Array.from(written) : undefined;
  if (typeof written !== "string") return undefined;
  const bytes = Buffer.from(written, "base64");
  if (bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}
