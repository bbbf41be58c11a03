/** After a salvage: sessions that have lost entries get back what their transcripts still say. */
import { createReadStream } from "node:fs";
import { isThere } from "../../infra/is-there.ts";
import type { MendedSession, SessionRecord, SessionStore } from "../stores.ts";
import { readTranscript } from "../transcript/read-transcript.ts";

export async function mendSessions(
  sessions: Pick<SessionStore, "get" | "listTorn" | "mend">,
  transcriptFile: (agentId: string, sessionId: string) => string,
): Promise<MendedSession> {
  const sum: MendedSession = { filled: 0, lost: 0 };
  for (const sessionId of await sessions.listTorn()) {
    const session = await sessions.get(sessionId);
    if (!session) continue;
    const { filled, lost } = await sessions.mend(sessionId, await readCopy(session));
    sum.filled += filled;
    sum.lost += lost;
  }
  return sum;

  /** What can be read of it: a damaged copy may still know what the database does not. */
  async function readCopy({ agentId, sessionId, tenantId, workspaceId, sessionKey }: SessionRecord) {
    const path = transcriptFile(agentId, sessionId);
    if (!(await isThere(path))) return [];
    const hints = { id: sessionId, cwd: "", tenantId, workspaceId, agentId, sessionKey };
    return (await readTranscript(createReadStream(path), { hints })).entries;
  }
}
