/** Computes and stores the vectors that lines lack, each text once. */
import { createHash } from "node:crypto";
import type { MemoryLine } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import type { IndexWriter } from "../../storage/memory-index/index-writer.ts";
import type { MissingText, VectorTable } from "../../storage/memory-index/vector-table.ts";
import type { Say } from "../../infra/texts.ts";
import { type Embedder, EmbedderError, sayProblem } from "../embedders/embedder.ts";
import { hasDirection, quantise } from "../embedders/quantise.ts";

export interface Embedding {
  /** One run at a time. */
  run(options: EmbedOptions): Promise<Embedded>;
  /** Why the last run did not come to its end. */
  problem(): { problem?: string };
  /** If a new vector has another size than the stored ones, the next run recomputes them. */
  compareSizes(kept: number | undefined, came: number): void;
  /** Until they are forgotten. */
  isToForget(): boolean;
  /** From then on until a run has made them all: what is kept must not be searched. */
  isMakingAnew(): boolean;
  /** Resolves when no run is under way. */
  ended(): Promise<void>;
}

/** Without an embedder there is nothing to do. */
export function createEmbedding({
  embedder,
  ...parts
}: Omit<EmbedParts, "embedder" | "anew"> & { embedder: Embedder | undefined }): Embedding {
  let last: Promise<unknown> = Promise.resolve();
  let problem: string | undefined;
  const anew: Anew = { isDue: false, isUnderWay: false };
  return {
    run(options) {
      if (!embedder) return Promise.resolve({ embedded: 0, left: 0 });
      const mine = last.then(async () => {
        const answer = await embedMissing({ embedder, anew, ...parts }, options);
        problem = answer.problem;
        if (problem === undefined) anew.isUnderWay = anew.isDue;
        return answer;
      });
      last = mine.catch(() => undefined);
      return mine;
    },
    problem: () => (problem === undefined ? {} : { problem }),
    compareSizes(kept, came) {
      const isOther = kept !== undefined && kept !== came;
      if (isOther && !anew.isUnderWay) Object.assign(anew, { isDue: true, isUnderWay: true });
      // Another process has recomputed them meanwhile.
      else if (!isOther && anew.isDue) Object.assign(anew, { isDue: false, isUnderWay: false });
    },
    isToForget: () => anew.isDue,
    isMakingAnew: () => anew.isUnderWay,
    ended: async () => {
      await last;
    },
  };
}

interface EmbedParts {
  embedder: Embedder;
  table: VectorTable;
  writer: Pick<IndexWriter, "write">;
  clock: Clock;
  cacheMaxEntries: number;
  /** The language of problem messages. */
  say: Say;
  /** Rows that have a vector now. */
  onVectors(lineIds: number[]): void;
  /** No row has one any more. */
  onForgotten(): void;
  anew: Anew;
}

/** Whether what is kept is of no use: it is still to be forgotten, or all of it is not made again yet. */
interface Anew {
  isDue: boolean;
  isUnderWay: boolean;
}

interface EmbedOptions {
  signal: AbortSignal;
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
}

interface Embedded {
  embedded: number;
  left: number;
  problem?: string;
}

const mostTries = 6;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/** Resolves when none is left, or with the problem that keeps it from going on. Rejects with the signal's reason. */
async function embedMissing(parts: EmbedParts, { signal, onProgress }: EmbedOptions): Promise<Embedded> {
  const { embedder, table, writer, clock, cacheMaxEntries, onVectors, anew } = parts;
  if (anew.isDue) await forgetAll(parts);
  let total = table.countMissing(embedder.id);
  let size = table.sizeOf(embedder.id);
  let [embedded, done] = [0, 0];
  let hasForgotten = false;
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const batch = table.missing(embedder.id, after, embedder.batchSize);
    if (batch.length === 0) break;
    const answer = await vectorsOf(parts, batch, signal);
    if ("problem" in answer)
      return { embedded, left: table.countMissing(embedder.id), problem: answer.problem };
    const other = sizeOf(answer.vectors);
    if (size !== undefined && other !== undefined && size !== other) {
      // A provider that alternates between sizes would cause endless recomputation.
      if (hasForgotten) return giveUp(parts, { embedded, size, other });
      await forgetAll(parts);
      hasForgotten = true;
      [total, done, after] = [table.countMissing(embedder.id), 0, 0];
      size = other;
      continue;
    }
    size ??= other;
    const texts = batch.map(({ hash }, at) => {
      const vector = answer.vectors.get(at);
      return { hash, vector: vector && hasDirection(vector) ? quantise(vector) : undefined };
    });
    await writer.write(() => table.save(embedder.id, texts, clock.now()));
    const lines = table.linesWith(batch.map(({ hash }) => hash));
    onVectors(lines);
    embedded += answer.vectors.size;
    done += lines.length;
    after = Math.max(...batch.map(({ lineId }) => lineId));
    onProgress?.({ done: Math.min(done, total), total });
  }
  await writer.write(() => table.prune(embedder.id, cacheMaxEntries));
  return { embedded, left: table.countMissing(embedder.id) };
}

/** What is kept cannot be compared with what comes now. */
async function forgetAll({ writer, table, embedder, onForgotten, anew }: EmbedParts): Promise<void> {
  await writer.write(() => table.removeOf(embedder.id));
  Object.assign(anew, { isDue: false, isUnderWay: true });
  onForgotten();
}

const giveUp = (
  { table, embedder, say }: EmbedParts,
  { embedded, size, other }: { embedded: number; size: number; other: number },
): Embedded => ({
  embedded,
  left: table.countMissing(embedder.id),
  problem: say("embedder.failed.sizes", { embedder: embedder.id, size, other }),
});

const sizeOf = (vectors: ReadonlyMap<number, Float32Array>): number | undefined =>
  vectors.values().find(hasDirection)?.length;

/** By their place in the batch; none for a text that the embedder does not take. */
async function vectorsOf(
  { embedder, clock, say }: EmbedParts,
  batch: readonly MissingText[],
  signal: AbortSignal,
): Promise<{ vectors: Map<number, Float32Array> } | { problem: string }> {
  const texts = batch.map(vectorText);
  const places = texts
    .keys()
    .filter((at) => accepts(embedder, texts[at] ?? ""))
    .toArray();
  if (places.length === 0) return { vectors: new Map() };
  for (let tries = 1; ; tries += 1) {
    try {
      const wanted = places.map((at) => texts[at] ?? "");
      const vectors = await embedder.embed(wanted, "document", signal);
      return { vectors: new Map(places.map((at, index) => [at, vectors[index] ?? new Float32Array(0)])) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EmbedderError)) throw error;
      if (!error.retryable || tries >= mostTries) return { problem: sayProblem(error, say) };
      const pauseMs = Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs);
      await clock.sleep(Math.min(error.retryAfterMs ?? pauseMs, longestPauseMs), signal);
    }
  }
}

const accepts = (embedder: Embedder, text: string): boolean => embedder.accepts?.(text) ?? true;

/** What a vector is made of: neither place nor time, so that a line that comes back has its vector at once. */
const vectorText = ({ who, text }: Pick<MemoryLine, "who" | "text">): string =>
  who === undefined ? text : `${who}: ${text}`;

/** By it a text is known again. */
export const hashOf = (line: Pick<MemoryLine, "who" | "text">): Uint8Array =>
  createHash("sha256").update(vectorText(line)).digest().subarray(0, 16);
