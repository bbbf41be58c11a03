/** Fills an empty database from the transcripts: what was once the copy becomes the truth again. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { asPincerError, formatSessionKey, normaliseAgentId } from "@pincer/sdk";
import { sayError } from "../../infra/failure.ts";
import { createSay, type Say } from "../../infra/texts.ts";
import { wasDeleted } from "../sessions/deletion-record.ts";
import type { AuditStore } from "../audit/audit.ts";
import type { SessionStore } from "../stores.ts";
import { headerFlaw } from "./header-flaw.ts";
import { listTranscripts, type TranscriptFile } from "./list-transcripts.ts";
import { readTranscript, type TranscriptProblem, type TranscriptReading } from "./read-transcript.ts";
import { isSafeSessionId } from "./safe-session-id.ts";
import { stopsTheWork } from "./stops-the-work.ts";

const english = createSay("en");

export interface RebuildRequest {
  /** The directory that holds `<agentId>/sessions/<sessionId>.jsonl`. */
  directory: string;
  /** Whose sessions are taken in; the files of other tenants are passed over. */
  tenantId: string;
  /** The space a session belongs to when its header is lost. */
  workspaceId: string;
  /** Bound to `tenantId`. */
  sessions: Pick<SessionStore, "restore">;
  /** Of the same tenant: what it says was deleted does not come back. */
  audit: Pick<AuditStore, "list">;
  /** In whose language the reasons are; English unless told. */
  say?: Say;
  onProgress?: (report: RebuiltFile, done: number, total: number) => void;
  signal?: AbortSignal;
}

export interface RebuiltFile {
  /** `<agentId>/sessions/<name>`. */
  file: string;
  outcome:
    | { type: "restored"; sessionId: string; entries: number }
    | { type: "exists"; sessionId: string }
    /** Left over from a session that was deleted. */
    | { type: "deleted"; sessionId: string }
    | { type: "skipped"; reason: string };
  /** What was wrong with the file, also where it could be used. */
  problems: TranscriptProblem[];
}

/**
 * Takes in each transcript as far as it is readable, seq and time kept. A file that cannot be used is reported and passed over;
 * throws only when aborted, and `storage/…` when the database cannot take it in. Safe to call again: what is there already is left alone.
 */
export async function rebuildFromTranscripts(request: RebuildRequest): Promise<RebuiltFile[]> {
  const files = await listTranscripts(request.directory);
  const reports: RebuiltFile[] = [];
  for (const found of files) {
    request.signal?.throwIfAborted();
    const report = await rebuildFile(found, request);
    reports.push(report);
    request.onProgress?.(report, reports.length, files.length);
  }
  return reports;
}

async function rebuildFile(found: TranscriptFile, request: RebuildRequest): Promise<RebuiltFile> {
  const { path, agentId, sessionId } = found;
  const { say = english } = request;
  const file = `${agentId}/sessions/${basename(path)}`;
  const skipped = (reason: string, problems: TranscriptProblem[] = []): RebuiltFile => ({
    file,
    outcome: { type: "skipped", reason },
    problems,
  });
  if (normaliseAgentId(agentId) !== agentId) return skipped(say("transcript.flaw.directory"));
  if (!isSafeSessionId(sessionId)) return skipped(say("transcript.flaw.name"));

  if (await wasDeleted(request.audit, sessionId))
    return { file, outcome: { type: "deleted", sessionId }, problems: [] };

  try {
    const reading = await readFile(found, request);
    const flaw = flawOf(reading, agentId, sessionId, request.tenantId, say);
    if (flaw) return skipped(flaw, reading.problems);
    const restored = await request.sessions.restore(reading.entries);
    const outcome =
      restored.type === "exists"
        ? { type: restored.type, sessionId }
        : { type: restored.type, sessionId, entries: reading.entries.length };
    return { file, outcome, problems: reading.problems };
  } catch (error) {
    if (stopsTheWork(error, request.signal)) throw error;
    return skipped(sayError(asPincerError(error), say).message);
  }
}

async function readFile(
  { path, agentId, sessionId }: TranscriptFile,
  { tenantId, workspaceId, signal, say = english }: RebuildRequest,
): Promise<TranscriptReading> {
  const sessionKey = formatSessionKey({
    tenantId,
    workspaceId,
    agentId,
    conversation: { type: "named", name: `recovered-${sessionId}` },
  });
  const handle = await open(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  const stream = handle.createReadStream({ highWaterMark: 1024 * 1024, ...(signal && { signal }) });
  return readTranscript(stream, {
    hints: { id: sessionId, cwd: "", tenantId, workspaceId, agentId, sessionKey },
    say,
  });
}

/** A header may claim only what its place says: a file cannot pass for another session, agent or tenant. */
function flawOf(
  { header }: TranscriptReading,
  agentId: string,
  sessionId: string,
  tenantId: string,
  say: Say,
): string | undefined {
  if (!header) return say("transcript.flaw.headless");
  if (header.id !== sessionId) return say("transcript.flaw.other-session");
  if (header.agentId !== agentId) return say("transcript.flaw.other-agent");
  return headerFlaw(header, tenantId, say);
}
