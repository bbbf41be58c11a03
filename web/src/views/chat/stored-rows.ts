/** The stored conversation as rows, top to bottom: days, entries, retracted parts, and notes of this browser. */
import type { Entry, MessageEntry, ToolCallBlock } from "@pincer/sdk";
import { asideSpans, type AsideSpan } from "./aside-spans.ts";
import type { Conversation, LiveRun } from "./conversation.ts";
import { rowsOfEntry, type Remember, type RunUsage } from "./entry-rows.ts";
import type { LocalNote, Row } from "./row.ts";

export interface StoredParts extends Pick<Conversation, "sessionId" | "entries" | "runs"> {
  notes: readonly LocalNote[];
  /** Retracted parts that are expanded, by their first entry. */
  openAsides: ReadonlySet<number>;
}

export function storedRows(parts: StoredParts, remember: Remember): Row[] {
  const { sessionId, entries, notes, openAsides, runs } = parts;
  const rows: Row[] = [];
  const spans = asideSpans(entries);
  const results = resultsOf(entries);
  const usage = usageOf(entries);
  const open = new Set(runs.map(({ runId }) => runId));
  const waiting = new Set(waitingCalls(runs).split("\n"));
  const left = notes.filter((note) => note.sessionId === sessionId).sort((a, b) => a.after - b.after);
  let day = "";
  let span: AsideSpan | undefined;

  const putNotes = (until: number) => {
    while (left[0] && left[0].after < until) rows.push(noteRow(left.shift() as LocalNote, remember));
  };

  for (const entry of entries) {
    putNotes(entry.seq);
    const within = spans.find(({ from, to }) => entry.seq >= from && entry.seq <= to);
    if (within !== span && within) {
      const isOpen = openAsides.has(within.from);
      const { from, count } = within;
      rows.push(
        remember(`aside:${from}`, [from, count, isOpen], () => ({ type: "aside", from, count, isOpen })),
      );
    }
    span = within;
    if (within && !openAsides.has(within.from)) continue;
    const made = rowsOfEntry(entry, { results, usage, open, waiting }, remember);
    const date = dayOf(entry.time);
    if (made.length > 0 && date !== day) {
      day = date;
      rows.push(remember(`day:${date}`, [date], () => ({ type: "day", time: entry.time })));
    }
    rows.push(...(within ? made.map(asAside) : made));
  }
  putNotes(Infinity);
  return rows;
}

/** Which calls wait for the owner: as a text, so that it is the same while it says the same. */
export const waitingCalls = (runs: readonly LiveRun[]): string =>
  runs
    .flatMap(({ approvals }) => approvals.filter(({ state }) => state === "pending"))
    .map(({ turnId, callId }) => `${turnId} ${callId}`)
    .join("\n");

const asides = new WeakMap<Row, Row>();

/** The same one each time. */
function asAside(row: Row): Row {
  const known = asides.get(row) ?? { ...row, key: `aside-${row.key}`, isAside: true as const };
  asides.set(row, known);
  return known;
}

const dayOf = (time: string): string => new Date(time).toDateString();

function noteRow({ id, time, input, output, isOk }: LocalNote, remember: Remember): Row {
  return remember(`local:${id}`, [output], () => ({ type: "command", time, input, output, isOk }));
}

/** The result of each call: the next one of its id. */
function resultsOf(entries: readonly Entry[]): Map<ToolCallBlock, MessageEntry> {
  const found = new Map<ToolCallBlock, MessageEntry>();
  const open = new Map<string, ToolCallBlock>();
  for (const entry of entries) {
    if (entry.type !== "message") continue;
    const { message } = entry;
    if (message.role === "assistant")
      for (const block of message.content) if (block.type === "toolCall") open.set(block.id, block);
    if (message.role !== "toolResult") continue;
    const call = open.get(message.toolCallId);
    if (call) found.set(call, entry);
    open.delete(message.toolCallId);
  }
  return found;
}

function usageOf(entries: readonly Entry[]): Map<string, RunUsage> {
  const runs = new Map<string, RunUsage>();
  for (const entry of entries) {
    if (entry.type !== "message" || entry.message.role !== "assistant" || entry.runId === undefined) continue;
    const sum = runs.get(entry.runId) ?? { cost: 0, tokens: 0, lastSeq: 0 };
    sum.cost += entry.message.usage.cost;
    sum.tokens += entry.message.usage.total;
    sum.lastSeq = entry.seq;
    runs.set(entry.runId, sum);
  }
  return runs;
}
