import type { ShownEntry } from "./shown-entries.ts";

/**
 * Where the newest entries begin that take at most `share` tokens: at a turn if possible, else at an answer, never
 * inside an exchange. Of the positions that leave between half and all of the share it takes the roundest number.
 * That stays the roundest for a while as the session grows, so the request keeps its beginning without any stored
 * state. Pure.
 */
export function roundCut(shown: readonly ShownEntry[], share: number): number {
  const sizes = sizesFrom(shown);
  const isTurn = (index: number) =>
    shown[index]?.said.role === "user" && shown[index - 1]?.said.role !== "user";
  const isStep = (index: number) => shown[index]?.said.role !== "toolResult";
  return roundestOf(shown, sizes, share, isTurn) ?? roundestOf(shown, sizes, share, isStep) ?? shown.length;
}

function roundestOf(
  shown: readonly ShownEntry[],
  sizes: readonly number[],
  share: number,
  isPlace: (index: number) => boolean,
): number | undefined {
  let best: { index: number; roundness: number } | undefined;
  let before = 0;
  for (const [index, { seq }] of shown.entries()) {
    if (!isPlace(index)) continue;
    const size = sizes[index] ?? 0;
    const roundness = roundnessOf(before, seq);
    before = seq;
    if (size > share) continue;
    // The first that fits, where the next one would leave less than half.
    if (size <= share / 2 && best) break;
    if (!best || roundness > best.roundness) best = { index, roundness };
    if (size <= share / 2) break;
  }
  return best?.index;
}

/** The highest power of two that has a multiple after `before` and not after `seq`. */
export const roundnessOf = (before: number, seq: number): number => 31 - Math.clz32(before ^ seq);

/** What is taken from each entry to the end. */
function sizesFrom(shown: readonly ShownEntry[]): number[] {
  const sizes: number[] = [];
  let sum = 0;
  for (let index = shown.length - 1; index >= 0; index--) {
    sum += shown[index]?.tokens ?? 0;
    sizes[index] = sum;
  }
  return sizes;
}
