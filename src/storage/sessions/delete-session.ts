import { childrenOf } from "./child-session.ts";
import type { SessionMemory } from "./session-memory.ts";
import { sessionLeaseName, type SessionLeases } from "./session-lease.ts";
import type { SessionRecord, SessionStore } from "../stores.ts";
import type { TranscriptMirror } from "../transcript/transcript-mirror.ts";

/**
 * Really deletes a session and those of its scouts, once no session of its key is answering: also what later ones took over from it, and its
 * part of the memory file. Files go first: a crash in between leaves a session that can be deleted again, never a
 * file that could restore it.
 */
export function deleteSession(session: SessionRecord, parts: DeletionParts): Promise<void> {
  return parts.leases.hold(sessionLeaseName(session), async () => {
    // They run under its lease alone: none is at work, and none begins.
    for (const child of await childrenOf(parts.sessions, session)) await deleteUnderLease(child, parts);
    await deleteUnderLease(session, parts);
  });
}

export interface DeletionParts {
  sessions: Pick<SessionStore, "delete" | "forgetCarried" | "list">;
  leases: SessionLeases;
  transcripts: Pick<TranscriptMirror, "remove" | "complete">;
  memory: Pick<SessionMemory, "remove">;
  /** The search index. */
  index: { forget(sessionId: string): Promise<void> };
}

async function deleteUnderLease(
  session: SessionRecord,
  { sessions, transcripts, memory, index }: DeletionParts,
): Promise<void> {
  for (const later of await sessions.forgetCarried(session.sessionId)) {
    // Rewritten, not repaired: a repair would quarantine and keep what no longer fits.
    await transcripts.remove(later);
    await transcripts.complete(later);
  }
  await transcripts.remove(session);
  // Affects all sessions of the key; the others' memory is rebuilt from their own entries.
  await memory.remove(session);
  await index.forget(session.sessionId);
  await sessions.delete(session.sessionId, "owner");
  // It may have been indexed again meanwhile.
  await index.forget(session.sessionId);
}
