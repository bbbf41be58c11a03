/** One stored entry as rows: a message, an answer with its calls, a mark. */
import { closingIn, type Entry, type MessageEntry, type ToolCallBlock } from "@pincer/sdk";
import { readAnswer, readResult, readUserMessage } from "./read-message.ts";
import type { NoteName, Row, ToolRow } from "./row.ts";

type Body = Row extends infer Each ? (Each extends Row ? Omit<Each, "key"> : never) : never;
/** The row of a key that was made of the same things before, or a new one. */
export type Remember = (key: string, depends: readonly unknown[], make: () => Body) => Row;

/** What a run cost so far, and its last word. */
export interface RunUsage {
  cost: number;
  tokens: number;
  lastSeq: number;
}

/** What an entry needs to know of those around it. */
export interface Around {
  results: Map<ToolCallBlock, MessageEntry>;
  usage: Map<string, RunUsage>;
  /** Runs that go on. */
  open: ReadonlySet<string>;
  waiting: ReadonlySet<string>;
}

export function rowsOfEntry(entry: Entry, around: Around, remember: Remember): Row[] {
  const { seq, time } = entry;
  const note = (name: NoteName, detail: string, count = 0) => [
    remember(`note:${seq}`, [seq], () => ({ type: "note", name, time, detail, count })),
  ];
  const begin = (isResumed: boolean) => [
    remember(`begin:${seq}`, [seq], () => ({ type: "begin", time, isResumed })),
  ];
  switch (entry.type) {
    case "session":
      return begin(false);
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
    case "event": {
      const turn = closingIn([entry], "granted");
      if (turn) return [remember(`entry:${seq}`, [seq], () => ({ type: "granted", turn }))];
      const changes = closingIn([entry], "changes");
      if (changes) return [remember(`entry:${seq}`, [seq], () => ({ type: "changes", changes }))];
      const run = closingIn([entry], "dry-run");
      if (run) return [remember(`entry:${seq}`, [seq], () => ({ type: "dry-run", run }))];
      if (entry.name === "session-resumed") return begin(true);
      return entry.name === "carried" && typeof entry.data["summary"] === "string"
        ? note("carried", entry.data["summary"])
        : [];
    }
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
  const isStopped = message.stopReason === "aborted";
  const answer =
    text === "" && thinking === "" && error === "" && !isStopped
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
            isByModel: usage !== undefined && usage.tokens + usage.cost > 0,
            cost: usage?.cost ?? 0,
            tokens: usage?.tokens ?? 0,
            isLast,
            isStopped,
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
    return { ...begun, state, output: "", pictures: [], resultSeq: 0, ms: undefined, exitCode: undefined };
  }
  const { ms, ...read } = readResult(result.message);
  return { ...begun, ...read, resultSeq: result.seq, ms: ms ?? between(time, result.time) };
}

const between = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from));
