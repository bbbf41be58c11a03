/**
 * Messages of sessions that talk at present, as they were read last: a turn reads what the one before it read, and two messages more. A row
 * that says something else by now is read anew, so what is kept can be no older than what is stored.
 */
import type { MessageEntry } from "@pincer/sdk";
import { toMessageEntry, type EntryRow } from "./entry-row.ts";

export interface KeptEntries {
  /** The messages of these rows; of this session these alone are kept. They are frozen: whoever reads them next gets the same. */
  read(sessionId: string, rows: readonly EntryRow[]): MessageEntry[];
}

interface Kept {
  time: string;
  body: string;
  entry: MessageEntry;
}

/** Some megabytes at most. */
const mostEntries = 2000;
const longestBody = 4096;

export function createKeptEntries(): KeptEntries {
  /** The one that talked last is the last. */
  const sessions = new Map<string, ReadonlyMap<number, Kept>>();
  let count = 0;

  function forget(sessionId: string): void {
    count -= sessions.get(sessionId)?.size ?? 0;
    sessions.delete(sessionId);
  }

  return {
    read(sessionId, rows) {
      const before = sessions.get(sessionId);
      const kept = new Map<number, Kept>();
      const entries = rows.map((row) => {
        const { seq, time, body_json: body } = row;
        if (body.length > longestBody) return toMessageEntry(row);
        const known = before?.get(seq);
        const isSame = known?.body === body && known.time === time;
        const now = isSame ? known : { time, body, entry: frozen(toMessageEntry(row)) };
        kept.set(seq, now);
        return now.entry;
      });
      forget(sessionId);
      sessions.set(sessionId, kept);
      count += kept.size;
      for (const [oldest] of sessions) {
        if (count <= mostEntries) break;
        forget(oldest);
      }
      return entries;
    },
  };
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
