/**
 * Before a damaged database is quarantined, appends its readable entries to the transcripts, if missing there. Only
 * appends: if a file and the damaged database disagree, the file stays.
 */
import type { SessionRecord } from "../../storage/stores.ts";
import { findContinuation, openTranscript } from "../../storage/transcript/transcript-file.ts";
import { createTranscriptMirror } from "../../storage/transcript/transcript-mirror.ts";
import { isThere } from "../../infra/is-there.ts";
import type { ExaminedHome, OpenDatabase } from "../../storage/home/examine-home.ts";

/** Answers how many transcripts were completed. Never throws for what the database can no longer tell. */
export async function salvageEntries(
  { tenant }: OpenDatabase,
  transcriptFile: ExaminedHome["transcriptFile"],
): Promise<number> {
  const mirror = createTranscriptMirror({
    sessionFile: transcriptFile,
    entries: tenant.entries,
    // The damaged database is not written to any more.
    markMirrored: async () => {},
  });
  let completed = 0;
  for (const session of await readable(() => tenant.sessions.listUnmirrored(10_000), [])) {
    await readable(async () => {
      if (!(await goesOn(session))) return;
      await mirror.complete(session);
      completed++;
    }, undefined);
  }
  return completed;

  /** Whether the file is a beginning of what the database holds. */
  async function goesOn(session: SessionRecord): Promise<boolean> {
    const path = transcriptFile(session.agentId, session.sessionId);
    if (!(await isThere(path))) return true;
    const file = await openTranscript(path);
    try {
      const entriesFrom = (seq: number) => tenant.entries.after(session.sessionId, seq - 1, 2);
      return (await findContinuation(file, entriesFrom)).type === "continue";
    } finally {
      await file.close();
    }
  }
}

async function readable<Value>(read: () => Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await read();
  } catch {
    // The database is damaged: what cannot be read is what it lost, and the doctor has said so already.
    return otherwise;
  }
}
