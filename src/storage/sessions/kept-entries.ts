/**
 * Caches the messages of active sessions: a turn reads what the previous one read, and two messages more. Messages
 * never change and are deleted only with their session: if the last cached one is still stored, so are the others.
 */
import type { MessageEntry } from "@pincer/sdk";
import { frozen } from "../../infra/frozen.ts";
import { toMessageEntry, type EntryRow } from "./entry-row.ts";

export interface KeptEntries {
  /**
   * The seq of the last cached message, if everything requested before it is cached, too: only that one and later
   * ones must be read. Otherwise 0.
   */
  from(sessionId: string, asked: AskedMessages): number;
  /**
   * The cached messages and those of these rows, which start with the newest and, with `from`, end at it. Undefined
   * if that last one has changed: then everything must be read. The result is frozen, because the next reader gets
   * the same objects.
   */
  read(
    sessionId: string,
    asked: AskedMessages & { from: number },
    rows: readonly EntryRow[],
  ): ReadMessages | undefined;
}

export interface AskedMessages {
  /** Identifies which of a session's messages count; another shape starts over. */
  shape: string;
  before: number;
  /** Includes one extra, which shows whether there are more. */
  wanted: number;
}

export interface ReadMessages {
  said: MessageEntry[];
  /** Whether there are earlier ones. */
  isCut: boolean;
}

interface Kept extends ReadMessages {
  shape: string;
  sizes: number[];
  last: EntryRow;
}

/** In stored characters; some megabytes in all. */
const mostInAll = 2_000_000;
const mostOfOne = 500_000;
/** The overhead of an entry besides its text. */
const besides = 400;

export function createKeptEntries(): KeptEntries {
  /** Most recently used last. */
  const sessions = new Map<string, Kept>();
  let size = 0;

  function forget(sessionId: string): void {
    size -= sizeOf(sessions.get(sessionId)?.sizes ?? []);
    sessions.delete(sessionId);
  }

  function keep(sessionId: string, kept: Kept | undefined): void {
    forget(sessionId);
    const own = sizeOf(kept?.sizes ?? []);
    if (!kept || own > mostOfOne) return;
    sessions.set(sessionId, kept);
    size += own;
    for (const [oldest] of sessions) {
      if (size <= mostInAll) break;
      forget(oldest);
    }
  }

  return {
    from(sessionId, { shape, before, wanted }) {
      const kept = sessions.get(sessionId);
      if (kept?.shape !== shape || kept.last.seq >= before) return 0;
      return kept.isCut && kept.said.length < wanted ? 0 : kept.last.seq;
    },

    read(sessionId, { from, shape, wanted }, rows) {
      const isWhole = from === 0 || rows.length > wanted;
      const kept = isWhole ? undefined : sessions.get(sessionId);
      if (!isWhole && !(kept && isSame(rows.at(-1), kept.last))) return undefined;
      const fresh = rows.slice(0, isWhole ? wanted : -1).reverse();
      const all = [...(kept?.said ?? []), ...fresh.map((row) => frozen(toMessageEntry(row)))];
      const left = Math.max(0, all.length - wanted);
      const said = all.slice(left);
      const isCut = left > 0 || (kept?.isCut ?? rows.length > wanted);
      const sizes = [...(kept?.sizes ?? []), ...fresh.map(({ body_json: body }) => body.length + besides)];
      const last = rows[0];
      keep(sessionId, last && { said, isCut, shape, sizes: sizes.slice(left), last });
      return { said: [...said], isCut };
    },
  };
}

const sizeOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

const isSame = (row: EntryRow | undefined, last: EntryRow): boolean =>
  row?.seq === last.seq && row.body_json === last.body_json && row.time === last.time;
