import { sessionLeaseName, type SessionLeases } from "../storage/session-lease.ts";
import type { SessionRecord, SessionStore } from "../storage/stores.ts";
import type { TranscriptMirror } from "../storage/transcript/transcript-mirror.ts";

/**
 * Deletes what was said for real, once nobody is answering in the session. The file goes first: a crash in between leaves a
 * session that can be deleted again, never a file from which a deleted one could come back.
 */
export function deleteSession(
  session: SessionRecord,
  {
    sessions,
    leases,
    transcripts,
  }: {
    sessions: Pick<SessionStore, "delete">;
    leases: SessionLeases;
    transcripts: Pick<TranscriptMirror, "remove">;
  },
): Promise<void> {
  return leases.hold(sessionLeaseName(session), async () => {
    await transcripts.remove(session);
    await sessions.delete(session.sessionId, "owner");
  });
}
