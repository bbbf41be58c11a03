/** The rows of a conversation, top to bottom. A row that has not changed is the same object as before, so that nothing of it is drawn again. */
import type { ApprovalView, Entry, MessageEntry, MessageFile, ToolCallBlock } from "@pincer/sdk";
import type { Conversation, LiveRun, RunEnding } from "./conversation.ts";
import type { PendingMessage } from "./pending.ts";
import { readAnswer, readResult, readUserMessage } from "./read-message.ts";

export type Row = { key: string; isAside?: true } & (
  | { type: "day"; time: string }
  | UserRow
  | AnswerRow
  | ToolRow
  | { type: "approval"; approval: ApprovalView }
  | { type: "pending"; pending: PendingMessage }
  | { type: "note"; name: NoteName; time: string; detail: string; count: number }
  | { type: "command"; time: string; input: string; output: string; isOk: boolean }
  | { type: "aside"; from: number; count: number; isOpen: boolean }
  | { type: "working"; runId: string; state: LiveRun["state"] }
  | { type: "ending"; ending: RunEnding }
);

export interface UserRow {
  type: "user";
  seq: number;
  time: string;
  text: string;
  quoted: string;
  files: readonly MessageFile[];
  from: string;
  isOwn: boolean;
}

export interface AnswerRow {
  type: "answer";
  /** 0 while it is on its way. */
  seq: number;
  runId: string;
  time: string;
  text: string;
  thinking: string;
  isLive: boolean;
  /** `provider/model`. */
  model: string;
  /** Of the whole run, where this is its last word. */
  cost: number;
  tokens: number;
  isLast: boolean;
  isStopped: boolean;
  error: string;
}

export interface ToolRow {
  type: "tool";
  /** Which call of which run. */
  call: string;
  seq: number;
  time: string;
  name: string;
  arguments: Record<string, unknown>;
  state: "running" | "waiting" | "done" | "failed" | "denied" | "unanswered";
  output: string;
  pictures: readonly MessageFile[];
  resultSeq: number;
  ms: number | undefined;
}

export type NoteName = "compaction" | "anchor" | "carried";

export interface LocalNote {
  id: string;
  /** Stands behind this entry. */
  after: number;
  time: string;
  input: string;
  output: string;
  isOk: boolean;
}

export interface RowParts {
  conversation: Conversation;
  pending: readonly PendingMessage[];
  notes: readonly LocalNote[];
  /** Of what was set aside, what somebody wants to see: by the first entry. */
  openAsides: ReadonlySet<number>;
}

export type MakeRows = (parts: RowParts) => Row[];

