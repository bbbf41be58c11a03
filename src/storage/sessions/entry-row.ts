import type { Entry, EntryBody, MessageEntry } from "@pincer/sdk";

export interface EntryRow {
  seq: number;
  time: string;
  body_json: string;
}

export function toEntry(row: EntryRow): Entry {
  const body = JSON.parse(row.body_json) as EntryBody;
  return { ...body, seq: row.seq, time: row.time };
}

/** For a row whose type is known to be `message`. */
export const toMessageEntry = (row: EntryRow): MessageEntry => toEntry(row) as MessageEntry;
