/** The memory store that comes with the product: words and vectors in one SQLite file. */
import type {
  MemoryAnswer,
  MemoryChange,
  MemoryFreshness,
  MemoryLine,
  MemoryQuery,
  MemoryStore,
} from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { createSay } from "../../infra/texts.ts";
import type { Language } from "../../infra/texts/table.ts";
import { countIndex, countLines, lastWrite, listSources } from "../../storage/memory-index/index-counts.ts";
import { isDamagedIndex, isSound } from "../../storage/memory-index/index-damage.ts";
import { createIndexWriter, type Written } from "../../storage/memory-index/index-writer.ts";
import {
  openIndex,
  type OpenIndex,
  otherWrites,
  remakeIndex,
} from "../../storage/memory-index/open-index.ts";
import { createVectorRows } from "../../storage/memory-index/vector-rows.ts";
import { createVectorTable } from "../../storage/memory-index/vector-table.ts";
import { asStorageError } from "../../storage/sqlite/sqlite-errors.ts";
import type { Embedder } from "../embedders/embedder.ts";
import { indexTerms, termsVersion } from "../search/index-terms.ts";
import { searchLines } from "../search/search-lines.ts";
import { createEmbedding, hashOf } from "./embed-missing.ts";
import { createLineVectors, type LineVectors } from "./line-vectors.ts";
import { linesVersion } from "./lines-of-file.ts";
import { askForVector } from "./question-vector.ts";

export interface MemoryStoreParts {
  file: string;
  tenantId: string;
  embedder: Embedder | undefined;
  /** How many unused vectors are cached. */
  cacheMaxEntries: number;
  clock: Clock;
  /** The language of problem messages; English by default. */
  language?: Language | undefined;
}

/** The caller closes it, and then the embedder. Throws PincerError if the file cannot be created. */
export async function openMemoryStore(parts: MemoryStoreParts): Promise<MemoryStore> {
  const { file, tenantId, embedder, clock, language = "en" } = parts;
  const say = createSay(language);
  const versions = { terms: termsVersion, lines: linesVersion };
  let opened = furnish(await openIndex({ file, versions, clock }), parts);
  let remaking: Promise<void> | undefined;
  let isClosed = false;
  const closing = new AbortController();

  /** A damaged index is replaced by an empty one; the call that found it fails, and the next works. */
  async function guarded<Result>(work: (current: OpenedIndex) => Promise<Result> | Result): Promise<Result> {
    await remaking;
    if (isClosed) throw failure("storage/unavailable", "memory.index.closed");
    // Retries a replacement that failed before.
    if (!opened.index.connection.isOpen) await begin();
    const used = opened;
    try {
      return await work(used);
    } catch (error) {
      if (!isBroken(used, error)) throw asStorageError(error, file);
      if (used === opened) await begin();
      const hint = "memory.index.damaged.hint";
      throw failure("storage/corrupt", "memory.index.damaged", { file }, { hint, cause: error });
    }
  }

  /** Another call may have found the damage, and closed the file during this one. */
  const isBroken = ({ index }: OpenedIndex, error: unknown): boolean =>
    !index.connection.isOpen || isDamagedIndex(error, index.reader);

  const begin = (): Promise<void> => (remaking ??= remake());

  async function remake(): Promise<void> {
    try {
      opened.index.close();
      opened = furnish(await remakeIndex({ file, versions, clock }), parts);
    } finally {
      remaking = undefined;
    }
  }

  return {
    put: (source, lines, stamp) =>
      guarded(async (at) => at.keepStep(await at.writer.put(source, tidy(lines), stamp))),
    append: (source, lines, stamp) =>
      guarded(async (at) => at.keepStep(await at.writer.append(source, tidy(lines), stamp))),
    remove: (sourceId) =>
      guarded(async (at) => {
        const written = await at.writer.remove(sourceId);
        if (written) at.keepStep(written);
        return written !== undefined;
      }),
    sources: (agentId) => guarded(({ index }) => listSources(index.reader, tenantId, agentId)),
    async search(query, signal = new AbortController().signal) {
      signal.throwIfAborted();
      // Outside: an embedder takes its time, and the index may be another one afterwards.
      const meaning = embedder && (await askForVector(embedder, query.text, { clock, signal, say }));
      return guarded((at) => searchIn(at, query, meaning));
    },
    status: () =>
      guarded(async (at) => ({
        ...countIndex(at.index.reader, tenantId),
        ...(await freshnessOf(at)),
        cachedVectors: at.table.count(),
        embedder: embedder?.id ?? null,
        ...at.embedding.problem(),
      })),
    embedMissing: ({ signal, onProgress } = {}) =>
      guarded((at) =>
        at.embedding.run({
          signal: AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]),
          onProgress,
        }),
      ),
    clear: ({ keepVectors = false } = {}) =>
      guarded(async (at) => {
        const isUsable = await isCleared(at);
        if (!isUsable && at === opened) await begin();
        if (!keepVectors) await opened.writer.write(() => opened.table.removeAll());
        opened.lostTrack();
      }),
    async close() {
      if (isClosed) return;
      isClosed = true;
      closing.abort(failure("storage/unavailable", "memory.index.closed"));
      await remaking?.catch(() => undefined);
      await opened.embedding.ended();
      await opened.writer.idle();
      opened.index.close();
    },
  };

  /** False where the file is of no use any more, though nothing but emptying it was asked for. */
  async function isCleared(at: OpenedIndex): Promise<boolean> {
    try {
      await at.writer.clear();
      return isSound(at.index.reader);
    } catch (error) {
      if (!isBroken(at, error)) throw error;
      return false;
    }
  }

  async function searchIn(at: OpenedIndex, query: MemoryQuery, meaning: Meaning): Promise<MemoryAnswer> {
    const { vectors, embedding } = at;
    const asked = meaning && "vector" in meaning ? meaning.vector : undefined;
    await at.refresh();
    if (asked) embedding.compareSizes(vectors?.size(), asked.length);
    const freshness = await freshnessOf(at);
    const vector = embedding.isMakingAnew() ? undefined : asked;
    const byMeaning =
      vector && vectors && embedder
        ? {
            strength: embedder.strength,
            scores: (lineIds: readonly number[]) => vectors.scores(vector, lineIds),
            nearest: (limit: number) => vectors.nearest(vector, limit, query.scope),
          }
        : undefined;
    const hits = searchLines({ connection: at.index.reader, tenantId, vectors: byMeaning }, query);
    return {
      hits,
      mode: byMeaning ? "words-and-meaning" : "words",
      ...(asked && !vector
        ? { degraded: say("embedder.making-anew", { embedder: embedder?.id ?? "" }) }
        : {}),
      ...(meaning && "problem" in meaning ? { degraded: meaning.problem } : {}),
      freshness,
    };
  }

  async function freshnessOf(at: OpenedIndex): Promise<MemoryFreshness> {
    await at.refresh();
    const settled = at.embedding.isToForget() ? 0 : at.vectors?.settled();
    const linesWithoutVector = settled === undefined ? 0 : Math.max(0, at.lines() - settled);
    return { linesWithoutVector, writtenAt: lastWrite(at.index.reader) };
  }
}

