/** Derives a session's record from its entries: used by appends and restores, for every kind of storage. */
import type { Entry, EntryBody, PincerError, SessionEntryBody } from "@pincer/sdk";
import { failure } from "../../infra/failure.ts";
import type { TextKey } from "../../infra/texts.ts";
import type { OpenSession, SessionRecord } from "../stores.ts";

/** Entry bodies that know their time but not yet their seq. */
export type StampedBody = EntryBody & { time: string };

/** What new entries change in the record; null leaves it unchanged. */
export interface IndexGain {
  messages: number;
  compactions: number;
  /** Messages before this seq are compacted. */
  keepFrom: number | null;
  memoryEnabled: boolean | null;
  /** By name; null where it is cleared. */
  settings: Record<string, string | null>;
  memoryFlushAt: string | null;
  /** Whether the session ended, another having taken its key, or took it back. */
  ended: boolean | null;
}

/** The entry with which a session hands its key to the next: a transcript alone tells which one is active. */
export const endingEvent = { type: "event", name: "session-ended", data: {} } as const satisfies EntryBody;

/** The entry with which one that had ended takes its key back. */
export const resumingEvent = {
  type: "event",
  name: "session-resumed",
  data: {},
} as const satisfies EntryBody;

export function gainOf(bodies: readonly StampedBody[]): IndexGain {
  const gain: IndexGain = {
    messages: 0,
    compactions: 0,
    keepFrom: null,
    memoryEnabled: null,
    settings: {},
    memoryFlushAt: null,
    ended: null,
  };
  for (const body of bodies) {
    if (body.type === "message") gain.messages++;
    if (body.type === "compaction") {
      gain.compactions++;
      gain.keepFrom = body.keepFrom;
    }
    if (body.type === "event" && body.name === "memory-switched")
      gain.memoryEnabled = body.data["enabled"] === true;
    if (body.type === "event" && body.name === settingEvent)
      Object.assign(gain.settings, settingIn(body.data));
    if (body.type === "event" && body.name === "memory-flushed") gain.memoryFlushAt = body.time;
    if (body.type === "event" && body.name === endingEvent.name) gain.ended = true;
    if (body.type === "event" && body.name === resumingEvent.name) gain.ended = false;
  }
  return gain;
}

/** A session's wishes for its turns are entries of this name, with `name` and `value`. */
const settingEvent = "session-setting";

function settingIn({ name, value }: Record<string, unknown>): Record<string, string | null> {
  return typeof name === "string" ? { [name]: typeof value === "string" ? value : null } : {};
}

/** The settings of a session after these changes. */
export function withSettings(
  settings: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const changed = Object.entries({ ...settings, ...changes });
  return Object.fromEntries(changed.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

/** A session before its first entry. */
export function newSession(parts: {
  tenantId: string;
  sessionId: string;
  request: OpenSession;
  now: string;
}): SessionRecord {
  const { tenantId, sessionId, request, now } = parts;
  return {
    sessionId,
    tenantId,
    workspaceId: request.workspaceId,
    agentId: request.agentId,
    sessionKey: request.sessionKey,
    origin: request.origin,
    state: "active",
    memoryEnabled: false,
    settings: {},
    compactedMessageCount: 0,
    compactionCount: 0,
    memoryFlushAt: null,
    tokens: { input: 0, output: 0, context: 0, total: 0 },
    lastSeq: 0,
    messageCount: 0,
    mirroredSeq: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/** The first entries of a session: its header and, if inherited, the memory switch. */
export function firstEntries(session: SessionRecord, cwd: string, memoryEnabled: boolean): EntryBody[] {
  const header = headerOf(session, cwd);
  return memoryEnabled ? [header, memoryEvent(true)] : [header];
}

export const memoryEvent = (enabled: boolean): EntryBody => ({
  type: "event",
  name: "memory-switched",
  data: { enabled },
});

export function headerOf(session: SessionRecord, cwd: string): SessionEntryBody {
  const { sessionId, tenantId, workspaceId, agentId, sessionKey, origin } = session;
  return {
    type: "session",
    id: sessionId,
    cwd,
    tenantId,
    workspaceId,
    agentId,
    sessionKey,
    origin,
    version: 1,
  };
}

/**
 * The record of a session with these entries, for `tenantId` whatever the header says. Throws PincerError
 * `transcript/unreadable` if they do not start with a header, or if their seqs do not rise.
 */
export function sessionFromEntries(tenantId: string, entries: readonly Entry[]): SessionRecord {
  const [header] = entries;
  const last = entries.at(-1);
  if (header?.type !== "session" || !last) throw unreadable("failure.transcript-headless");
  const misplaced = entries.find((entry, index) => entry.seq <= (entries[index - 1]?.seq ?? 0));
  if (misplaced) throw unreadable("failure.transcript-disorder", { seq: misplaced.seq });

  const gain = gainOf(entries);
  const { keepFrom } = gain;
  const before = (entry: Entry) => entry.type === "message" && keepFrom !== null && entry.seq < keepFrom;
  return {
    sessionId: header.id,
    tenantId,
    workspaceId: header.workspaceId,
    agentId: header.agentId,
    sessionKey: header.sessionKey,
    origin: header.origin ?? { channel: "import" },
    state: gain.ended ? "ended" : "active",
    memoryEnabled: gain.memoryEnabled ?? false,
    settings: withSettings({}, gain.settings),
    compactedMessageCount: entries.filter(before).length,
    compactionCount: gain.compactions,
    memoryFlushAt: gain.memoryFlushAt,
    tokens: countTokens(entries),
    lastSeq: last.seq,
    messageCount: gain.messages,
    mirroredSeq: 0,
    createdAt: header.time,
    updatedAt: last.time,
  };
}

function countTokens(entries: readonly Entry[]): SessionRecord["tokens"] {
  const tokens = { input: 0, output: 0, context: 0, total: 0 };
  for (const entry of entries) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const { input, output, total, cacheRead, cacheWrite } = entry.message.usage;
    tokens.input += input;
    tokens.output += output;
    tokens.total += total;
    tokens.context = input + cacheRead + cacheWrite;
  }
  return tokens;
}

function unreadable(key: TextKey, parameters: Record<string, number> = {}): PincerError {
  return failure("transcript/unreadable", key, parameters, { hint: "failure.transcript-unusable.hint" });
}
