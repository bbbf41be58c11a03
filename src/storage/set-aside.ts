/**
 * Messages that were retracted because somebody went back to before them. Nothing is deleted: an `event` entry names
 * the first entry from which everything up to itself is retracted, and context builders skip it. A newer such entry
 * may enclose older ones.
 */
import type { EntryBody } from "@pincer/sdk";
import { all, atMost, type Verb } from "./sqlite/database.ts";

export const setAsideEvent = "set-aside";

/** Both ends inclusive. */
export interface AsideSpan {
  from: number;
  to: number;
}

export const setAsideFrom = (from: number, turnId: string): EntryBody => ({
  type: "event",
  name: setAsideEvent,
  data: { from, turnId },
});

export const isSetAside = (body: EntryBody): boolean => body.type === "event" && body.name === setAsideEvent;

/** Far more than anybody retracts in one session; beyond it the oldest count again. */
const mostSpans = 500;

/** In rising order, disjoint. */
export function* readAsides(tenantId: string, sessionId: string): Verb<AsideSpan[]> {
  const rows = yield* all<{ seq: number; body_json: string }>(
    `SELECT entries.seq, entries.body_json FROM session_marks
    JOIN entries ON entries.tenant_id = session_marks.tenant_id
      AND entries.session_id = session_marks.session_id AND entries.seq = session_marks.seq
    WHERE session_marks.tenant_id = ? AND session_marks.session_id = ? AND session_marks.type = 'aside'
    ORDER BY session_marks.seq DESC ${atMost}`,
    [tenantId, sessionId, mostSpans],
  );
  return merged(rows.flatMap(({ seq, body_json }) => spanOf(seq, JSON.parse(body_json) as EntryBody)));
}

export const isWithin = (spans: readonly AsideSpan[], seq: number): boolean =>
  spans.some(({ from, to }) => seq >= from && seq <= to);

/** An imported transcript may contain anything. */
function spanOf(seq: number, body: EntryBody): AsideSpan[] {
  const from = body.type === "event" ? body.data["from"] : undefined;
  return typeof from === "number" && Number.isInteger(from) && from >= 1 && from < seq
    ? [{ from, to: seq }]
    : [];
}

function merged(spans: AsideSpan[]): AsideSpan[] {
  const rising: AsideSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = rising.at(-1);
    if (last && span.from <= last.to + 1) last.to = Math.max(last.to, span.to);
    else rising.push({ ...span });
  }
  return rising;
}
