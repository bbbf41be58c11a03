/**
 * The vectors of all lines, for searches by meaning. Their codes are in one block of memory and scanned together; the
 * nearest are rescored by the bytes in the file. Loaded with the first search, and updated with writes.
 */
import type { MemoryScope } from "@pincer/sdk";
import type { LineCode, VectorRows } from "../../storage/memory-index/vector-rows.ts";
import { cosine, nearestCodes, quantise, wordsOf } from "../embedders/quantise.ts";

export interface LineVectors {
  /** Brings it in step with the file. */
  refresh(): Promise<void>;
  /** Rows whose vector may be another now. */
  touch(lineIds: readonly number[]): void;
  /** Anything may have changed. */
  forget(): void;
  /** Lines that need no vector any more: they have one, or the embedder takes no such text. As of the last refresh. */
  settled(): number;
  /** How many numbers their vectors have; undefined without any. As of the last refresh. */
  size(): number | undefined;
  /** How near lines are to a question, from 0 to 1. To be asked at once after a refresh. */
  scores(question: Float32Array, lineIds: readonly number[]): Map<number, number>;
  /** The nearest lines in scope, the best first. */
  nearest(
    question: Float32Array,
    limit: number,
    scope: MemoryScope,
  ): Array<{ lineId: number; score: number }>;
}

/** Read per step, before other work runs. */
const slice = 2_000;
/** After more changes a full reload is quicker. */
const mostTouched = 20_000;
/** How many candidates, near by their codes, are compared by their bytes. */
const weighed = 400;

export function createLineVectors(rows: VectorRows, embedder: string): LineVectors {
  let codes = createCodes();
  let isLoaded = false;
  let size: number | undefined;
  let touched = new Set<number>();
  let refreshing: Promise<void> | undefined;

  async function bringInStep(): Promise<void> {
    if (!isLoaded || touched.size > mostTouched) await load();
    while (touched.size > 0) {
      const some = [...touched].slice(0, slice);
      for (const lineId of some) touched.delete(lineId);
      const found = new Map(rows.codesOf(embedder, some).map((row) => [row.lineId, row]));
      for (const lineId of some) codes.set(lineId, found.get(lineId));
    }
    if (codes.size() > 0) size ??= rows.sizeOf(embedder);
  }

  async function load(): Promise<void> {
    const fresh = createCodes();
    touched = new Set();
    isLoaded = true;
    size = undefined;
    for (let after = 0; ;) {
      const some = rows.codesAfter(embedder, after, slice);
      for (const row of some) fresh.set(row.lineId, row);
      const last = some.at(-1);
      if (!last || some.length < slice) break;
      after = last.lineId;
      await new Promise((resolve) => setImmediate(resolve));
    }
    codes = fresh;
  }

  function scores(question: Float32Array, lineIds: readonly number[]): Map<number, number> {
    const found = rows.bytesOf(embedder, lineIds).filter(({ bytes }) => bytes.length > 0);
    return new Map(found.map(({ lineId, bytes }) => [lineId, Math.max(0, cosine(question, bytes))]));
  }

  return {
    refresh: () =>
      (refreshing ??= bringInStep().finally(() => {
        refreshing = undefined;
      })),
    touch(lineIds) {
      for (const lineId of lineIds) touched.add(lineId);
    },
    forget() {
      isLoaded = false;
    },
    settled: () => codes.size(),
    size: () => size,
    scores,
    nearest(question, limit, scope) {
      const sources = rows.sourcesIn(scope);
      const near = codes.nearest(wordsOf(quantise(question).code), Math.max(weighed, limit), sources);
      const ranked = [...scores(question, near)].map(([lineId, score]) => ({ lineId, score }));
      return ranked.toSorted((a, b) => b.score - a.score || a.lineId - b.lineId).slice(0, limit);
    },
  };
}

/** Codes in one block of memory. What is taken out leaves its place to the last. */
function createCodes() {
  let words = 0;
  let block = new Uint32Array(0);
  let lineIds: number[] = [];
  let sourceIds: number[] = [];
  const placeOf = new Map<number, number>();
  /** Lines that the embedder does not take. */
  const without = new Set<number>();

  function remove(lineId: number): void {
    without.delete(lineId);
    const place = placeOf.get(lineId);
    if (place === undefined) return;
    const last = lineIds.length - 1;
    const moved = lineIds[last] ?? 0;
    block.copyWithin(place * words, last * words, (last + 1) * words);
    lineIds[place] = moved;
    sourceIds[place] = sourceIds[last] ?? 0;
    placeOf.set(moved, place);
    placeOf.delete(lineId);
    lineIds.pop();
    sourceIds.pop();
  }

  function add({ lineId, sourceId, code }: LineCode): void {
    const own = wordsOf(code);
    if (words === 0) words = own.length;
    // Of another size than the rest: not to be compared with them.
    if (own.length !== words) return void without.add(lineId);
    const place = lineIds.length;
    if ((place + 1) * words > block.length) {
      const larger = new Uint32Array(Math.max(1_024, Math.ceil(place * 1.25) + 1) * words);
      larger.set(block);
      block = larger;
    }
    block.set(own, place * words);
    lineIds.push(lineId);
    sourceIds.push(sourceId);
    placeOf.set(lineId, place);
  }

  return {
    size: () => lineIds.length + without.size,
    set(lineId: number, row: LineCode | undefined): void {
      remove(lineId);
      if (!row) return;
      if (row.code.length === 0) without.add(lineId);
      else add(row);
    },
    nearest(question: Uint32Array, count: number, sources: ReadonlySet<number>): number[] {
      if (question.length !== words) return [];
      const used = block.subarray(0, lineIds.length * words);
      const places = nearestCodes(used, question, count, (place) => sources.has(sourceIds[place] ?? 0));
      return places.map((place) => lineIds[place] ?? 0);
    },
  };
}
