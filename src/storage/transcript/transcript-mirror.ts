/**
 * Keeps the readable copy of each session, one JSONL file, level with the database. The database is the truth: entries are
 * appended here after they were committed there, and a file that a crash cut short is completed from it. The caller holds the
 * session's lease while it completes or removes, so that one process at a time writes; calls within a process wait for each other.
 */
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createRecent, normaliseAgentId, PincerError } from "@pincer/sdk";
import { failure } from "../../infra/failure.ts";
import type { EntryStore, SessionRecord, SessionStore } from "../stores.ts";
import { isSafeSessionId } from "./safe-session-id.ts";
import { completeFile, goOn, type FileEnd } from "./write-transcript.ts";

export interface TranscriptMirrorParts {
  /** Where the copy belongs; asked only with ids that are safe as file names. */
  sessionFile(agentId: string, sessionId: string): string;
  entries: Pick<EntryStore, "after">;
  markMirrored: SessionStore["markMirrored"];
  /** Gives the database what only an intact file has. Without it such a file is renamed. */
  takeBack?: SessionStore["takeBack"];
  /** Told when that has happened. Must not throw. */
  onTakenBack?(taken: { sessionId: string; count: number }): void;
}

export type MirroredSession = Pick<SessionRecord, "agentId" | "sessionId" | "mirroredSeq">;

export interface CompleteAllRequest {
  sessions: Pick<SessionStore, "listUnmirrored" | "list">;
  signal?: AbortSignal;
  onProgress?: (done: number) => void;
  /** Runs `work` while holding the session's lease; without it the caller vouches that nobody else writes. */
  exclusively?: (session: SessionRecord, work: () => Promise<void>) => Promise<void>;
}

export interface CompleteAllOutcome {
  completed: number;
  failed: Array<{ sessionId: string; reason: string }>;
}

export interface TranscriptMirror {
  /**
   * Brings the session's file up to the database. Safe to call again at any time; does nothing for a session without entries.
   * What only the file has, where it is whole, goes back to the database. Any other file that is no beginning of what the database holds is renamed to `.bak-<n>` and written anew. Throws PincerError
   * when the file cannot be written or something else than a file was put in its place.
   */
  complete(session: MirroredSession): Promise<void>;
  /** Completes what is behind, for boot. A session that fails is reported and passed over; throws only when aborted. */
  completeAll(request: CompleteAllRequest): Promise<CompleteAllOutcome>;
  /** Deletes the copy and its renamed predecessors. Safe to call twice. */
  remove(session: Pick<MirroredSession, "agentId" | "sessionId">): Promise<void>;
}

export function createTranscriptMirror({
  sessionFile,
  entries,
  markMirrored,
  takeBack,
  onTakenBack,
}: TranscriptMirrorParts): TranscriptMirror {
  const inTurn = createTurns();
  const written = createMemory();

  const pathOf = ({ agentId, sessionId }: Pick<MirroredSession, "agentId" | "sessionId">): string => {
    if (normaliseAgentId(agentId) === agentId && isSafeSessionId(sessionId))
      return sessionFile(agentId, sessionId);
    throw failure("session/bad-key", "failure.unsafe-id");
  };

  /** Answers with the seq of the file's last line; undefined for a session without entries. */
  async function bringUp({ sessionId, agentId }: MirroredSession): Promise<number | undefined> {
    const path = pathOf({ sessionId, agentId });
    const last = written.take(sessionId);
    const entriesAfter = (after: number, limit: number) => entries.after(sessionId, after, limit);
    const end = await explainFailure(path, async () => {
      const goneOn = last && (await goOn(path, last, entriesAfter));
      if (goneOn) return goneOn;
      // A session that was deleted meanwhile must not come back as a file.
      if ((await entriesAfter(0, 1)).length === 0) return undefined;
      return completeFile(path, entriesAfter, async (whole) => {
        const count = whole.length === 0 ? 0 : ((await takeBack?.(whole)) ?? 0);
        if (count > 0) onTakenBack?.({ sessionId, count });
        return count;
      });
    });
    if (end) written.keep(sessionId, end);
    return end?.after;
  }

  async function note(
    { sessionId, mirroredSeq }: MirroredSession,
    seq: number | undefined,
    when?: "along",
  ): Promise<void> {
    if (seq !== undefined && seq > mirroredSeq) await markMirrored(sessionId, seq, when);
  }

  const complete = (session: MirroredSession) =>
    inTurn(session.sessionId, async () => {
      // Not waited for: it comes along with what is written next. What is not noted is looked at again at boot.
      note(session, await bringUp(session), "along").catch(() => {});
    });

  const completeAndNote = (session: MirroredSession) =>
    inTurn(session.sessionId, async () => note(session, await bringUp(session)));

  return {
    complete,
    completeAll: (request) => completeAll(request, completeAndNote),
    remove: (session) =>
      inTurn(session.sessionId, async () => {
        const path = pathOf(session);
        written.take(session.sessionId);
        await explainFailure(path, async () => {
          for (const copy of await listCopies(path)) await rm(copy, { force: true });
        });
      }),
  };
}

