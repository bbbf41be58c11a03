/** Sessions for people: listing, reading, taking out, bringing in and deleting them. */
import type { Entry } from "@pincer/sdk";
import { resolve } from "node:path";
import type { SessionPage, SessionRecord } from "../storage/stores.ts";
import { encodeLine } from "../storage/transcript/line-codec.ts";
import { openDesk, usualDoors, type DeskDoors, type DeskParts } from "./desks/open-desk.ts";
import type { SessionImport } from "./import-sessions.ts";

export interface SessionDesk {
  list(query: { limit: number; after?: string; agentId?: string; search?: string }): Promise<SessionPage>;
  /** By session id, or by key in any spelling (then the active one). Throws PincerError `session/not-found`. */
  find(idOrKey: string): Promise<SessionRecord>;
  /** All entries in order, page by page, so that a long session does not fill the memory. */
  entries(session: SessionRecord): AsyncIterable<Entry>;
  /** The newest `limit`, in order. */
  recent(session: SessionRecord, limit: number): Promise<Entry[]>;
  /** The lines of the transcript, as in the file. */
  lines(session: SessionRecord): AsyncIterable<string>;
  /** Deletes content for real: rows and file. */
  delete(session: SessionRecord): Promise<void>;
  /** Takes in transcript files; a directory stands for the `.jsonl` files below it. */
  import(paths: string[], signal: AbortSignal): Promise<SessionImport[]>;
  close(): Promise<void>;
}

/** At the running gateway, or over the home's own database. Throws PincerError. */
export async function openSessionDesk(parts: DeskParts, doors: DeskDoors = usualDoors): Promise<SessionDesk> {
  const { desk, language, close } = await openDesk("sessions", parts, doors);

  async function* after(session: SessionRecord, seq: number): AsyncIterable<Entry> {
    for (let last = seq; ;) {
      const { entries } = await desk.entries({ sessionId: session.sessionId, after: last });
      yield* entries;
      const end = entries.at(-1);
      if (!end) return;
      last = end.seq;
    }
  }

  return {
    list: async (query) => (await desk.list(query)) as SessionPage,
    find: async (idOrKey) => (await desk.find({ idOrKey })) as SessionRecord,
    entries: (session) => after(session, 0),
    recent: (session, limit) => Array.fromAsync(after(session, Math.max(session.lastSeq - limit, 0))),
    async *lines(session) {
      for await (const entry of after(session, 0)) yield `${encodeLine(entry)}\n`;
    },
    async delete({ sessionId }) {
      await desk.delete({ sessionId });
    },
    async import(paths, signal) {
      const absolute = paths.map((path) => resolve(parts.cwd, path));
      return (await desk.import(
        { paths: absolute, ...(language ? { language } : {}) },
        { signal },
      )) as SessionImport[];
    },
    close,
  };
}
