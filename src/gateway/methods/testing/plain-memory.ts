/** A memory that searches by comparing words, and indexes on request; for testing what people see of it. */
import type { MemoryHit, MemoryIndexView, MemoryStatusView, UnconfirmedLineView } from "@pincer/sdk";
import type {
  MemoryService,
  MemorySearchRequest,
  MemorySyncOptions,
} from "../../../memory/following/memory.ts";
import { noMemory } from "../../../memory/following/no-memory.ts";
import { noSuchLine } from "../../../memory/unconfirmed-lines.ts";

export interface PlainMemoryRoom extends Pick<
  MemoryService,
  "search" | "get" | "status" | "sync" | "unconfirmed"
> {
  forget(sessionId: string): Promise<void>;
  asked: MemorySearchRequest[];
  synced: MemorySyncOptions[];
}

export interface PlainMemory {
  lines?: Array<Partial<MemoryHit>>;
  status?: Partial<MemoryStatusView>;
  outcome?: Partial<MemoryIndexView>;
  degraded?: string;
  /** Every line is taken for alike, whatever the words. */
  findsAlike?: boolean;
  /** What waits for the owner's word. */
  waiting?: UnconfirmedLineView[];
  /** What bringing the index up to date waits for. */
  until?: (signal: AbortSignal | undefined) => Promise<void>;
}

export function createPlainMemoryService({
  lines = [],
  status = {},
  outcome = {},
  degraded,
  findsAlike = false,
  waiting = [],
  until = async () => {},
}: PlainMemory = {}): PlainMemoryRoom {
  const asked: MemorySearchRequest[] = [];
  const synced: MemorySyncOptions[] = [];
  const all = lines.map(lineWith);
  let left = waiting;
  async function take(ref: string): Promise<UnconfirmedLineView> {
    const found = left.find((line) => line.ref === ref);
    if (!found) throw noSuchLine(ref);
    left = left.filter((line) => line !== found);
    return found;
  }
  const now: MemoryStatusView = {
    sources: new Set(all.map(({ sourceId }) => sourceId)).size,
    lines: all.length,
    byKind: { memory: 0, note: all.length, conversation: 0 },
    cachedVectors: 0,
    bytes: 4096,
    embedder: null,
    linesWithoutVector: 0,
    writtenAt: "2026-11-15T12:00:00.000Z",
    state: "idle",
    behind: { files: false, sessions: 0 },
    embedderChoice: { provider: "none", why: "no key is known" },
    files: 1,
    lastSync: "2026-11-15T12:30:00.000Z",
    watching: true,
    ...status,
  };
  return {
    ...noMemory,
    asked,
    synced,
    async search(request) {
      asked.push(request);
      const words = request.text.toLowerCase().split(/\s+/);
      const hits = all.filter(
        ({ text }) => findsAlike || words.some((word) => text.toLowerCase().includes(word)),
      );
      const { linesWithoutVector, writtenAt, behind } = now;
      return {
        hits: hits.slice(0, request.limit),
        mode: "words",
        ...(degraded === undefined ? {} : { degraded }),
        freshness: { linesWithoutVector, writtenAt },
        behind,
      };
    },
    async get({ path, startLine = 1, endLine = all.length, chat }) {
      if (chat !== "owner") throw new Error("only the owner is expected here");
      const lines = all.filter((each) => each.path === path).map(({ text }) => text);
      const shown = lines.slice(startLine - 1, endLine);
      return {
        path,
        startLine,
        endLine: startLine + shown.length - 1,
        totalLines: lines.length,
        lines: shown,
      };
    },
    unconfirmed: async () => ({ list: async () => left, confirm: take, drop: take }),
    status: async () => now,
    async sync(options) {
      synced.push(options);
      await until(options.signal);
      return {
        files: 1,
        changed: 1,
        messages: 0,
        embedded: 0,
        left: 0,
        skipped: [],
        seconds: 0.25,
        ...outcome,
      };
    },
  };
}

const lineWith = (fields: Partial<MemoryHit>, at: number): MemoryHit => ({
  sourceId: `main/${fields.path ?? "memory/2026-11-15.md"}`,
  kind: "note",
  path: "memory/2026-11-15.md",
  line: at + 1,
  text: "",
  score: 1 - at / 100,
  ...fields,
});
