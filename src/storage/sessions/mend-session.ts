/**
 * A session that has lost entries to a damaged disk. What a whole copy of it still says comes back; where nothing is known, an event stands
 * for each entry, so that the numbers of the others stay what they were and nobody takes the rest for all of it.
 */
import type { Entry, EntryBody } from "@pincer/sdk";
import { all, change, type Verb } from "../sqlite/database.ts";
import type { MendedSession, SessionRecord } from "../stores.ts";
import { encodeLine } from "../transcript/line-codec.ts";
import { toEntry, type EntryRow } from "./entry-row.ts";
import { insertEntry } from "./entry-store.ts";
import { headerOf, sessionFromEntries } from "./session-index.ts";
import { getSession } from "./session-verbs.ts";

const lostEntry: EntryBody = { type: "event", name: "entry-lost", data: {} };

/** Those whose entries are not all there. */
export function* listTorn(tenantId: string): Verb<string[]> {
  const rows = yield* all<{ id: string }>(
    `SELECT id FROM sessions LEFT JOIN (
      SELECT session_id, count(*) AS held, max(seq) AS last FROM entries WHERE tenant_id = ? GROUP BY session_id
    ) AS entries ON entries.session_id = sessions.id
    WHERE tenant_id = ? AND last_seq > 0 AND (held IS NULL OR held <> last OR last <> last_seq) ORDER BY id`,
    [tenantId, tenantId],
  );
  return rows.map(({ id }) => id);
}

export function* mendSession(
  tenantId: string,
  sessionId: string,
  copy: readonly Entry[],
): Verb<MendedSession> {
  const session = yield* getSession(tenantId, sessionId);
  if (!session) return { filled: 0, lost: 0 };
  const rows = yield* all<EntryRow>(
    "SELECT seq, time, body_json FROM entries WHERE tenant_id = ? AND session_id = ? ORDER BY seq",
    [tenantId, sessionId],
  );
  const held = new Map(rows.map((row) => [row.seq, toEntry(row)]));
  const copied = new Map(isCopyOf(session, held, copy) ? copy.map((entry) => [entry.seq, entry]) : []);
  const known = (seq: number) => held.get(seq) ?? copied.get(seq);
  const last = Math.max(1, ...held.keys(), ...copied.keys());

  const whole: Entry[] = [];
  for (let seq = 1; seq <= last; seq++) {
    const time = whole.at(-1)?.time ?? session.createdAt;
    whole.push(known(seq) ?? { ...(seq === 1 ? headerOf(session, "") : lostEntry), seq, time });
  }
  const added = whole.filter(({ seq }) => !held.has(seq));
  for (const entry of added) yield* insertEntry(tenantId, sessionId, entry);
  yield* countAnew(session, whole);
  // The session's row tells what its first entry said.
  const lost = added.filter(({ seq }) => seq > 1 && !copied.has(seq)).length;
  const filled = added.filter(({ seq }) => copied.has(seq)).length;
  return { filled, lost: lost + Math.max(0, session.lastSeq - last) };
}

/** Where both speak, both say the same; of its first entry, only whose it is. */
const isCopyOf = (
  { sessionId }: SessionRecord,
  held: ReadonlyMap<number, Entry>,
  copy: readonly Entry[],
): boolean => {
  const [header] = copy;
  if (header?.type !== "session" || header.id !== sessionId) return false;
  return copy.every((entry) => {
    const same = held.get(entry.seq);
    return entry.seq === 1 || same === undefined || encodeLine(same) === encodeLine(entry);
  });
};

/** What the session's row says of its entries; its copy is compared again. */
function* countAnew(session: SessionRecord, whole: readonly Entry[]): Verb<void> {
  const { tenantId, sessionId, tokens } = session;
  const anew = sessionFromEntries(tenantId, whole);
  yield* change(
    `UPDATE sessions SET memory_enabled = ?, settings_json = ?, compacted_message_count = ?, compaction_count = ?,
      memory_flush_at = ?, tokens_input = ?, tokens_output = ?, tokens_total = ?, last_seq = ?, entry_count = ?,
      message_count = ?, mirrored_seq = 0 WHERE tenant_id = ? AND id = ?`,
    [
      // What a lost entry had switched is not known: the row knows better.
      session.memoryEnabled ? 1 : 0,
      JSON.stringify({ ...anew.settings, ...session.settings }),
      anew.compactedMessageCount,
      Math.max(anew.compactionCount, session.compactionCount),
      anew.memoryFlushAt ?? session.memoryFlushAt,
      Math.max(tokens.input, anew.tokens.input),
      Math.max(tokens.output, anew.tokens.output),
      Math.max(tokens.total, anew.tokens.total),
      anew.lastSeq,
      whole.length,
      anew.messageCount,
      tenantId,
      sessionId,
    ],
  );
}
