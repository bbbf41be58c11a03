/** Imports transcript files from anywhere; a directory stands for the `.jsonl` files below it. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { sessionLeaseName, type SessionLeases } from "../sessions/session-lease.ts";
import type { SessionRecord, SessionStore } from "../stores.ts";
import { importTranscript, type ImportOutcome } from "./import-transcript.ts";

/** What became of one file. */
export type SessionImport = { file: string; outcome: ImportOutcome };

export interface ImportParts {
  sessions: Pick<SessionStore, "restore" | "get">;
  leases: SessionLeases;
  tenantId: string;
  /** Writes the readable copy; only called while the session's lease is held. */
  mirror(session: SessionRecord): Promise<void>;
  signal: AbortSignal;
  say: Say;
}

/** Throws `usage/not-found` for a path that is not there, `storage/…`, and when aborted. */
export async function importSessions(paths: string[], parts: ImportParts): Promise<SessionImport[]> {
  const { sessions, leases, tenantId, mirror, signal, say } = parts;
  const imported: SessionImport[] = [];
  for (const file of await transcriptsIn(paths)) {
    signal.throwIfAborted();
    const outcome = await importTranscript(file, { sessions, tenantId, signal, say });
    const session = outcome.type === "restored" && (await sessions.get(outcome.sessionId));
    // People can continue it from the moment it is in the database, and that writes the same file.
    if (session) await leases.hold(sessionLeaseName(session), () => mirror(session), { signal });
    imported.push({ file, outcome });
  }
  return imported;
}

async function transcriptsIn(paths: string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const stat = await lstat(path).catch((error: Error) => {
      const { message: reason } = error;
      throw failure("usage/not-found", "failure.file-unreadable", { path, reason }, { cause: error });
    });
    if (!stat.isDirectory()) {
      files.push(path);
      continue;
    }
    const below = await readdir(path, { withFileTypes: true, recursive: true });
    const found = below.filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"));
    files.push(...found.map((entry) => join(entry.parentPath, entry.name)).sort());
  }
  return files;
}
