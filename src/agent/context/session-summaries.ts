/** Keeps the memory file of a session in step with the summaries in its transcript, which are the truth. */
import type { CompactionEntryBody, Entry, Origin } from "@pincer/sdk";
import type { RecordedSummary, SessionMemory } from "../../storage/sessions/session-memory.ts";
import type { EntryStore, SessionRecord } from "../../storage/stores.ts";

export interface SessionSummaries {
  /**
   * Writes missing summaries; the caller holds the session's lease. Returns where the file is complete, so that the
   * prompt may show it instead of the summary; undefined if the session has ended, has no memory, the file is not
   * wanted, or it cannot be written, which is reported.
   */
  complete(session: SessionRecord): Promise<CompleteSummaries | undefined>;
  /** Answers likewise as things are, and writes nothing. */
  look(session: SessionRecord): Promise<CompleteSummaries | undefined>;
}

export interface CompleteSummaries {
  /** What the newest one takes at the end of the file; it has taken up those before it. */
  newestChars: number;
}

export interface SessionSummariesParts {
  entries: Pick<EntryStore, "marks" | "messagesFrom">;
  memory: Pick<SessionMemory, "record" | "recordedUpTo">;
  isWanted(): boolean;
  onError(error: unknown): void;
}

/** Of a session that was without its file for long, the newest are what counts. */
const mostWritten = 20;
/** At most: the line above a summary says when, of how many messages, and of whose. */
const titleChars = 240;

export function createSessionSummaries(parts: SessionSummariesParts): SessionSummaries {
  const { entries, memory } = parts;

  async function missingOf(session: SessionRecord): Promise<Missing> {
    const { sessionId, compactionCount } = session;
    const marks = compactionCount > 0 ? await entries.marks(sessionId, mostWritten) : [];
    const summaries = marks.filter((mark) => mark.type === "compaction");
    const [newest] = summaries;
    if (!newest) return { missing: [], newestChars: 0 };
    const written = await memory.recordedUpTo(session, sessionId);
    const missing = summaries.filter(({ seq }) => seq > written).toReversed();
    return { missing, newestChars: newest.summary.length + titleChars };
  }

  async function toRecord(sessionId: string, mark: SummaryEntry): Promise<RecordedSummary> {
    const { seq, time, summary, from = 0, keepFrom, origins = unknown, label } = mark;
    const said = await entries.messagesFrom(sessionId, from, keepFrom - from);
    const count = said.filter((entry) => entry.seq < keepFrom).length;
    const others = origins.filter((origin) => origin !== "owner" && origin !== "system");
    // What it is made of may have been opened by its handle: then the label alone says so.
    const strangers = label?.untrusted && others.length === 0 ? unknown : others;
    return { sessionId, seq, time, summary, count, strangers };
  }

  async function told(
    { memoryEnabled, state }: SessionRecord,
    work: () => Promise<CompleteSummaries | undefined>,
  ): Promise<CompleteSummaries | undefined> {
    if (!memoryEnabled || state !== "active" || !parts.isWanted()) return undefined;
    try {
      return await work();
    } catch (error) {
      parts.onError(error);
      return undefined;
    }
  }

  return {
    complete: (session) =>
      told(session, async () => {
        const { missing, newestChars } = await missingOf(session);
        const records: RecordedSummary[] = [];
        for (const mark of missing) records.push(await toRecord(session.sessionId, mark));
        if (records.length > 0) await memory.record(session, records);
        return { newestChars };
      }),
    look: (session) =>
      told(session, async () => {
        const { missing, newestChars } = await missingOf(session);
        return missing.length === 0 ? { newestChars } : undefined;
      }),
  };
}

/** One from before labels may be made of anything. */
const unknown: readonly Origin[] = ["summary"];

type SummaryEntry = Entry & CompactionEntryBody;

interface Missing {
  /** Oldest first. */
  missing: SummaryEntry[];
  newestChars: number;
}
