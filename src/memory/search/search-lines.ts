/** Answers a question with lines of the index. It reads and never writes. */
import type { DatabaseSync } from "node:sqlite";
import type { MemoryHit, MemoryQuery } from "@pincer/sdk";
import { createLineReader, type LineRow } from "../../storage/memory-index/read-lines.ts";
import { wordReaderOf } from "../../storage/memory-index/read-words.ts";
import { findByHead, headTermsOf } from "./find-by-head.ts";
import { findLines, type IndexReaders } from "./find-lines.ts";
import { leastNear, mixScores } from "./mix-scores.ts";
import { rankLines, type Spot } from "./rank-lines.ts";
import { readQuestion, type Question } from "./read-question.ts";
import { createSuiting } from "./suits-question.ts";
import type { VectorScores } from "./vector-scores.ts";
import { weighTerms, type WeighedTerm } from "./weigh-terms.ts";

export interface SearchParts {
  /** To the index; one that cannot write will do. */
  connection: DatabaseSync;
  tenantId: string;
  /** Without them words alone count. */
  vectors?: VectorScores | undefined;
}

/** Best first, all of them within the scope; none rather than noise. Throws only where the index cannot be read. */
export function searchLines({ connection, tenantId, vectors }: SearchParts, query: MemoryQuery): MemoryHit[] {
  if (query.limit <= 0) return [];
  const readers: IndexReaders = {
    words: wordReaderOf(connection),
    lines: createLineReader(connection, { tenantId, scope: query.scope }),
  };
  const question = readQuestion(query.text, query);
  const terms = weighTerms(question, { words: readers.words, total: readers.lines.total() });
  const wanted = Math.max(fewestRead, query.limit * (query.candidateMultiplier ?? defaultMultiplier));
  const spots = findSpots(question, terms, readers, wanted);
  const near = vectors ? nearestOf(vectors, wanted, spots.length > 0) : [];
  const nearPlaces = near.length > 0 ? readers.lines.placesOf(near.map(({ lineId }) => lineId)) : [];
  const rows = readers.lines.linesAt([...spots, ...nearPlaces]);
  const lines = scoreRows(rows, spots, createSuiting(question, query.timezone));
  return rankHits(lines, vectors ? mixScores(lines, vectors, query.weights) : lines.map(({ text }) => text))
    .slice(0, query.limit)
    .map(({ row, score }) => toHit(row, score));
}

/** Lines whose terms are weighed in full, and places that are then looked at. */
const mostFound = 350;
const fewestRead = 120;
const defaultMultiplier = 4;
/** What lies so far below the best is noise. */
const leastOfBest = 0.15;

function findSpots(
  question: Question,
  terms: readonly WeighedTerm[],
  readers: IndexReaders,
  most: number,
): Spot[] {
  const names = terms.filter(({ isName }) => isName);
  const asksOnly = terms.every(({ isName, isAsking }) => isName || isAsking);
  if (asksOnly && question.days.length > 0) return findByHead(headTermsOf(question.days), readers, most);
  if (asksOnly && names.length > 0)
    return findByHead(
      names.map(({ stem }) => stem),
      readers,
      most,
    );
  // A single word may be a search; a sentence of question words alone asks for nothing.
  if (asksOnly && /\s/u.test(question.folded.trim())) return [];
  const spots = rankLines(findLines(terms, readers, mostFound), terms, most);
  return isAnswered(spots, terms) ? spots : [];
}

/**
 * Some line is always the nearest. Where the words say nothing, a weak embedder does not either, and of a strong one only what is near
 * indeed counts.
 */
function nearestOf(vectors: VectorScores, most: number, hasWords: boolean): Array<{ lineId: number }> {
  if (hasWords) return vectors.nearest(most);
  if (vectors.strength === "weak") return [];
  return vectors.nearest(most).filter(({ score }) => score >= leastNear);
}

interface ScoredRow {
  row: LineRow;
  lineId: number;
  text: number;
  isExact: boolean;
}

/** Each line once; what only its vector found has no score by words. */
function scoreRows(
  rows: readonly LineRow[],
  spots: readonly Spot[],
  suits: (row: LineRow) => number,
): ScoredRow[] {
  const bySpot = new Map(spots.map((spot) => [`${spot.sourceId}:${spot.position}`, spot]));
  const byId = new Map<number, ScoredRow>();
  for (const row of rows) {
    const { score = 0, isExact = false } = bySpot.get(`${row.sourceId}:${row.position}`) ?? {};
    byId.set(row.lineId, { row, lineId: row.lineId, text: Math.min(1, score * suits(row)), isExact });
  }
  return [...byId.values()];
}

/** What holds an identifier of the question comes before all else. */
function rankHits(
  lines: readonly ScoredRow[],
  scores: readonly number[],
): Array<{ row: LineRow; score: number }> {
  const hasExact = lines.some(({ isExact }) => isExact);
  const tier = (score: number, isExact: boolean) => (hasExact ? (score + Number(isExact)) / 2 : score);
  const ranked = lines
    .map(({ row, isExact }, at) => ({ row, score: tier(scores[at] ?? 0, isExact) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || b.row.lineId - a.row.lineId);
  const best = ranked[0]?.score ?? 0;
  return ranked.filter(({ score }) => score >= best * leastOfBest);
}

function toHit({ source, line, text, who, time, label }: LineRow, score: number): MemoryHit {
  return {
    sourceId: source.id,
    kind: source.kind,
    path: source.path,
    line,
    text,
    ...(who === undefined ? {} : { who }),
    ...(time === undefined ? {} : { time }),
    ...(label === undefined ? {} : { label }),
    score,
  };
}

/** True when at some place there is enough of what the terms weigh together. */
export function isAnswered(spots: readonly Spot[], terms: readonly WeighedTerm[]): boolean {
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  const missing = terms.reduce((sum, term) => sum + (isLoose(term) ? term.weight * looseShare : 0), 0);
  const least = (leastCovered(terms) * (all - missing)) / all;
  return spots.some(({ covered, isExact }) => isExact || covered >= least);
}

/** About somebody who is known here little else need be; somebody who is nowhere leaves the rest to chance. */
function leastCovered(terms: readonly WeighedTerm[]): number {
  if (terms.some(({ isName }) => isName)) return 0.05;
  return terms.some(({ isProper, forms }) => isProper && forms.length === 0) ? 0.4 : 0.25;
}

/** Of the pairs of characters in a Chinese question about half reach over the end of a word, and are in no line for that reason. */
const looseShare = 0.5;

function isLoose({ forms, isPair }: WeighedTerm): boolean {
  return forms.length === 0 && isPair;
}
