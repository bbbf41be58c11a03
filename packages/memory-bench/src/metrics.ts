/** How well a ranking serves a question whose answers are known. All figures are from 0 to 1, and more is better. */

/** One returned line: the document that it is, and what reading it costs. */
export interface RankedLine {
  /** Undefined for a line that is no document, such as a heading. */
  id: string | undefined;
  tokens: number;
}

export interface JudgedQuestion {
  /** Best first; no document twice. */
  ranked: readonly RankedLine[];
  /** Never empty. */
  relevant: ReadonlySet<string>;
}

/** Null where too few lines were asked for to tell. */
export interface Measures {
  "R@5": number | null;
  "R@10": number | null;
  "R@20": number | null;
  MRR: number;
  "nDCG@10": number | null;
  "R@400t": number;
  "R@1600t": number | null;
}

/** With fewer lines most questions would end before 1600 tokens are read. */
const linesFor1600Tokens = 60;

/** The mean over the questions, each counting alike and each asked for `limit` lines; all 0 without any. */
export function measure(questions: readonly JudgedQuestion[], limit: number): Measures {
  const from = (lines: number, figure: (question: JudgedQuestion) => number): number | null =>
    limit < lines ? null : mean(figure);
  const mean = (figure: (question: JudgedQuestion) => number): number =>
    questions.length === 0 ? 0 : questions.reduce((sum, each) => sum + figure(each), 0) / questions.length;
  return {
    "R@5": from(5, (question) => recallAt(5, question)),
    "R@10": from(10, (question) => recallAt(10, question)),
    "R@20": from(20, (question) => recallAt(20, question)),
    MRR: mean(reciprocalRank),
    "nDCG@10": from(10, (question) => gainAt(10, question)),
    "R@400t": mean((question) => recallWithin(400, question)),
    "R@1600t": from(linesFor1600Tokens, (question) => recallWithin(1600, question)),
  };
}

/** The share of the answers that is among the first `count` lines. */
export const recallAt = (count: number, { ranked, relevant }: JudgedQuestion): number =>
  shareFound(ranked.slice(0, count), relevant);

/** The share of the answers that is read before `tokens` are used up; the first line that does not fit any more ends it. */
export function recallWithin(tokens: number, { ranked, relevant }: JudgedQuestion): number {
  let used = 0;
  const end = ranked.findIndex((line) => (used += line.tokens) > tokens);
  return shareFound(end < 0 ? ranked : ranked.slice(0, end), relevant);
}

/** One by the place of the first answer. */
export function reciprocalRank({ ranked, relevant }: JudgedQuestion): number {
  const at = ranked.findIndex(({ id }) => id !== undefined && relevant.has(id));
  return at < 0 ? 0 : 1 / (at + 1);
}

/** Discounted gain against the best that could be: every answer first. */
export function gainAt(count: number, { ranked, relevant }: JudgedQuestion): number {
  const gain = (at: number): number => 1 / Math.log2(at + 2);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  const found = ranked
    .slice(0, count)
    .map(({ id }, at) => (id !== undefined && relevant.has(id) ? gain(at) : 0));
  const ideal = Array.from({ length: Math.min(count, relevant.size) }, (_, at) => gain(at));
  return sum(found) / sum(ideal);
}

/** The value below which that share of them lies: the nearest one that occurred; 0 without any. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function shareFound(lines: readonly RankedLine[], relevant: ReadonlySet<string>): number {
  const found = new Set(lines.flatMap(({ id }) => (id !== undefined && relevant.has(id) ? [id] : [])));
  return found.size / relevant.size;
}
