/** What measuring memory came to, as a table that people compare. */
import type { MemoryBenchParts, MemoryBenchReport } from "../app/bench-memory.ts";
import { formatCount } from "../infra/format-amounts.ts";
import type { Say } from "../infra/texts.ts";
import { percent } from "./progress-line.ts";
import { table } from "./table.ts";

type Figures = MemoryBenchReport["overall"];
type Progress = Parameters<MemoryBenchParts["onProgress"]>[0];

const figures = ["R@5", "R@10", "R@20", "MRR", "nDCG@10", "R@400t", "R@1600t", "nothing"] as const;

/** Shares are in percent, with one digit behind the point. */
export function benchWords(report: MemoryBenchReport, say: Say): string {
  const { categories, overall, unanswerable, degraded, searchMs, embedSeconds } = report;
  const head = say("memory.bench.head", {
    name: report.name,
    lines: formatCount(report.lines),
    questions: formatCount(report.questions),
    embedder: report.embedder ?? "none",
  });
  const columns = figures.map((name) => (name === "nothing" ? say("memory.bench.column.nothing") : name));
  const row = (name: string, each: Figures) => [
    name,
    formatCount(each.questions),
    ...figures.map((figure) => share(each[figure])),
  ];
  const rows = table([
    [say("memory.bench.column.category"), say("memory.bench.column.questions"), ...columns],
    ...categories.map((each) =>
      row(each.counts ? each.category : say("memory.bench.other", { category: each.category }), each),
    ),
    row(say("memory.bench.headline"), overall),
  ]);
  const index = decimal(report.indexSeconds, 2);
  const lines = [
    ...(unanswerable.questions > 0
      ? [
          say("memory.bench.unanswerable", {
            questions: formatCount(unanswerable.questions),
            share: share(unanswerable.nothing),
          }),
        ]
      : []),
    say("memory.bench.time", { p50: decimal(searchMs.p50, 1), p95: decimal(searchMs.p95, 1), index }),
    ...(report.embedder === null
      ? []
      : [say("memory.bench.embed-time", { seconds: decimal(embedSeconds, 1) })]),
    ...(degraded ? [say("memory.bench.degraded", degraded)] : []),
  ];
  return `${head}\n\n${rows}\n${lines.join("\n")}\n`;
}

export function benchProgressWords(progress: Progress, say: Say): string {
  const { name } = progress;
  if (progress.type === "indexing") return say("memory.bench.indexing", { name });
  const { done, total } = progress;
  if (progress.type === "asking") return say("memory.bench.asking", { name, done, total });
  return say("memory.bench.embedding", { name, share: percent(done, total) });
}

const decimal = (value: number, digits: number): string => value.toFixed(digits);
/** A figure that cannot be told is a dash. */
const share = (value: number | null): string => (value === null ? "–" : decimal(value * 100, 1));
