/**
 * One file per session with its summaries, for people and for the prompts of later turns. The transcript is
 * authoritative: a summary is written here after it is stored there, once, even if recorded repeatedly; what a crash
 * prevented is recorded later.
 */
import { statSync } from "node:fs";
import { unlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { createRecent, defaultScope } from "@pincer/sdk";
import { diskFailure } from "../../config/disk-failure.ts";
import { readIfThere } from "../../config/read-regular-file.ts";
import { replacePrivateFile } from "../../config/write-private-file.ts";
import { lastPart } from "../../infra/cut-text.ts";
import { createOneAtATime } from "../../infra/one-at-a-time.ts";
import { safeFileName } from "../../infra/safe-file-name.ts";
import { syncDirectory } from "../../infra/sync-to-disk.ts";
import { ownTitle, summaryTitle, type SummaryTitle } from "./summary-title.ts";

export interface SessionMemory {
  /** Where the memory of a session is, whether or not it exists. */
  fileOf(owner: MemoryOwner): string;
  /** Its newest part, for the prompt; undefined if there is none. Throws PincerError. */
  tail(owner: MemoryOwner, maxChars: number): Promise<SessionMemoryText | undefined>;
  /**
   * Records summaries of one session, oldest first, on disk when it resolves; returns how many were new. Drops the
   * oldest from a file that grows too long. One process at a time per owner, which the session's lease ensures. If it
   * throws PincerError, nothing has changed.
   */
  record(owner: MemoryOwner, summaries: readonly RecordedSummary[]): Promise<number>;
  /**
   * The newest recorded summary of a session, by its entry; all before it are recorded, too. 0 if there is none.
   * Costs one stat for an unchanged file. Throws PincerError.
   */
  recordedUpTo(owner: MemoryOwner, sessionId: string): Promise<number>;
  /** Changes whenever the file does; "" if there is none. Never throws. */
  stamp(owner: MemoryOwner): string;
  /** For deleting a session. Safe to call twice. Throws PincerError. */
  remove(owner: MemoryOwner): Promise<void>;
}

/** All sessions of one key share one memory. */
export interface MemoryOwner {
  tenantId: string;
  workspaceId: string;
  sessionKey: string;
}

export interface SessionMemoryText {
  name: string;
  text: string;
  truncated: boolean;
}

/** The entry of the summary. */
interface SummaryPlace {
  sessionId: string;
  seq: number;
}

export interface RecordedSummary extends SummaryPlace, SummaryTitle {
  summary: string;
}

const mostFileBytes = 256 * 1024;
/** Files whose newest summaries are cached. */
const mostKnown = 1000;

/** `directory` is created with the first summary. */
export function createSessionMemory({ directory }: { directory: string }): SessionMemory {
  const oneAtATime = createOneAtATime();
  const known = createRecent<{ stamp: string; newest: ReadonlyMap<string, number> }>(mostKnown);

  function fileOf({ tenantId, workspaceId, sessionKey }: MemoryOwner): string {
    const name = `${safeFileName(sessionKey)}.md`;
    const isUsual = tenantId === defaultScope.tenantId && workspaceId === defaultScope.workspaceId;
    // File names end with `.md`, so that no folder is in the way.
    return isUsual
      ? join(directory, name)
      : join(directory, safeFileName(tenantId), safeFileName(workspaceId), name);
  }

  async function newestIn(file: string): Promise<ReadonlyMap<string, number>> {
    const stamp = stampOf(file);
    const last = known.get(file);
    if (last?.stamp === stamp) return last.newest;
    const newest = newestOf(await readText(file));
    known.set(file, { stamp, newest });
    return newest;
  }

  return {
    fileOf,
    async tail(owner, maxChars) {
      const file = fileOf(owner);
      const whole = withoutMarkers(await readText(file));
      const end = lastPart(whole, maxChars).trim();
      const text = end.length < whole.length ? fromFirstTitle(end) : end;
      if (text === "") return undefined;
      return { name: `memory/${relative(directory, file)}`, text, truncated: text.length < whole.length };
    },
    record(owner, summaries) {
      const file = fileOf(owner);
      return oneAtATime(file, async () => {
        const present = await readText(file);
        const newest = newestOf(present);
        const fresh = summaries.filter(({ sessionId, seq }) => seq > (newest.get(sessionId) ?? 0));
        if (fresh.length === 0) return 0;
        const text = withinBounds(fresh.reduce(withSection, present));
        await onDisk(file, () => replacePrivateFile(file, text));
        return fresh.length;
      });
    },
    recordedUpTo: async (owner, sessionId) => (await newestIn(fileOf(owner))).get(sessionId) ?? 0,
    stamp: (owner) => stampOf(fileOf(owner)),
    remove(owner) {
      const file = fileOf(owner);
      return oneAtATime(file, () => onDisk(file, () => removeFile(file)));
    },
  };
}

function stampOf(file: string): string {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found ? [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(":") : "";
  } catch {
    // Unreadable: the next read reports why.
    return "";
  }
}

function withSection(present: string, summary: RecordedSummary): string {
  // The model's text must not imitate our marks, nor the beginning of another summary without its label.
  const words = withoutMarkers(summary.summary.toWellFormed()).replaceAll(ownTitle, "\\$&");
  const before = present.trim() === "" ? "" : `${present.trimEnd()}\n\n`;
  return `${before}${summaryTitle(summary)}\n\n${words}\n\n${markerOf(summary)}\n`;
}

/** Half a summary may have lost its label; without a whole one, half of one is better than nothing. */
const fromFirstTitle = (text: string): string => text.slice(Math.max(0, text.search(ownTitle)));

const markerOf = ({ sessionId, seq }: SummaryPlace) => `<!-- pincer:summary ${sessionId}:${seq} -->`;
const ownMarker = /^[^\S\n]*<!-- pincer:summary (\S+):(\d+) -->[^\S\n]*$/gm;
const leftOut =
  "<!-- pincer:summary This file is kept small: older summaries were left out. The transcripts have them all. -->";
const anyMarker = /^[^\S\n]*<!-- pincer:summary .*(?:\n|$)/gm;

const withoutMarkers = (text: string) =>
  text
    .replace(anyMarker, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** The newest marked entry of each session. */
function newestOf(text: string): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const [, sessionId = "", seq] of text.matchAll(ownMarker))
    newest.set(sessionId, Math.max(newest.get(sessionId) ?? 0, Number(seq)));
  return newest;
}

/** Drops the oldest sections; the newest stays at any length. Noted for people, not for the model. */
function withinBounds(text: string): string {
  if (Buffer.byteLength(text) <= mostFileBytes) return text;
  const ends = Array.from(text.matchAll(ownMarker), (match) => match.index + match[0].length);
  const starts = ends.slice(0, -1);
  const rest = (from: number) => `${leftOut}\n\n${text.slice(from).trimStart()}`;
  const fitting = starts.find((from) => Buffer.byteLength(rest(from)) <= mostFileBytes) ?? starts.at(-1);
  return fitting === undefined ? text : rest(fitting);
}

const readText = async (file: string): Promise<string> => (await onDisk(file, () => readIfThere(file))) ?? "";

async function removeFile(file: string): Promise<void> {
  try {
    await unlink(file);
    await syncDirectory(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

async function onDisk<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw diskFailure(error, file);
  }
}
