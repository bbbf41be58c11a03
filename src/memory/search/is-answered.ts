/** Whether the results have anything to do with the question; if not, nothing is returned. */
import type { Spot } from "./rank-lines.ts";
import type { WeighedTerm } from "./weigh-terms.ts";

/** True when at some place there is enough of what the terms weigh together. */
export function isAnswered(spots: readonly Spot[], terms: readonly WeighedTerm[]): boolean {
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  const missing = terms.reduce((sum, term) => sum + (isLoose(term) ? term.weight * looseShare : 0), 0);
  const least = (leastCovered(terms) * (all - missing)) / all;
  return spots.some(({ covered, isExact }) => isExact || covered >= least);
}

/** For a known person few other terms must match; an unknown one makes the rest a coincidence. */
function leastCovered(terms: readonly WeighedTerm[]): number {
  if (terms.some(({ isName }) => isName)) return 0.05;
  return terms.some(({ isProper, forms }) => isProper && forms.length === 0) ? 0.4 : 0.25;
}

/** Of the pairs of characters in a Chinese question about half reach over the end of a word, and are in no line for that reason. */
const looseShare = 0.5;

function isLoose({ forms, isPair }: WeighedTerm): boolean {
  return forms.length === 0 && isPair;
}
