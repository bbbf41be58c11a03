import type { Entry } from "@pincer/sdk";
import type { EntryStore, SessionRecord, SessionStore } from "../../stores.ts";

export type MemorySessions = Pick<SessionStore, "restore" | "markMirrored" | "listUnmirrored" | "list"> &
  Pick<EntryStore, "after"> & {
    get(sessionId: string): SessionRecord;
    /** All entries of a session; adding to them is how a test appends. */
    entriesOf(sessionId: string): Entry[];
    forget(sessionId: string): void;
  };

/** The verbs that transcripts need, working in memory. */
export function createMemorySessions(): MemorySessions {
  const kept = new Map<string, { entries: Entry[]; mirroredSeq: number }>();

  const recordOf = (sessionId: string): SessionRecord => {
    const { entries, mirroredSeq } = kept.get(sessionId) ?? { entries: [], mirroredSeq: 0 };
    const [header] = entries;
    if (header?.type !== "session") throw new Error(`no session ${sessionId}`);
    const { tenantId, workspaceId, agentId, sessionKey, time } = header;
    return {
      sessionId,
      tenantId,
      workspaceId,
      agentId,
      sessionKey,
      origin: { channel: "cli" },
      state: "active",
      memoryEnabled: true,
      settings: {},
      compactedMessageCount: 0,
      compactionCount: 0,
      memoryFlushAt: null,
      tokens: { input: 0, output: 0, context: 0, total: 0 },
      lastSeq: entries.at(-1)?.seq ?? 1,
      messageCount: entries.filter((entry) => entry.type === "message").length,
      mirroredSeq,
      createdAt: time,
      updatedAt: entries.at(-1)?.time ?? time,
    };
  };
  const all = () => Array.from(kept.keys(), recordOf);

  return {
    get: recordOf,
    entriesOf: (sessionId) => kept.get(sessionId)?.entries ?? [],
    forget: (sessionId) => void kept.delete(sessionId),
    async restore(entries) {
      const [header] = entries;
      if (header?.type !== "session") throw new Error("the header must come first");
      if (kept.has(header.id)) return { type: "exists" };
      kept.set(header.id, { entries: structuredClone(entries), mirroredSeq: 0 });
      return { type: "restored", session: recordOf(header.id) };
    },
    async after(sessionId, after, limit) {
      const entries = kept.get(sessionId)?.entries ?? [];
      return entries.filter((entry) => entry.seq > after).slice(0, limit);
    },
    async markMirrored(sessionId, seq) {
      const session = kept.get(sessionId);
      if (session) session.mirroredSeq = Math.max(session.mirroredSeq, seq);
    },
    listUnmirrored: async (limit) =>
      all()
        .filter((session) => session.mirroredSeq < session.lastSeq)
        .slice(0, limit),
    list: async ({ limit }) => ({ sessions: all().reverse().slice(0, limit), next: null }),
  };
}
