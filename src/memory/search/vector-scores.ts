/** How near in meaning lines are to the question that is being asked. */
export interface VectorScores {
  /** A strong embedder is trusted over words, a weak one less. */
  strength: "strong" | "weak";
  /** From 0 to 1, for those of the lines that have a vector. */
  scores(lineIds: readonly number[]): Map<number, number>;
  /** The nearest lines within the scope of the question, the best first. */
  nearest(limit: number): Array<{ lineId: number; score: number }>;
}
