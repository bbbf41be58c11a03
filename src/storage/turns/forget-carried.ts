/** Takes what a session said out of what later sessions of its key were given of it. */
import type { Entry, EntryBody } from "@pincer/sdk";
import { all, change, type Verb } from "../sqlite/database.ts";
import { sessionsOfKey } from "../sessions/entry-search.ts";
import { readAt } from "../sessions/entry-view.ts";
import { requireSession } from "../sessions/session-verbs.ts";
import { isWithin, readAsides } from "../set-aside.ts";
import type { SessionRecord } from "../stores.ts";

export function* forgetCarried(tenantId: string, sessionId: string): Verb<SessionRecord[]> {
  const sources = new Set([sessionId]);
  const holding: SessionRecord[] = [];
  // Oldest first, as it was handed on.
  for (const each of (yield* sessionsOfKey(tenantId, sessionId)).toReversed()) {
    const { entry, isLast } = yield* findCarried(tenantId, each);
    if (!isFrom(entry, sources)) continue;
    yield* empty(tenantId, each, entry);
    holding.push(yield* requireSession(tenantId, each));
    // With a mark of its own behind it, that one was handed on instead.
    if (isLast) sources.add(each);
  }
  return holding;
}

type EventEntry = Extract<Entry, { type: "event" }>;

function* findCarried(
  tenantId: string,
  sessionId: string,
): Verb<{ entry: Entry | undefined; isLast: boolean }> {
  const marks = yield* all<{ seq: number; type: string }>(
    "SELECT seq, type FROM session_marks WHERE tenant_id = ? AND session_id = ? ORDER BY seq",
    [tenantId, sessionId],
  );
  const carried = marks.find(({ type }) => type === "event");
  const entry = carried && (yield* readAt(tenantId, sessionId, carried.seq));
  const asides = yield* readAsides(tenantId, sessionId);
  const isOwn = ({ type, seq }: { type: string; seq: number }) => type !== "aside" && !isWithin(asides, seq);
  return { entry, isLast: marks.findLast(isOwn) === carried };
}

const isFrom = (entry: Entry | undefined, sources: ReadonlySet<string>): entry is EventEntry =>
  entry?.type === "event" &&
  typeof entry.data["sessionId"] === "string" &&
  sources.has(entry.data["sessionId"]);

function* empty(tenantId: string, sessionId: string, { type, name, data, seq }: EventEntry): Verb<void> {
  const emptied: EntryBody = { type, name, data: { ...data, summary: "" } };
  yield* change("UPDATE entries SET body_json = ? WHERE tenant_id = ? AND session_id = ? AND seq = ?", [
    JSON.stringify(emptied),
    tenantId,
    sessionId,
    seq,
  ]);
  yield* change("UPDATE sessions SET mirrored_seq = 0 WHERE tenant_id = ? AND id = ?", [tenantId, sessionId]);
}
