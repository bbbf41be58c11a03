/** Sessions for people: listing, reading, taking out, bringing in and deleting them. */
import type { Entry } from "@pincer/sdk";
import { failure } from "../infra/failure.ts";
import { routeMessage } from "../routing/route-message.ts";
import type { SessionPage, SessionRecord } from "../storage/stores.ts";
import { encodeLine } from "../storage/transcript/line-codec.ts";
import { deleteSession } from "./delete-session.ts";
import { importSessions, type SessionImport } from "./import-sessions.ts";
import { openGround, type Ground, type GroundOptions, type GroundParts } from "./open-ground.ts";

const pageSize = 500;

export interface SessionDesk {
  list(query: { limit: number; after?: string; agentId?: string; search?: string }): Promise<SessionPage>;
  /** By session id, or by key in any spelling (then the active one). Throws PincerError `session/not-found`. */
  find(idOrKey: string): Promise<SessionRecord>;
  /** All entries in order, page by page, so that a long session does not fill the memory. */
  entries(session: SessionRecord): AsyncIterable<Entry>;
  recent(session: SessionRecord, limit: number): Promise<Entry[]>;
  /** The lines of the transcript, as in the file. */
  lines(session: SessionRecord): AsyncIterable<string>;
  /** Deletes content for real: rows and file. */
  delete(session: SessionRecord): Promise<void>;
  /** Takes in transcript files; a directory stands for the `.jsonl` files below it. */
  import(paths: string[], signal: AbortSignal): Promise<SessionImport[]>;
  close(): Promise<void>;
}

export async function openSessionDesk(parts: GroundParts, options: GroundOptions): Promise<SessionDesk> {
  const ground = await openGround(parts, options);
  const { stores, transcripts, leases, tenantId } = ground;

  async function* entries(session: SessionRecord): AsyncIterable<Entry> {
    for (let after = 0; ;) {
      const page = await stores.entries.after(session.sessionId, after, pageSize);
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < pageSize) return;
      after = last.seq;
    }
  }

  return {
    list: stores.sessions.list,
    find: (idOrKey) => findSession(ground, idOrKey),
    entries,
    recent: (session, limit) => stores.entries.recent(session.sessionId, limit),
    async *lines(session) {
      for await (const entry of entries(session)) yield `${encodeLine(entry)}\n`;
    },
    delete: (session) => deleteSession(session, { sessions: stores.sessions, leases, transcripts }),
    import: (paths, signal) =>
      importSessions(paths, {
        sessions: stores.sessions,
        leases,
        tenantId,
        mirror: ground.mirror,
        signal,
        say: parts.say,
      }),
    close: ground.close,
  };
}

async function findSession(ground: Ground, idOrKey: string): Promise<SessionRecord> {
  const { stores, tenantId, workspaceId, defaultAgentId, config } = ground;
  const byId = await stores.sessions.get(idOrKey);
  if (byId) return byId;
  const agentIds = config.agents.list.map((agent) => agent.id);
  const route = routeMessage({ sessionKey: idOrKey }, { tenantId, workspaceId, defaultAgentId, agentIds });
  const byKey = await stores.sessions.findActive(workspaceId, route.sessionKey);
  if (byKey) return byKey;
  const hint = "failure.no-session.hint";
  throw failure("session/not-found", "failure.no-session", { id: idOrKey }, { hint });
}
