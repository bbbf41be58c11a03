/**
 * When a program ran, and where it could write. A file that has no label and was last changed within such a span may be the program's
 * work. What a file system calls the last change of a file (ctime) cannot be set by a program, unlike its time of modification.
 */
import { all, change, first, type SqlValue, type Verb } from "../sqlite/database.ts";
import type { LeaseHolder } from "../stores.ts";
import type { FileHistory } from "./gate.ts";

/** File systems take the time of the last tick, which lies behind the clock. */
const tickMs = 100;
/** Spans of one root that are nearer to each other than this are one. */
const nearMs = 1000;
/** How many ended spans are kept for a root; beyond that, those nearest to each other become one. */
const mostSpans = 64;

const textOf = (ms: number): string => new Date(Math.min(Math.max(0, ms), latestMs)).toISOString();
const latestMs = Date.UTC(9999, 0);

interface SpanRow {
  id: string;
  root: string;
  kind: FileHistory;
  began_at: string;
  ended_at: string | null;
}

export function* programBegan(
  tenantId: string,
  program: { id: string; root: string; at: number; holder: LeaseHolder },
): Verb<string> {
  const { id, root, at, holder } = program;
  yield* change(
    `INSERT INTO gate_spans (tenant_id, id, root, kind, began_at, ended_at, holder_json) VALUES (?, ?, ?, 'program', ?, NULL, ?)`,
    [tenantId, id, root, textOf(at), JSON.stringify(holder)],
  );
  return id;
}

/** A clock that was set back while the program ran makes the span longer, never empty. */
export function* programEnded(tenantId: string, id: string, at: number): Verb<void> {
  const row = yield* first<SpanRow>(
    `UPDATE gate_spans SET ended_at = CASE WHEN began_at > ? THEN began_at ELSE ? END,
      began_at = CASE WHEN began_at > ? THEN ? ELSE began_at END, holder_json = NULL
    WHERE tenant_id = ? AND id = ? AND ended_at IS NULL RETURNING id, root, kind, began_at, ended_at`,
    [textOf(at), textOf(at), textOf(at), textOf(at), tenantId, id],
  );
  if (row) yield* mergeSpans(tenantId, row.root);
}

export function* endGonePrograms(
  tenantId: string,
  at: number,
  isGone: (holder: LeaseHolder) => boolean,
): Verb<number> {
  const open = yield* all<{ id: string; holder_json: string }>(
    "SELECT id, holder_json FROM gate_spans WHERE tenant_id = ? AND ended_at IS NULL",
    [tenantId],
  );
  const gone = open.filter(({ holder_json }) => isGone(JSON.parse(holder_json) as LeaseHolder));
  for (const { id } of gone) yield* programEnded(tenantId, id, at);
  return gone.length;
}

/** Looks the spans up once, for many files: the worst that is known of each. */
export function* openHistory(tenantId: string): Verb<(path: string, ctimeMs: number) => FileHistory> {
  const spans = yield* all<SpanRow>(
    "SELECT id, root, kind, began_at, ended_at FROM gate_spans WHERE tenant_id = ?",
    [tenantId],
  );
  return (path, ctimeMs) => {
    const [from, to] = [textOf(ctimeMs - tickMs), textOf(ctimeMs + tickMs)];
    const kinds = spans
      .filter(({ began_at, ended_at }) => began_at <= to && (ended_at === null || ended_at >= from))
      .filter(({ root }) => isBelow(root, path))
      .map(({ kind }) => kind);
    return worst.find((kind) => kinds.includes(kind)) ?? "known";
  };
}

const worst: readonly FileHistory[] = ["lost", "program", "unrecorded"];

const isBelow = (root: string, path: string): boolean =>
  root === "" || path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);

/** One is enough: the last loss. */
export function* noteLoss(tenantId: string, at: number): Verb<void> {
  yield* change(
    `INSERT INTO gate_spans (tenant_id, id, root, kind, began_at, ended_at) VALUES (?, 'lost', '', 'lost', '', ?)
    ON CONFLICT (tenant_id, id) DO UPDATE SET ended_at = excluded.ended_at WHERE gate_spans.ended_at < excluded.ended_at`,
    [tenantId, textOf(at)],
  );
}

/** Whether what was known of this moment is lost: the last loss was less than a day before it. */
export function* isAfterLoss(tenantId: string, nowMs: number): Verb<boolean> {
  const row = yield* first("SELECT id FROM gate_spans WHERE tenant_id = ? AND id = 'lost' AND ended_at > ?", [
    tenantId,
    textOf(nowMs - dayMs),
  ]);
  return row !== undefined;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Only ever widens: each moment that was in a span is in one afterwards. */
function* mergeSpans(tenantId: string, root: string): Verb<void> {
  const rows = yield* all<{ id: string; began_at: string; ended_at: string }>(
    `SELECT id, began_at, ended_at FROM gate_spans
    WHERE tenant_id = ? AND root = ? AND kind = 'program' AND ended_at IS NOT NULL ORDER BY began_at, ended_at, id`,
    [tenantId, root],
  );
  const spans = rows.map(({ id, began_at, ended_at }) => ({
    id,
    began: Date.parse(began_at),
    ended: Date.parse(ended_at),
  }));
  while (spans.length > 1) {
    const gaps = spans.slice(1).map(({ began }, index) => began - (spans[index]?.ended ?? began));
    const nearest = gaps.reduce((best, gap, index) => (gap < (gaps[best] ?? gap) ? index : best), 0);
    if ((gaps[nearest] ?? 0) > nearMs && spans.length <= mostSpans) return;
    const [one, other] = spans.slice(nearest, nearest + 2);
    if (!one || !other) return;
    one.ended = Math.max(one.ended, other.ended);
    spans.splice(nearest + 1, 1);
    const last: SqlValue[] = [textOf(one.ended), tenantId, one.id];
    yield* change("UPDATE gate_spans SET ended_at = ? WHERE tenant_id = ? AND id = ?", last);
    yield* change("DELETE FROM gate_spans WHERE tenant_id = ? AND id = ?", [tenantId, other.id]);
  }
}
