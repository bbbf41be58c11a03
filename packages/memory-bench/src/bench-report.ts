/** The figures of a bench, out of what each question brought back. */
import { measure, percentile, type JudgedQuestion, type Measures } from "./metrics.ts";

export interface AskedQuestion extends JudgedQuestion {
  category: string;
  collection: string;
  ms: number;
  /** Why the search by meaning was skipped. */
  degraded?: string | undefined;
}

/** Of questions that something answers. `nothing`: the share for which nothing at all came back. */
export interface BenchFigures extends Measures {
  questions: number;
  nothing: number;
}

export interface BenchReport {
  name: string;
  embedder: string | null;
  /** How many lines each question asked for. */
  limit: number;
  lines: number;
  /** All of them. */
  questions: number;
  /** Over the categories that count. */
  overall: BenchFigures;
  categories: Array<BenchFigures & { category: string; counts: boolean }>;
  /** Over the categories that count. */
  collections: Array<BenchFigures & { collection: string }>;
  /** Questions that nothing answers; here nothing coming back is right. */
  unanswerable: { questions: number; nothing: number };
  searchMs: { p50: number; p95: number };
  indexSeconds: number;
  embedSeconds: number;
  degraded?: { questions: number; reason: string };
}

export interface BenchFacts {
  name: string;
  /** The categories that count; all of them where it is empty. */
  headline: readonly string[];
  limit: number;
  asked: readonly AskedQuestion[];
  lines: number;
  embedder: string | null;
  indexMs: number;
  embedMs: number;
  problem: string | undefined;
}

export function reportOf({ headline, asked, indexMs, embedMs, problem, ...facts }: BenchFacts): BenchReport {
  const figuresOf = (questions: readonly JudgedQuestion[]): BenchFigures => ({
    questions: questions.length,
    ...measure(questions, facts.limit),
    nothing: shareWithNothing(questions),
  });
  const counts = (category: string) => headline.length === 0 || headline.includes(category);
  const answerable = asked.filter(({ relevant }) => relevant.size > 0);
  const unanswerable = asked.filter(({ relevant }) => relevant.size === 0);
  const counting = answerable.filter(({ category }) => counts(category));
  const times = asked.map(({ ms }) => ms);
  const degraded = asked.filter((question) => question.degraded !== undefined);
  const reason = degraded[0]?.degraded ?? problem;
  return {
    ...facts,
    questions: asked.length,
    overall: figuresOf(counting),
    categories: [...Map.groupBy(answerable, ({ category }) => category)]
      .map(([category, questions]) => ({ category, counts: counts(category), ...figuresOf(questions) }))
      .toSorted((a, b) => Number(b.counts) - Number(a.counts) || (a.category < b.category ? -1 : 1)),
    collections: [...Map.groupBy(counting, ({ collection }) => collection)].map(
      ([collection, questions]) => ({
        collection,
        ...figuresOf(questions),
      }),
    ),
    unanswerable: { questions: unanswerable.length, nothing: shareWithNothing(unanswerable) },
    searchMs: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
    indexSeconds: indexMs / 1000,
    embedSeconds: embedMs / 1000,
    ...(reason === undefined ? {} : { degraded: { questions: degraded.length, reason } }),
  };
}

const shareWithNothing = (questions: readonly JudgedQuestion[]): number =>
  questions.length === 0
    ? 0
    : questions.filter(({ ranked }) => ranked.length === 0).length / questions.length;