const pageSize = 200;

/** The file and its renamed predecessors. */
async function listCopies(path: string): Promise<string[]> {
  try {
    const names = await readdir(dirname(path));
    const name = basename(path);
    return names
      .filter((other) => other === name || other.startsWith(`${name}.bak-`))
      .map((other) => join(dirname(path), other));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

async function completeAll(
  { sessions, signal, onProgress, exclusively = (_, work) => work() }: CompleteAllRequest,
  complete: (session: SessionRecord) => Promise<void>,
): Promise<CompleteAllOutcome> {
  const tried = new Set<string>();
  const failed: CompleteAllOutcome["failed"] = [];

  const completeEach = async (page: SessionRecord[]) => {
    for (const session of page) {
      signal?.throwIfAborted();
      tried.add(session.sessionId);
      try {
        await exclusively(session, () => complete(session));
      } catch (error) {
        failed.push({
          sessionId: session.sessionId,
          reason: error instanceof Error ? error.message : String(error),
        });
      }
      onProgress?.(tried.size);
    }
  };
  const untried = (page: SessionRecord[]) => page.filter((session) => !tried.has(session.sessionId));

  for (;;) {
    // Those that failed stay at the head of the list; the page reaches past them.
    const page = untried(await sessions.listUnmirrored(pageSize + failed.length));
    if (page.length === 0) break;
    await completeEach(page);
  }
  // The copy is not synced: after a power cut, a session of the last minutes may be noted as copied and yet be short.
  await completeEach(untried((await sessions.list({ limit: pageSize })).sessions));
  return { completed: tried.size - failed.length, failed };
}

/** Where the files ended that this process wrote last. What is taken and not kept again is forgotten: after a failure nobody knows. */
function createMemory() {
  const ends = createRecent<FileEnd>();
  return {
    take(sessionId: string): FileEnd | undefined {
      const end = ends.get(sessionId);
      ends.delete(sessionId);
      return end;
    },
    keep(sessionId: string, end: FileEnd): void {
      ends.set(sessionId, end);
    },
  };
}

/** Lets calls for one session run one after the other; a failed one does not stop the next. */
function createTurns() {
  const last = new Map<string, Promise<void>>();
  return async (sessionId: string, work: () => Promise<void>): Promise<void> => {
    const mine = (last.get(sessionId) ?? Promise.resolve()).then(work);
    const settled = mine.catch(() => {}); // the caller gets the failure; the next in line does not care
    last.set(sessionId, settled);
    try {
      await mine;
    } finally {
      if (last.get(sessionId) === settled) last.delete(sessionId);
    }
  };
}

async function explainFailure<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOSPC" || code === "EDQUOT") {
      const hint = "failure.transcript-no-space.hint";
      throw failure("storage/full", "failure.transcript-no-space", { path }, { hint, cause });
    }
    if (code !== undefined) {
      const hint = "failure.transcript-not-written.hint";
      throw failure("storage/failed", "failure.transcript-not-written", { path, code }, { hint, cause });
    }
    throw cause;
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && !(error instanceof PincerError) && "code" in error
    ? String(error.code)
    : undefined;
