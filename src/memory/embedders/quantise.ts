/**
 * Quantised vectors: one bit per dimension for a first pass over all, one byte per dimension for a second over the
 * best. For 1,536 dimensions the first pass reads 192 bytes, and its results are rescored by their bytes.
 */

/** `code` is padded with zeros to whole words of 32 bits; `bytes` are scaled so that the largest component is 127. */
export function quantise(vector: Float32Array): { code: Uint8Array; bytes: Int8Array } {
  const code = new Uint8Array(Math.ceil(vector.length / 32) * 4);
  const bytes = new Int8Array(vector.length);
  let largest = 0;
  for (const component of vector) largest = Math.max(largest, Math.abs(component));
  const scale = largest > 0 ? 127 / largest : 0;
  for (const [index, component] of vector.entries()) {
    if (component > 0) code[index >> 3] = (code[index >> 3] ?? 0) | (1 << (index & 7));
    bytes[index] = Math.round(component * scale);
  }
  return { code, bytes };
}

/** Zeros have none: nothing is known of what they stand for. */
export const hasDirection = (vector: Float32Array): boolean => vector.some((component) => component !== 0);

/** The angle between a vector and one that was quantised, as its cosine; 0 where one of them has no direction or their sizes differ. */
export function cosine(query: Float32Array, bytes: Int8Array): number {
  if (query.length !== bytes.length) return 0;
  let product = 0;
  let ofQuery = 0;
  let ofBytes = 0;
  for (let index = 0; index < query.length; index++) {
    const a = query[index] ?? 0;
    const b = bytes[index] ?? 0;
    product += a * b;
    ofQuery += a * a;
    ofBytes += b * b;
  }
  const length = Math.sqrt(ofQuery * ofBytes);
  return length > 0 ? product / length : 0;
}

/** A code as words, however its bytes lie in memory; both are read on the machine that wrote them. */
export function wordsOf(code: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(code).buffer);
}

/**
 * The `count` codes that differ least from the query's, nearest first, among those wanted; of equals the first. `codes` holds one code
 * after another, each of as many words as the query.
 */
export function nearestCodes(
  codes: Uint32Array,
  query: Uint32Array,
  count: number,
  isWanted: (index: number) => boolean = () => true,
): number[] {
  const words = query.length;
  if (words === 0 || count <= 0) return [];
  const total = Math.floor(codes.length / words);
  // By distance: it is a small whole number, so the best are gathered without a comparison of one with another.
  const byDistance: number[][] = Array.from({ length: words * 32 + 1 }, () => []);
  let kept = 0;
  let farthest = words * 32;
  for (let index = 0; index < total; index++) {
    const distance = difference(codes, index * words, query, farthest);
    if (distance > farthest || !isWanted(index)) continue;
    byDistance[distance]?.push(index);
    kept++;
    // What lies beyond the nearest `count` need not be looked at any more.
    while (kept - (byDistance[farthest]?.length ?? 0) >= count) kept -= byDistance[farthest--]?.length ?? 0;
  }
  return byDistance
    .slice(0, farthest + 1)
    .flat()
    .slice(0, count);
}

/** How many bits differ; a number above `farthest` as soon as there are more. */
function difference(codes: Uint32Array, offset: number, query: Uint32Array, farthest: number): number {
  let distance = 0;
  for (let word = 0; word < query.length; word++) {
    // Counts bits in pairs, then fours, then bytes, and adds the bytes by a multiplication.
    let bits = (codes[offset + word] ?? 0) ^ (query[word] ?? 0);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    bits = (bits + (bits >>> 4)) & 0x0f0f0f0f;
    distance += Math.imul(bits, 0x01010101) >>> 24;
    if (distance > farthest) break;
  }
  return distance;
}
