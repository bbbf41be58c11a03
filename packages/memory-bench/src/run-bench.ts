/**
 * Measures how well memory is found: writes the documents of a set as memory files, indexes and searches them with
 * the product's store, and compares the results with the expected ones.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { memorySourceKinds, type MemoryHit, type MemoryStore } from "@pincer/sdk";
import type { Clock } from "../../../src/infra/clock.ts";
import { safeFileName } from "../../../src/infra/safe-file-name.ts";
import { syncFiles } from "../../../src/memory/index/sync-files.ts";
import type { BenchCollection, BenchDoc, BenchSet } from "./bench-set.ts";
import { collectionFiles, type CollectionFiles } from "./collection-files.ts";
import { reportOf, type AskedQuestion, type BenchReport } from "./bench-report.ts";
import type { RankedLine } from "./metrics.ts";

export interface BenchOptions {
  /** Where files and indexes go; there and empty. */
  directory: string;
  /** How many lines each question asks for. */
  limit: number;
}

export interface BenchParts {
  /** Called once for each collection; what it opens is closed. */
  openStore(file: string): Promise<MemoryStore>;
  clock: Pick<Clock, "now">;
  /** Milliseconds, with their fractions. */
  stopwatch(): number;
  signal: AbortSignal;
  onProgress(progress: BenchProgress): void;
}

export type BenchProgress =
  | { type: "indexing"; name: string }
  | { type: "embedding" | "asking"; name: string; done: number; total: number };

/** What one collection came to. */
interface Tried {
  asked: AskedQuestion[];
  lines: number;
  embedder: string | null;
  indexMs: number;
  embedMs: number;
  problem: string | undefined;
}

/** Rejects with the signal's reason when it aborts. */
export async function runBench(
  set: BenchSet,
  { directory, limit }: BenchOptions,
  parts: BenchParts,
): Promise<BenchReport> {
  const tried: Tried[] = [];
  for (const [at, collection] of set.collections.entries()) {
    const place = join(directory, `${at + 1}-${safeFileName(collection.name)}`);
    tried.push(await tryCollection(collection, { directory: place, limit }, parts));
  }
  const sum = (figure: (each: Tried) => number) => tried.reduce((total, each) => total + figure(each), 0);
  return reportOf({
    name: set.name,
    headline: set.headline ?? [],
    limit,
    asked: tried.flatMap(({ asked }) => asked),
    lines: sum(({ lines }) => lines),
    embedder: tried[0]?.embedder ?? null,
    indexMs: sum(({ indexMs }) => indexMs),
    embedMs: sum(({ embedMs }) => embedMs),
    problem: tried.find(({ problem }) => problem !== undefined)?.problem,
  });
}

async function tryCollection(
  collection: BenchCollection,
  { directory, limit }: BenchOptions,
  parts: BenchParts,
): Promise<Tried> {
  const { signal, stopwatch, onProgress } = parts;
  const { name, queries, docs } = collection;
  const written = collectionFiles(collection);
  const workdir = join(directory, "workdir");
  await writeFiles(workdir, written);

  onProgress({ type: "indexing", name });
  const store = await parts.openStore(join(directory, "index.db"));
  try {
    const begun = stopwatch();
    const place = { agentId, workdir, closed: join(directory, "closed"), timezone };
    const { skipped } = await syncFiles(store, place, { signal });
    // The files are ours: one that could not be read would make every figure wrong.
    if (skipped[0]) throw new Error(`${skipped[0].path}: ${skipped[0].reason}`);
    const indexed = stopwatch();
    const { problem } = await store.embedMissing({
      signal,
      onProgress: ({ done, total }) => onProgress({ type: "embedding", name, done, total }),
    });
    const embedded = stopwatch();

    const now = endOf(docs) ?? parts.clock.now();
    const asked: AskedQuestion[] = [];
    for (const [at, { text, category, relevant }] of queries.entries()) {
      signal.throwIfAborted();
      onProgress({ type: "asking", name, done: at + 1, total: queries.length });
      const started = stopwatch();
      const { hits, degraded } = await store.search({ text, limit, now, timezone, scope }, signal);
      const ms = stopwatch() - started;
      const ranked = rankedLines(hits, written);
      asked.push({ category, collection: name, ranked, relevant: new Set(relevant), ms, degraded });
    }
    const { lines, embedder } = await store.status();
    return { asked, lines, embedder, indexMs: indexed - begun, embedMs: embedded - indexed, problem };
  } finally {
    await store.close();
  }
}

const agentId = "bench";
const timezone = "UTC";
const scope = { agentId, kinds: memorySourceKinds };

async function writeFiles(workdir: string, { files }: CollectionFiles): Promise<void> {
  for (const [path, lines] of files) {
    const file = join(workdir, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  }
}

/** Questions about a time are asked when the last of it is over. */
function endOf(docs: readonly BenchDoc[]): number | undefined {
  const times = docs
    .flatMap(({ date }) => (date ? [momentOf(date)] : []))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : times.reduce((latest, time) => Math.max(latest, time));
}

function momentOf(date: string): number {
  const text = date.replace(" ", "T");
  return Date.parse(text.length > 10 && !/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? `${text}Z` : text);
}

/** Each line once: parts of a long one share its number. What it costs to read is its bytes, a quarter of a token each. */
function rankedLines(hits: readonly MemoryHit[], written: CollectionFiles): RankedLine[] {
  const places = new Map(hits.map((hit) => [`${hit.path}:${hit.line}`, hit]));
  return [...places.values()].map(({ path, line }) => ({
    id: written.docAt(path, line),
    tokens: Buffer.byteLength(written.lineAt(path, line)) / 4,
  }));
}