export function createRowMaker(): MakeRows {
  let kept = new Map<string, { given: readonly unknown[]; row: Row }>();
  let settled: { given: readonly unknown[]; rows: Row[] } | undefined;

  return function makeRows({ conversation, pending, notes, openAsides }) {
    const { entries, runs, isAtEnd, ending } = conversation;
    const given = [entries, notes, openAsides, runs.length === 0 ? "" : runIdsOf(runs), waitingCalls(runs)];
    if (!settled || !isSame(settled.given, given)) {
      const next: typeof kept = new Map();
      const remember: Remember = (key, depends, make) => {
        const known = kept.get(key);
        const row = known && isSame(known.given, depends) ? known.row : ({ key, ...make() } as Row);
        next.set(key, { given: depends, row });
        return row;
      };
      settled = { given, rows: storedRows({ entries, notes, openAsides, runs }, remember) };
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

/** Whether the last answer gives the reason, so that nobody reads it twice. */
function isSaid(reason: string, rows: readonly Row[]): boolean {
  const last = rows.at(-1);
  return reason !== "" && last?.type === "answer" && (last.text.includes(reason) || last.error === reason);
}

type Body = Row extends infer Each ? (Each extends Row ? Omit<Each, "key"> : never) : never;
type Remember = (key: string, depends: readonly unknown[], make: () => Body) => Row;

const isSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((each, index) => each === others[index]);

const runIdsOf = (runs: readonly LiveRun[]): string => runs.map(({ runId }) => runId).join(" ");

/** Which calls wait for the owner: as a text, so that it is the same while it says the same. */
const waitingCalls = (runs: readonly LiveRun[]): string =>
  runs
    .flatMap(({ approvals }) => approvals.filter(({ state }) => state === "pending"))
    .map(({ turnId, callId }) => `${turnId} ${callId}`)
    .join("\n");

function storedRows(
  {
    entries,
    notes,
    openAsides,
    runs,
  }: Pick<RowParts, "notes" | "openAsides"> & Pick<Conversation, "entries" | "runs">,
  remember: Remember,
): Row[] {
  const rows: Row[] = [];
  const spans = asideSpans(entries);
  const results = resultsOf(entries);
  const usage = usageOf(entries);
  const open = new Set(runs.map(({ runId }) => runId));
  const waiting = new Set(waitingCalls(runs).split("\n"));
  const left = [...notes].sort((a, b) => a.after - b.after);
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

interface AsideSpan {
  from: number;
  to: number;
  /** Messages of people and answers. */
  count: number;
}

/** As the storage reads them: from the entry that is named up to the one that says so; what touches is one. */
function asideSpans(entries: readonly Entry[]): AsideSpan[] {
  const spans: AsideSpan[] = [];
  for (const entry of entries) {
    if (entry.type !== "event" || entry.name !== "set-aside") continue;
    const from = entry.data["from"];
    if (typeof from !== "number" || from >= entry.seq) continue;
    let first = from;
    while (spans.length > 0 && (spans.at(-1)?.to ?? 0) + 1 >= first)
      first = Math.min(first, spans.pop()?.from ?? first);
    spans.push({ from: first, to: entry.seq, count: 0 });
  }
  let at = 0;
  for (const entry of spans.length > 0 ? entries : []) {
    while ((spans[at]?.to ?? Infinity) < entry.seq) at++;
    const span = spans[at];
    if (span && entry.seq >= span.from && isSpoken(entry)) span.count++;
  }
  return spans;
}

const isSpoken = (entry: Entry): boolean =>
  entry.type === "message" &&
  (entry.message.role === "user" ||
    (entry.message.role === "assistant" && readAnswer(entry.message).text !== ""));

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

interface RunUsage {
  cost: number;
  tokens: number;
  lastSeq: number;
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

interface Around {
  results: Map<ToolCallBlock, MessageEntry>;
  usage: Map<string, RunUsage>;
  /** Runs that go on. */
  open: ReadonlySet<string>;
  waiting: ReadonlySet<string>;
}

function rowsOfEntry(entry: Entry, around: Around, remember: Remember): Row[] {
  const { seq, time } = entry;
  const note = (name: NoteName, detail: string, count = 0) => [
    remember(`note:${seq}`, [seq], () => ({ type: "note", name, time, detail, count })),
  ];
  switch (entry.type) {
    case "message":
      return rowsOfMessage(entry, around, remember);
    case "compaction":
      return note("compaction", entry.summary, entry.messages ?? 0);
    case "anchor":
      return note("anchor", [entry.name, entry.state?.["summary"] ?? ""].filter(Boolean).join("\n\n"));
    case "command": {
      const { input, output, ok } = entry;
      return [remember(`entry:${seq}`, [seq], () => ({ type: "command", time, input, output, isOk: ok }))];
    }
    case "event":
      return entry.name === "carried" && typeof entry.data["summary"] === "string"
        ? note("carried", entry.data["summary"])
        : [];
    default:
      return [];
  }
}

function rowsOfMessage(entry: MessageEntry, around: Around, remember: Remember): Row[] {
  const { seq, time, message, runId = "" } = entry;
  if (message.role === "toolResult") return [];
  if (message.role === "user")
    return [
      remember(`entry:${seq}`, [seq], () => ({ type: "user", seq, time, ...readUserMessage(message) })),
    ];
  const { text, thinking } = readAnswer(message);
  const usage = around.usage.get(runId);
  const isLast = usage?.lastSeq === seq && !around.open.has(runId);
  const error = message.stopReason === "error" ? (message.errorMessage ?? message.errorCode ?? "?") : "";
  const answer =
    text === "" && thinking === "" && error === ""
      ? []
      : [
          remember(`entry:${seq}`, [seq, isLast], () => ({
            type: "answer",
            seq,
            runId,
            time,
            text,
            thinking,
            isLive: false,
            model: `${message.provider}/${message.model}`,
            cost: usage?.cost ?? 0,
            tokens: usage?.tokens ?? 0,
            isLast,
            isStopped: message.stopReason === "aborted",
            error,
          })),
        ];
  const calls = message.content.filter((block) => block.type === "toolCall");
  return [
    ...answer,
    ...calls.map((call, index) => {
      const result = around.results.get(call);
      const isOpen = around.open.has(runId);
      const isWaiting = around.waiting.has(`${runId} ${call.id}`);
      return remember(`call:${seq}:${index}`, [result, isOpen, isWaiting], () =>
        toolRow(call, { runId, seq, time, result, isOpen, isWaiting }),
      );
    }),
  ];
}

function toolRow(
  { id, name, arguments: given, invalidArguments }: ToolCallBlock,
  {
    runId,
    seq,
    time,
    result,
    isOpen,
    isWaiting,
  }: {
    runId: string;
    seq: number;
    time: string;
    result: MessageEntry | undefined;
    isOpen: boolean;
    isWaiting: boolean;
  },
): ToolRow {
  const shown = invalidArguments === undefined ? given : { "?": invalidArguments };
  const begun = { type: "tool" as const, call: `${runId} ${id}`, seq, time, name, arguments: shown };
  if (result?.message.role !== "toolResult") {
    const state = isWaiting ? "waiting" : isOpen ? "running" : "unanswered";
    return { ...begun, state, output: "", pictures: [], resultSeq: 0, ms: undefined };
  }
  const { ms, ...read } = readResult(result.message);
  return { ...begun, ...read, resultSeq: result.seq, ms: ms ?? between(time, result.time) };
}

const between = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from));

/** Rows at the end among which a call that runs is found. */
const nearby = 200;

/** What a run says and does and is not stored yet. */
function liveRows(run: LiveRun, stored: readonly Row[]): Row[] {
  const { runId, said, calls, approvals, state } = run;
  const words = said.flatMap((saying, index): Row[] =>
    saying.text === "" && saying.thinking === ""
      ? []
      : [{ key: `live:${runId}:${index === said.length - 1 ? "now" : index}`, ...liveAnswer(runId, saying) }],
  );
  const known = new Set(stored.slice(-nearby).flatMap((row) => (row.type === "tool" ? [row.call] : [])));
  const unstored = calls.filter(({ call, isOver }) => !isOver && !known.has(`${runId} ${call.id}`));
  const pending = approvals.filter((approval) => approval.state === "pending");
  return [
    ...words,
    ...unstored.map(({ call, startedAt }): Row => ({
      key: `live-call:${runId}:${call.id}`,
      type: "tool",
      call: `${runId} ${call.id}`,
      seq: 0,
      time: startedAt,
      name: call.name,
      arguments: call.arguments,
      state: pending.some(({ callId }) => callId === call.id) ? "waiting" : "running",
      output: "",
      pictures: [],
      resultSeq: 0,
      ms: undefined,
    })),
    ...pending.map((approval): Row => ({ key: `approval:${approval.id}`, type: "approval", approval })),
    ...(pending.length === 0 && (said.at(-1)?.text ?? "") === ""
      ? [{ key: `working:${runId}`, type: "working" as const, runId, state }]
      : []),
  ];
}

const liveAnswer = (runId: string, { text, thinking }: LiveRun["said"][number]): AnswerRow => ({
  type: "answer",
  seq: 0,
  runId,
  time: "",
  text,
  thinking,
  isLive: true,
  model: "",
  cost: 0,
  tokens: 0,
  isLast: false,
  isStopped: false,
  error: "",
});
