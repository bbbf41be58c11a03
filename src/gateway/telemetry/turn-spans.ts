/**
 * The spans of a turn, built after its end from what is stored about it. So they are complete even after a crash, and
 * cost a running turn nothing.
 */
import type { Entry } from "@pincer/sdk";
import type { InboxRow } from "../../storage/inbox/inbox.ts";
import type { OutboxRow } from "../../storage/outbox/outbox.ts";
import type { JournalRow, TurnRecord } from "../../storage/turns/turns.ts";
import type { Span } from "./span.ts";
import { spanIdOf, traceOf, type TurnTrace } from "./trace-ids.ts";

export interface StoredTurn {
  turn: TurnRecord;
  inputs: readonly InboxRow[];
  journal: readonly JournalRow[];
  entries: readonly Entry[];
}

export function spansOfTurn(stored: StoredTurn): Span[] {
  const { turn, inputs } = stored;
  const trace = traceOf(turn);
  const [first] = inputs;
  return [
    ...inputs.flatMap((row) => waySpans(trace, turn, row)),
    runSpan(trace, turn, first),
    ...toolSpans(trace, stored),
  ];
}

/** How a message came in, and how long its turn had to wait. */
function waySpans({ traceId, parentSpanId }: TurnTrace, turn: TurnRecord, row: InboxRow): Span[] {
  const receivedMs = Date.parse(row.receivedAt);
  // What came while it ran was taken up by it at once.
  const queuedMs = Math.max(receivedMs, Date.parse(turn.queuedAt));
  const startedMs = Math.max(queuedMs, Date.parse(turn.startedAt ?? turn.endedAt ?? turn.queuedAt));
  const common = { run_id: turn.turnId, channel: row.message.channel, message_id: row.id };
  const access = spanIdOf("access_in", row.id);
  return [
    {
      traceId,
      spanId: access,
      parentSpanId,
      name: "access_in",
      kind: "server",
      startMs: receivedMs,
      endMs: queuedMs,
      attributes: common,
      error: undefined,
    },
    {
      traceId,
      spanId: spanIdOf("gateway_route", row.id),
      parentSpanId: access,
      name: "gateway_route",
      kind: "internal",
      startMs: queuedMs,
      endMs: startedMs,
      attributes: { ...common, agent_id: turn.agentId, rule: turn.rule },
      error: undefined,
    },
  ];
}

const wellEnded: ReadonlySet<string> = new Set(["answered", "silent", "cut"]);

function runSpan({ traceId, parentSpanId }: TurnTrace, turn: TurnRecord, first: InboxRow | undefined): Span {
  const how = turn.ending?.type ?? "unknown";
  const startMs = Date.parse(turn.startedAt ?? turn.queuedAt);
  return {
    traceId,
    spanId: spanIdOf("core_run", turn.turnId),
    parentSpanId: first ? spanIdOf("gateway_route", first.id) : parentSpanId,
    name: "core_run",
    kind: "internal",
    startMs,
    endMs: Math.max(startMs, Date.parse(turn.endedAt ?? "") || startMs),
    attributes: { run_id: turn.turnId, agent_id: turn.agentId, ending: how, claims: turn.claims },
    error: wellEnded.has(how) ? undefined : how,
  };
}

function toolSpans({ traceId }: TurnTrace, { turn, journal, entries }: StoredTurn): Span[] {
  const endMs = Date.parse(turn.endedAt ?? "");
  const results = entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "toolResult"
      ? [{ ...entry.message, timeMs: Date.parse(entry.time) }]
      : [],
  );
  return journal.flatMap((step): Span[] => {
    if (step.type !== "tool-begin") return [];
    const startMs = Date.parse(step.time);
    // Some models use the same ids in every answer: the next result is meant.
    const result = results.find(({ toolCallId, timeMs }) => toolCallId === step.callId && timeMs >= startMs);
    return [
      {
        traceId,
        spanId: spanIdOf("tool_execute", `${turn.turnId}:${step.seq}`),
        parentSpanId: spanIdOf("core_run", turn.turnId),
        name: "tool_execute",
        kind: "internal",
        startMs,
        endMs: result?.timeMs ?? (Math.max(startMs, endMs) || startMs),
        attributes: { run_id: turn.turnId, tool: step.name, call_id: step.callId },
        error: result === undefined ? "no result" : result.isError ? "failed" : undefined,
      },
    ];
  });
}

/** How a message of the turn went out; undefined while it has not. */
export function spanOfMessage(turn: TurnRecord, row: OutboxRow): Span | undefined {
  if (row.sentAt === null) return undefined;
  const startMs = Date.parse(row.createdAt);
  return {
    traceId: traceOf(turn).traceId,
    spanId: spanIdOf("gateway_out", row.id),
    parentSpanId: spanIdOf("core_run", turn.turnId),
    name: "gateway_out",
    kind: "client",
    startMs,
    endMs: Math.max(startMs, Date.parse(row.sentAt)),
    attributes: {
      run_id: turn.turnId,
      channel: row.destination.channel,
      message_id: row.id,
      attempts: row.attempts,
    },
    error: undefined,
  };
}
