/**
 * Scores lines by the terms of a question. Question and answer are seldom in one line, so each term also counts for
 * nearby lines, less with distance, and a little for everything in the same file or conversation.
 */
import type { LinePlace } from "../../storage/memory-index/read-lines.ts";
import type { WeighedTerm } from "./weigh-terms.ts";

export interface FoundLine extends LinePlace {
  /** Which terms it has, how often, and how well they stand for what was asked. */
  matches: Array<{ term: number; times: number; share: number }>;
}

/** A scored position in a source; there may be no line. */
export interface Spot {
  sourceId: number;
  position: number;
  /** 1 if it has every term in a line of ordinary length; more if it has them several times. */
  score: number;
  /** Of what the terms weigh together, the part that is there or near, however often and however long the line. */
  covered: number;
  /** Whether the line itself has an identifier of the question. */
  isExact: boolean;
}

/** The best, at most `most`; equal ones from the newest source on. */
export function rankLines(lines: readonly FoundLine[], terms: readonly WeighedTerm[], most: number): Spot[] {
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  const spots: Spot[] = [];
  for (const ofSource of Map.groupBy(lines, (line) => line.sourceId).values()) {
    const sorted = ofSource.toSorted((a, b) => a.position - b.position);
    const sourceScore = shareOfSource * bestOfSource(sorted, terms);
    for (const stretch of stretchesOf(sorted)) scoreStretch(spots, stretch, { terms, all, sourceScore });
  }
  return best(spots, most);
}

/** BM25. Lines are short: a word that comes again, and a long line, change little. */
const saturation = 0.8;
const lengthShare = 0.3;
const ordinaryBytes = 120;
/** How far a term counts around its line, and for how much: an answer comes behind its question more often than before. */
const reach = 5;
const shareBehind = 0.6;
const shareBefore = 0.5;
const decay = 2 / 3;
/** A line that asks holds the words of the question but not the answer, which comes next. */
const shareOfAsking = 0.8;
const gainBehindAsking = 1.4;
/** What the whole source adds. */
const shareOfSource = 0.15;

/** Groups lines whose surroundings overlap: each group is scored in one block of memory. */
function stretchesOf(sorted: readonly FoundLine[]): FoundLine[][] {
  const stretches: FoundLine[][] = [];
  let end = -1;
  for (const line of sorted) {
    if (line.position <= end) stretches.at(-1)?.push(line);
    else stretches.push([line]);
    end = line.position + 2 * reach;
  }
  return stretches;
}

/** Adds a spot for each line of the stretch. */
function scoreStretch(
  spots: Spot[],
  lines: readonly FoundLine[],
  { terms, all, sourceScore }: { terms: readonly WeighedTerm[]; all: number; sourceScore: number },
): void {
  const first = Math.max(0, (lines[0]?.position ?? 0) - reach);
  const size = (lines.at(-1)?.position ?? 0) + reach + 1 - first;
  const width = terms.length;
  const values = new Float64Array(size * width);
  const there = new Float64Array(size * width);
  const exact = new Uint8Array(size);
  for (const { position, bytes, asks, matches } of lines)
    for (const { term, times, share } of matches) {
      const { weight = 0, isIdentifier = false } = terms[term] ?? {};
      const value = share * weight * oftenness(times, bytes);
      const parts = asks ? partsOfAsking : partsOfTelling;
      if (isIdentifier) exact[position - first] = 1;
      for (let step = -reach; step <= reach; step += 1) {
        const part = isIdentifier && step === 0 ? 1 : (parts[step + reach] ?? 0);
        const at = (position + step - first) * width + term;
        if (at < 0) continue;
        if (value * part > (values[at] ?? 0)) values[at] = value * part;
        if (share * weight * part > (there[at] ?? 0)) there[at] = share * weight * part;
      }
    }
  const sourceId = lines[0]?.sourceId ?? 0;
  for (let at = 0; at < size; at += 1) {
    const score = (sum(values, at * width, width) + sourceScore) / (all * (1 + shareOfSource));
    const covered = sum(there, at * width, width) / all;
    spots.push({ sourceId, position: first + at, score, covered, isExact: exact[at] === 1 });
  }
}

/** From the farthest line before to the farthest behind. */
const partsOfTelling = partsAround({ asks: false });
const partsOfAsking = partsAround({ asks: true });

function partsAround({ asks }: { asks: boolean }): number[] {
  return Array.from({ length: 2 * reach + 1 }, (_, at) => {
    const step = at - reach;
    if (step === 0) return asks ? shareOfAsking : 1;
    if (step < 0) return shareBefore * decay ** (-step - 1);
    return shareBehind * decay ** (step - 1) * (asks && step === 1 ? gainBehindAsking : 1);
  });
}

function oftenness(times: number, bytes: number): number {
  const length = 1 - lengthShare + (lengthShare * bytes) / ordinaryBytes;
  return (times * (saturation + 1)) / (times + saturation * length);
}

/** Of each term the best line. */
function bestOfSource(lines: readonly FoundLine[], terms: readonly WeighedTerm[]): number {
  const best = new Float64Array(terms.length);
  for (const { bytes, matches } of lines)
    for (const { term, times, share } of matches) {
      const value = share * (terms[term]?.weight ?? 0) * oftenness(times, bytes);
      if (value > (best[term] ?? 0)) best[term] = value;
    }
  return sum(best, 0, best.length);
}

function sum(values: Float64Array, from: number, count: number): number {
  let total = 0;
  for (let at = from; at < from + count; at += 1) total += values[at] ?? 0;
  return total;
}

/** Only those are put in order that can be among them. */
function best(spots: readonly Spot[], most: number): Spot[] {
  const scores = Float64Array.from(spots, rankOf).sort();
  const least = scores[Math.max(0, scores.length - most)] ?? 0;
  return spots
    .filter((spot) => rankOf(spot) >= least)
    .toSorted((a, b) => rankOf(b) - rankOf(a) || b.sourceId - a.sourceId || a.position - b.position)
    .slice(0, most);
}

/** Identifiers before all else: no score comes near the number that lifts them. */
function rankOf({ score, isExact }: Spot): number {
  return isExact ? score + 1000 : score;
}
