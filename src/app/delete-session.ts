import type { Memory } from "./memory/memory-room-door.ts";
import type { SessionMemory } from "../memory/session-memory.ts";
import { sessionLeaseName, type SessionLeases } from "../storage/session-lease.ts";
import type { SessionRecord, SessionStore } from "../storage/stores.ts";
import type { TranscriptMirror } from "../storage/transcript/transcript-mirror.ts";

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
    index: Pick<Memory, "forget">;
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
