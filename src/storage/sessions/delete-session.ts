import type { SessionMemory } from "./session-memory.ts";
import { sessionLeaseName, type SessionLeases } from "./session-lease.ts";
import type { SessionRecord, SessionStore } from "../stores.ts";
import type { TranscriptMirror } from "../transcript/transcript-mirror.ts";

/**
 * Deletes what was said for real, once nobody is answering in any session of the key: also what later ones took over of it, and what the
 * memory file says. The files go first: a crash in between leaves a session that can be deleted again, never a file from which a deleted one
 * could come back.
 */
export function deleteSession(
  session: SessionRecord,
  {
    sessions,
    leases,
    transcripts,
    memory,
    index,
  }: {
    sessions: Pick<SessionStore, "delete" | "forgetCarried">;
    leases: SessionLeases;
    transcripts: Pick<TranscriptMirror, "remove" | "complete">;
    memory: Pick<SessionMemory, "remove">;
    /** The search index. */
    index: { forget(sessionId: string): Promise<void> };
  },
): Promise<void> {
  return leases.hold(sessionLeaseName(session), async () => {
    for (const later of await sessions.forgetCarried(session.sessionId)) {
      // Not completed but written anew: what no longer fits would be set aside, and kept.
      await transcripts.remove(later);
      await transcripts.complete(later);
    }
    await transcripts.remove(session);
    // Of all sessions of the key: what others of them said is in their own entries, and is written down again.
    await memory.remove(session);
    await index.forget(session.sessionId);
    await sessions.delete(session.sessionId, "owner");
    // It may have been brought to the index again while it was still there.
    await index.forget(session.sessionId);
  });
}
