/** Words and meaning in one score: `final = wv·vector + wt·text`, both from 0 to 1. */
import type { MemoryQuery } from "@pincer/sdk";
import type { VectorScores } from "./vector-scores.ts";

interface TextScore {
  lineId: number;
  /** From 0 to 1. */
  text: number;
}

type Weights = NonNullable<MemoryQuery["weights"]>;

/** Unless told: a strong embedder knows better than words what is meant, a weak one does not. */
const weightsBy: Record<VectorScores["strength"], Weights> = {
  strong: { vector: 0.7, text: 0.3 },
  weak: { vector: 0.3, text: 0.7 },
};

/** As cosine: below it texts have nothing to do with one another, whichever embedder. */
export const leastNear = 0.3;

/**
 * The final score of each line. Nearness counts from a fixed minimum on: other results must not make a good line look
 * far away. A line without a vector is not treated as far away either.
 */
export function mixScores(
  lines: readonly TextScore[],
  vectors: Pick<VectorScores, "strength" | "scores">,
  weights: Weights = weightsBy[vectors.strength],
): number[] {
  const near = vectors.scores(lines.map(({ lineId }) => lineId));
  return lines.map(({ lineId, text }) => {
    const score = near.get(lineId);
    return finalScore({ vector: score === undefined ? text : nearness(score), text }, weights);
  });
}

const nearness = (cosine: number): number => Math.min(1, Math.max(0, (cosine - leastNear) / (1 - leastNear)));

/** Weights need not add up to 1. */
function finalScore(scores: Weights, weights: Weights): number {
  const sum = weights.vector + weights.text;
  return sum > 0 ? (weights.vector * scores.vector + weights.text * scores.text) / sum : 0;
}
