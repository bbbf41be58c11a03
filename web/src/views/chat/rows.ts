/**
 * The rows of a conversation, top to bottom. An unchanged row is the same object as before, so that it is not drawn
 * again.
 */
import type { Conversation, LiveRun } from "./conversation.ts";
import type { Remember } from "./entry-rows.ts";
import { liveRows } from "./live-rows.ts";
import type { PendingMessage } from "./pending.ts";
import type { Row } from "./row.ts";
import { storedRows, waitingCalls, type StoredParts } from "./stored-rows.ts";

export interface RowParts extends Pick<StoredParts, "notes" | "openAsides"> {
  conversation: Conversation;
  pending: readonly PendingMessage[];
}

export type MakeRows = (parts: RowParts) => Row[];

export function createRowMaker(): MakeRows {
  let kept = new Map<string, { given: readonly unknown[]; row: Row }>();
  let settled: { given: readonly unknown[]; rows: Row[] } | undefined;
  let shownSession: string | null | undefined;

  return function makeRows({ conversation, pending, notes, openAsides }) {
    const { sessionId, entries, runs, isAtEnd, ending } = conversation;
    const given = [
      sessionId,
      entries,
      notes,
      openAsides,
      runs.length === 0 ? "" : runIdsOf(runs),
      waitingCalls(runs),
    ];
    // Entries are numbered by session: those of another one are other entries.
    if (sessionId !== shownSession) kept = new Map();
    shownSession = sessionId;
    if (!settled || !isSame(settled.given, given)) {
      const next: typeof kept = new Map();
      const remember: Remember = (key, depends, make) => {
        const known = kept.get(key);
        const row = known && isSame(known.given, depends) ? known.row : ({ key, ...make() } as Row);
        next.set(key, { given: depends, row });
        return row;
      };
      settled = { given, rows: storedRows({ sessionId, entries, notes, openAsides, runs }, remember) };
      kept = next;
    }
    const live = isAtEnd ? runs.flatMap((run) => liveRows(run, settled?.rows ?? [])) : [];
    const waiting = pending.map((each): Row => ({
      key: `pending:${each.key}`,
      type: "pending",
      pending: each,
    }));
    const over: Row[] =
      isAtEnd && runs.length === 0 && ending && pending.length === 0
        ? [
            {
              key: `ending:${ending.runId}`,
              type: "ending",
              ending: isSaid(ending.reason, settled.rows) ? { ...ending, reason: "" } : ending,
            },
          ]
        : [];
    return [...settled.rows, ...live, ...over, ...waiting];
  };
}

/** Whether the last answer already gives the reason. */
function isSaid(reason: string, rows: readonly Row[]): boolean {
  const last = rows.at(-1);
  return reason !== "" && last?.type === "answer" && (last.text.includes(reason) || last.error === reason);
}

const isSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((each, index) => each === others[index]);

const runIdsOf = (runs: readonly LiveRun[]): string => runs.map(({ runId }) => runId).join(" ");
