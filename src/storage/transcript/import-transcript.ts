/** Imports one transcript file: an export, or a copy from another home of the same person. */
import { constants } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { asPincerError } from "@pincer/sdk";
import { sayError } from "../../infra/failure.ts";
import { createSay, type Say } from "../../infra/texts.ts";
import type { SessionStore } from "../stores.ts";
import { readForeignTranscript, type ForeignReading } from "./foreign-transcript.ts";
import { headerFlaw } from "./header-flaw.ts";
import { readTranscript, type TranscriptProblem } from "./read-transcript.ts";
import { stopsTheWork } from "./stops-the-work.ts";

export type ImportOutcome =
  | {
      type: "restored";
      sessionId: string;
      sessionKey: string;
      entries: number;
      problems: TranscriptProblem[];
    }
  | { type: "exists"; sessionId: string }
  | { type: "skipped"; reason: string };

const english = createSay("en");

/**
 * Never throws for what the file holds; a file that cannot be used is `skipped` with the reason. Throws `storage/…` when the
 * database cannot take it in, and when aborted.
 */
export async function importTranscript(
  file: string,
  {
    sessions,
    tenantId,
    signal,
    say = english,
  }: {
    sessions: Pick<SessionStore, "restore">;
    tenantId: string;
    signal?: AbortSignal;
    /** In whose language the reasons are. */
    say?: Say;
  },
): Promise<ImportOutcome> {
  try {
    // A pipe in the file's place must not make us wait for a writer.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await handle.stat();
    if (!stat.isFile()) {
      await handle.close();
      return { type: "skipped", reason: say("transcript.flaw.no-file") };
    }
    const reading = await readTranscript(handle.createReadStream(signal ? { signal } : {}), { say });
    const foreign = reading.header ? undefined : await foreignOf(file, stat, say);
    const { entries, problems } = foreign ?? reading;
    const [header] = entries;
    if (header?.type !== "session") return { type: "skipped", reason: say("transcript.flaw.headless") };
    const flaw = headerFlaw(header, tenantId, say);
    if (flaw) return { type: "skipped", reason: flaw };
    const restored = await sessions.restore(entries);
    if (restored.type === "exists") return { type: "exists", sessionId: header.id };
    const { sessionId, sessionKey } = restored.session;
    return { type: "restored", sessionId, sessionKey, entries: entries.length, problems };
  } catch (error) {
    if (stopsTheWork(error, signal)) throw error;
    return { type: "skipped", reason: sayError(asPincerError(error), say).message };
  }
}

/** In the plain form of other programs; undefined where it is none. */
async function foreignOf(
  file: string,
  { size, mtime }: { size: number; mtime: Date },
  say: Say,
): Promise<ForeignReading | undefined> {
  if (size > mostForeignBytes) return undefined;
  return readForeignTranscript(await readFile(file, "utf8"), { at: mtime, say });
}

const mostForeignBytes = 64 * 1024 * 1024;
