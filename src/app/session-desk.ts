/** Sessions for people: listing, reading, taking out, bringing in and deleting them. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { PincerError, type Entry } from "@pincer/sdk";
import { routeMessage } from "../routing/route-message.ts";
import { sessionLeaseName } from "../storage/session-lease.ts";
import type { SessionPage, SessionRecord } from "../storage/stores.ts";
import { importTranscript, type ImportOutcome } from "../storage/transcript/import-transcript.ts";
import { encodeLine } from "../storage/transcript/line-codec.ts";
import { openGround, type Ground, type GroundOptions, type GroundParts } from "./open-ground.ts";

const pageSize = 500;

/** What became of one file; the front doors know it through this desk. */
export type SessionImport = { file: string; outcome: ImportOutcome };

export interface SessionDesk {
  notices: string[];
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
  const { stores, transcripts, leases } = ground;

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
    notices: ground.notices,
    list: stores.sessions.list,
    find: (idOrKey) => findSession(ground, idOrKey),
    entries,
    recent: (session, limit) => stores.entries.recent(session.sessionId, limit),
    async *lines(session) {
      for await (const entry of entries(session)) yield `${encodeLine(entry)}\n`;
    },
    async delete(session) {
      await leases.hold(sessionLeaseName(session), async () => {
        await stores.sessions.delete(session.sessionId, "owner");
        await transcripts.remove(session);
      });
    },
    async import(paths, signal) {
      const imported: SessionImport[] = [];
      for (const file of await transcriptsIn(paths)) {
        signal.throwIfAborted();
        const outcome = await importTranscript(file, {
          sessions: stores.sessions,
          tenantId: ground.tenantId,
          signal,
        });
        const session = outcome.type === "restored" && (await stores.sessions.get(outcome.sessionId));
        if (session) await ground.mirror(session);
        imported.push({ file, outcome });
      }
      return imported;
    },
    close: ground.close,
  };
}

async function transcriptsIn(paths: string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const stat = await lstat(path).catch((error: Error) => {
      throw new PincerError("usage/not-found", `${path} cannot be read: ${error.message}`, { cause: error });
    });
    if (!stat.isDirectory()) {
      files.push(path);
      continue;
    }
    const below = await readdir(path, { withFileTypes: true, recursive: true });
    const found = below.filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"));
    files.push(...found.map((entry) => join(entry.parentPath, entry.name)).sort());
  }
  return files;
}

async function findSession(ground: Ground, idOrKey: string): Promise<SessionRecord> {
  const { stores, tenantId, workspaceId, defaultAgentId, config } = ground;
  const byId = await stores.sessions.get(idOrKey);
  if (byId) return byId;
  const agentIds = config.agents.list.map((agent) => agent.id);
  const route = routeMessage({ sessionKey: idOrKey }, { tenantId, workspaceId, defaultAgentId, agentIds });
  const byKey = await stores.sessions.findActive(workspaceId, route.sessionKey);
  if (byKey) return byKey;
  throw new PincerError("session/not-found", `There is no session ${idOrKey}.`, {
    hint: "`pincer sessions list` shows what there is.",
  });
}
