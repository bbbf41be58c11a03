/** A memory store for tests: it keeps lines in memory and finds those that share the most words with a question. No vectors. */
import { memorySourceKinds, type MemoryHit, type MemoryLine, type MemoryQuery } from "../memory-store.ts";
import type {
  MemoryChange,
  MemoryScope,
  MemorySource,
  MemorySourceKind,
  MemoryStore,
} from "../memory-store.ts";

interface Kept {
  source: MemorySource;
  lines: MemoryLine[];
  stamp: string;
}

export function createPlainMemoryStore({ now = () => Date.now() }: { now?: () => number } = {}): MemoryStore {
  const kept = new Map<string, Kept>();
  let writtenAt: string | null = null;
  let isClosed = false;

  /** Everything is done at once, so it is all or nothing. */
  async function write<Result>(work: () => Result): Promise<Result> {
    open();
    const result = work();
    writtenAt = new Date(now()).toISOString();
    return result;
  }

  function open(): void {
    if (isClosed) throw new Error("the store is closed");
  }

  const freshness = () => ({ linesWithoutVector: 0, writtenAt });

  return {
    put: (source, lines, stamp) =>
      write(() => {
        const before = kept.get(source.id)?.lines ?? [];
        kept.set(source.id, { source, lines: structuredClone([...lines]), stamp });
        return changeOf(before, lines);
      }),
    append: (source, lines, stamp) =>
      write(() => {
        const before = kept.get(source.id)?.lines ?? [];
        const last = lastLineOf(before);
        const added = structuredClone(lines.filter(({ line }) => line > last));
        kept.set(source.id, { source, lines: [...before, ...added], stamp });
        return { added: added.length, removed: 0, moved: 0 };
      }),
    remove: (sourceId) => write(() => kept.delete(sourceId)),
    async sources(agentId) {
      open();
      return [...kept.values()]
        .filter(({ source }) => agentId === undefined || source.agentId === agentId)
        .map(({ source, lines, stamp }) => ({
          id: source.id,
          stamp,
          lines: lines.length,
          lastLine: lastLineOf(lines),
        }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },
    async search(query, signal) {
      open();
      signal?.throwIfAborted();
      return { hits: find([...kept.values()], query), mode: "words", freshness: freshness() };
    },
    async status() {
      open();
      const all = [...kept.values()];
      const count = (kind: MemorySourceKind) =>
        all.filter(({ source }) => source.kind === kind).reduce((sum, { lines }) => sum + lines.length, 0);
      const byKind = Object.fromEntries(memorySourceKinds.map((kind) => [kind, count(kind)]));
      return {
        sources: all.length,
        lines: all.reduce((sum, { lines }) => sum + lines.length, 0),
        byKind: byKind as Record<MemorySourceKind, number>,
        cachedVectors: 0,
        bytes: JSON.stringify(all).length,
        embedder: null,
        ...freshness(),
      };
    },
    async embedMissing() {
      open();
      return { embedded: 0, left: 0 };
    },
    clear: () => write(() => kept.clear()),
    async close() {
      isClosed = true;
    },
  };
}

function changeOf(before: readonly MemoryLine[], after: readonly MemoryLine[]): MemoryChange {
  const left = [...before];
  const change: MemoryChange = { added: 0, removed: 0, moved: 0 };
  const take = (isSame: (line: MemoryLine) => boolean) => {
    const at = left.findIndex(isSame);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const others = after.filter((line) => !take((other) => sameFacts(line, other) && other.line === line.line));
  const renamed = others.filter((line) => {
    if (!take((other) => sameFacts(line, other))) return true;
    change.moved++;
    return false;
  });
  for (const line of renamed)
    if (take(({ text }) => text === line.text)) change.moved++;
    else change.added++;
  change.removed = left.length;
  return change;
}

const sameFacts = (a: MemoryLine, b: MemoryLine): boolean =>
  a.text === b.text && a.who === b.who && a.time === b.time && a.label === b.label;

const lastLineOf = (lines: readonly MemoryLine[]): number => Math.max(0, ...lines.map(({ line }) => line));

function find(kept: readonly Kept[], { text, scope, limit }: MemoryQuery): MemoryHit[] {
  const wanted = wordsOf(text);
  const hits = kept
    .filter(({ source }) => isIn(scope, source))
    .flatMap(({ source, lines }) =>
      lines.map((line) => {
        const words = wordsOf(`${line.who ?? ""} ${line.text}`);
        const score = [...wanted].filter((word) => words.has(word)).length / Math.max(1, wanted.size);
        return { ...line, sourceId: source.id, kind: source.kind, path: source.path, score };
      }),
    );
  return hits
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit);
}

const isIn = ({ agentId, kinds, sessionKey }: MemoryScope, source: MemorySource): boolean =>
  source.agentId === agentId &&
  kinds.includes(source.kind) &&
  (source.kind !== "conversation" || sessionKey === undefined || source.sessionKey === sessionKey);

/** Words between spaces and signs, Chinese as pairs of characters; the commonest English words say nothing. */
function wordsOf(text: string): Set<string> {
  const pieces = text.toLowerCase().match(/[\p{Script=Han}]+|[\p{L}\p{N}_.:/-]*[\p{L}\p{N}]/gu) ?? [];
  const words = pieces.flatMap((piece) =>
    /\p{Script=Han}/u.test(piece) && piece.length > 1
      ? Array.from({ length: piece.length - 1 }, (_, at) => piece.slice(at, at + 2))
      : [piece],
  );
  return new Set(words.filter((word) => !commonest.has(word)));
}

const commonest = new Set(
  "a an and are at did do does for in is of on or the to was were what when where who with".split(" "),
);
