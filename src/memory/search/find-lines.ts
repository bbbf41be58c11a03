/**
 * The lines that contain terms of a question. Reads rare terms first, up to a limit: common words cost the most and
 * tell the least.
 */
import type { LineReader } from "../../storage/memory-index/read-lines.ts";
import type { WordReader } from "../../storage/memory-index/read-words.ts";
import type { FoundLine } from "./rank-lines.ts";
import type { WeighedTerm } from "./weigh-terms.ts";

export interface IndexReaders {
  words: WordReader;
  lines: LineReader;
}

/** At most `most` of those in scope: the ones that have the most, the newest first among equals. */
export function findLines(terms: readonly WeighedTerm[], readers: IndexReaders, most: number): FoundLine[] {
  const { postings, tooMany } = readPostings(terms, readers);
  const found = lookUp(postings, terms, readers, most);
  if (tooMany.length === 0 || found.length >= few || readers.lines.isWhole()) return found;
  // What is everywhere else may be rare in a small scope.
  const within = tooMany.slice(0, mostWithin).map(({ term, share, stem }) => {
    const lineIds = readers.words.placesWithin(stem, readers.lines.sourceIds());
    return { term, share, lineIds };
  });
  return lookUp([...postings, ...within], terms, readers, most);
}

function lookUp(
  postings: readonly Posting[],
  terms: readonly WeighedTerm[],
  { lines }: IndexReaders,
  most: number,
): FoundLine[] {
  const lineIds = bestFirst(postings, terms);
  const found = new Map<number, FoundLine>();
  // Whether a line is in scope is known only when it has been looked up: those outside must not take the place of those inside.
  for (let at = 0; at < lineIds.length && found.size < most; at += most)
    for (const place of lines.placesOf(lineIds.slice(at, at + most)))
      found.set(place.lineId, { ...place, matches: [] });
  for (const posting of postings) addMatches(found, posting);
  return [...found.values()];
}

interface Posting {
  term: number;
  share: number;
  /** Rising; a line as often as it has the term. */
  lineIds: number[];
}

/** Places read for one question: of few lines half as many as there are, of many not more than take some milliseconds. */
const placesPerLine = 0.5;
const fewestPlaces = 2_000;
const mostPlaces = 16_000;

/** With fewer lines than this, terms that were too many to read are read within the scope. */
const few = 50;
const mostWithin = 3;

function readPostings(terms: readonly WeighedTerm[], { words, lines }: IndexReaders) {
  const rarestFirst = terms
    .flatMap(({ forms }, term) => forms.map((form) => ({ ...form, term })))
    .toSorted((a, b) => a.lines - b.lines);
  const postings: Posting[] = [];
  let left = Math.min(mostPlaces, Math.max(fewestPlaces, lines.total() * placesPerLine));
  for (const [at, { term, share, stem, lines: count }] of rarestFirst.entries()) {
    if (count > left && postings.length > 0) return { postings, tooMany: rarestFirst.slice(at) };
    // Where even the rarest is everywhere, the newest of its lines.
    const from = count > left ? Math.floor(lines.lastLineId() * (1 - left / count)) : 0;
    postings.push({ term, share, lineIds: words.places(stem, "body", from) });
    if (count > left) return { postings, tooMany: rarestFirst.slice(at) };
    left -= count;
  }
  return { postings, tooMany: [] };
}

/** All rows that have any term, by what their terms weigh together. */
function bestFirst(postings: readonly Posting[], terms: readonly WeighedTerm[]): number[] {
  const weights = new Map<number, number>();
  for (const { term, share, lineIds } of postings) {
    const weight = (terms[term]?.weight ?? 0) * share;
    let last = 0;
    for (const lineId of lineIds) {
      if (lineId !== last) weights.set(lineId, (weights.get(lineId) ?? 0) + weight);
      last = lineId;
    }
  }
  return [...weights].toSorted((a, b) => b[1] - a[1] || b[0] - a[0]).map(([lineId]) => lineId);
}

function addMatches(found: ReadonlyMap<number, FoundLine>, { term, share, lineIds }: Posting): void {
  for (const lineId of lineIds) {
    const matches = found.get(lineId)?.matches;
    if (!matches) continue;
    const last = matches.at(-1);
    if (last?.term === term && last.share === share) last.times += 1;
    else matches.push({ term, times: 1, share });
  }
}
