/** Sessions: listing, reading, exporting, importing and deleting them. */
import type { Entry, MethodResults, SessionView } from "@pincer/sdk";
import { resolve } from "node:path";
import { encodeLine } from "../storage/transcript/line-codec.ts";
import type { Api, OpenApi } from "../gateway/methods/api.ts";
import type { SessionImport } from "../storage/transcript/import-sessions.ts";

type SessionListView = MethodResults["sessions.list"];

export interface SessionApi {
  list(query: Parameters<Api<"sessions">["list"]>[0]): Promise<SessionListView>;
  /** By session id, or by key in any spelling (then the active one). Throws PincerError `session/not-found`. */
  find(idOrKey: string): Promise<SessionView>;
  /** All entries in order, page by page, so that a long session does not fill the memory. */
  entries(session: SessionView): AsyncIterable<Entry>;
  /** The newest `limit`, in order. */
  recent(session: SessionView, limit: number): Promise<Entry[]>;
  /** The lines of the transcript, as in the file. */
  lines(session: SessionView): AsyncIterable<string>;
  /** Gives it a name; an empty one takes it away. */
  rename(session: SessionView, label: string): Promise<SessionView>;
  /** Deletes content for real: rows and file. */
  delete(session: SessionView): Promise<void>;
  /** Takes in transcript files; a directory stands for the `.jsonl` files below it. */
  import(paths: string[], signal: AbortSignal): Promise<SessionImport[]>;
  close(): Promise<void>;
}

/** Over the opened family, which it closes. Its calls throw PincerError. */
export function createSessionApi(
  { api, language, close }: Pick<OpenApi<"sessions">, "api" | "language" | "close">,
  cwd: string,
): SessionApi {
  async function* after(session: SessionView, seq: number): AsyncIterable<Entry> {
    for (let last = seq; ;) {
      const { entries } = await api.entries({ sessionKey: session.sessionId, after: last });
      yield* entries;
      const end = entries.at(-1);
      if (!end) return;
      last = end.seq;
    }
  }

  return {
    list: (query) => api.list(query),
    find: (idOrKey) => api.find({ sessionKey: idOrKey }),
    entries: (session) => after(session, 0),
    recent: (session, limit) => Array.fromAsync(after(session, Math.max(session.lastSeq - limit, 0))),
    async *lines(session) {
      for await (const entry of after(session, 0)) yield `${encodeLine(entry)}\n`;
    },
    rename: ({ sessionId }, label) => api.rename({ sessionKey: sessionId, label }),
    async delete({ sessionId }) {
      await api.delete({ sessionKey: sessionId });
    },
    async import(paths, signal) {
      const absolute = paths.map((path) => resolve(cwd, path));
      return (await api.import(
        { paths: absolute, ...(language ? { language } : {}) },
        { signal },
      )) as SessionImport[];
    },
    close,
  };
}
