import type { AuditDraft } from "../audit/audit-chain.ts";
import type { AuditStore } from "../audit/audit.ts";

const action = "session-delete";

/** What remains of a deleted session: who deleted how much, and nothing about its content or participants. */
export function deletionRecord(
  sessionId: string,
  entries: number,
  trace: Pick<AuditDraft, "id" | "actor" | "createdAt">,
): AuditDraft {
  return { ...trace, action, resourceType: "session", resourceId: sessionId, metadata: { entries } };
}

/** Whether a session of that id was ever deleted, even if it was imported again since. */
export async function wasDeleted(audit: Pick<AuditStore, "list">, sessionId: string): Promise<boolean> {
  return (await audit.list({ resourceType: "session", resourceId: sessionId, action, limit: 1 })).length > 0;
}