type Meaning = Awaited<ReturnType<typeof askForVector>> | undefined;
type OpenedIndex = ReturnType<typeof furnish>;

/** What works on one open file. */
function furnish(index: OpenIndex, parts: MemoryStoreParts) {
  const { tenantId, embedder, cacheMaxEntries, clock, language = "en" } = parts;
  const writer = createIndexWriter({
    connection: index.connection,
    isCurrent: index.isCurrent,
    tenantId,
    clock,
    termsOf: indexTerms,
    hashOf,
  });
  const table = createVectorTable(index.connection, tenantId);
  const vectors: LineVectors | undefined =
    embedder && createLineVectors(createVectorRows(index.reader, tenantId), embedder.id);
  const embedding = createEmbedding({
    embedder,
    table,
    writer,
    clock,
    cacheMaxEntries,
    say: createSay(language),
    onVectors: (lineIds) => vectors?.touch(lineIds),
    onForgotten: () => vectors?.forget(),
  });
  let lines: number | undefined;
  let others = otherWrites(index);

  function lostTrack(): void {
    lines = undefined;
    vectors?.forget();
  }

  return {
    index,
    writer,
    table,
    vectors,
    embedding,
    lostTrack,
    lines: () => (lines ??= countLines(index.reader, tenantId)),
    /** Another process may have written to the file. */
    async refresh() {
      const now = otherWrites(index);
      if (now !== others) lostTrack();
      others = now;
      await vectors?.refresh();
    },
    keepStep({ touched, change }: Written): MemoryChange {
      vectors?.touch(touched);
      if (lines !== undefined) lines += change.added - change.removed;
      return change;
    },
  };
}

/** As SQLite gives it back: half a character would be another one there, and every line that has one would look changed. */
function tidy(lines: readonly MemoryLine[]): MemoryLine[] {
  return lines.map((line) => ({
    ...line,
    text: plain(line.text),
    who: line.who === undefined ? undefined : plain(line.who),
  }));
}

const plain = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD");
