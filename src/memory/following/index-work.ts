/** Updates the index from everything that is written, and removes what no longer exists or is no longer wanted. */
import type { Config } from "../../config/schema.ts";
import type { MemoryThread } from "../index/memory-thread.ts";
import { isChildSession } from "../../storage/sessions/child-session.ts";
import { isOnceSession } from "../../storage/sessions/once-session.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import type { TenantStores } from "../../storage/storage.ts";
import { createConversationFeed, isSessionSource } from "./conversation-feed.ts";
import type { AgentPlace } from "./memory-surroundings.ts";
import { searchSettings } from "./search-settings.ts";

export interface IndexWork {
  /** The files of these agents. */
  files(index: MemoryThread, work: WorkOptions & { agents?: ReadonlySet<string> }): Promise<SyncedWork>;
  /** All that was said, of one agent or of all. */
  conversations(
    index: MemoryThread,
    work: WorkOptions & { agentId?: string | undefined },
  ): Promise<{ messages: number }>;
  /** One session. */
  session(index: MemoryThread, sessionId: string): Promise<void>;
  /** What the index has of agents, places and kinds that are not searched any more. */
  leftOver(index: MemoryThread): Promise<void>;
  /** All of one agent, or simply all; vectors stay. */
  forget(index: MemoryThread, agentId: string | undefined): Promise<void>;
}

interface WorkOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
}

export interface SyncedWork {
  files: number;
  changed: number;
  skipped: Array<{ path: string; reason: string }>;
}

export interface IndexWorkParts {
  config(): Config;
  stores: Pick<TenantStores, "sessions" | "entries">;
  homeRoot: string;
  places(): AgentPlace[];
  timezoneOf(agentId: string): string;
}

export function createIndexWork({ config, stores, homeRoot, places, timezoneOf }: IndexWorkParts): IndexWork {
  const feed = createConversationFeed({ ...stores, timezoneOf, isWanted });
  const sourcesOf = (agentId: string) => searchSettings(config(), agentId).sources;
  const searched = () => places().filter(({ agentId }) => sourcesOf(agentId).includes("memory"));

  function isWanted({ agentId, sessionKey }: SessionRecord): boolean {
    // What a program tells of a conversation with each request is the program's to keep; what a scout read is no conversation.
    if (isOnceSession(sessionKey) || isChildSession(sessionKey)) return false;
    return sourcesOf(agentId).includes("sessions");
  }

  return {
    async files(index, { agents, signal, onProgress }) {
      const total: SyncedWork = { files: 0, changed: 0, skipped: [] };
      for (const { agentId, workdir } of searched()) {
        if (agents && !agents.has(agentId)) continue;
        const place = { agentId, workdir, closed: homeRoot, timezone: timezoneOf(agentId) };
        const found = await index.syncFiles(place, { signal, onProgress });
        total.files += found.files;
        total.changed += found.changed;
        total.skipped.push(...found.skipped);
      }
      return total;
    },
    conversations: (index, { agentId, signal, onProgress }) =>
      feed.catchUp(index, {
        agentId,
        signal,
        onProgress: (done, total) => onProgress?.({ done, total }),
      }),
    async session(index, sessionId) {
      const session = await stores.sessions.get(sessionId);
      if (session && isWanted(session)) await feed.follow(index, session);
    },
    async leftOver(index) {
      const kept = new Set(searched().map(({ agentId }) => agentId));
      for (const { id } of await index.sources())
        if (!isSessionSource(id) && !kept.has(agentOfFile(id))) await index.remove(id);
    },
    async forget(index, agentId) {
      if (agentId === undefined) return index.clear({ keepVectors: true });
      for (const { id } of await index.sources(agentId)) await index.remove(id);
    },
  };
}

/** A file's source begins with its agent, whose id has no slash. */
const agentOfFile = (sourceId: string): string => sourceId.slice(0, sourceId.indexOf("/"));
