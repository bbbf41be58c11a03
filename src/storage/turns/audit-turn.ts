/**
 * What a turn leaves in the audit log, written in the transaction that ends it: what was said to it, which model answered with how much,
 * which tools were called and with what outcome, and how it ended. Of every text a keyed digest and a length, never the text. It is one row:
 * every turn pays for it.
 */
import type { AssistantMessage, Entry, Message, ToolCallBlock, ToolResultMessage } from "@pincer/sdk";
import { insertAudits } from "../audit/audit-chain.ts";
import { digestOfText } from "../audit/audit-seal.ts";
import { all, first, type Verb } from "../sqlite/database.ts";
import { entriesOfTurn } from "../sessions/entry-store.ts";
import type { Moment } from "../moment.ts";
import type { TurnRecord } from "./turns.ts";

/**
 * Called once per ending, after the last entry of the turn was stored. What an earlier ending has told is not told again. Answers with the entries
 * of the turn, if it has looked at all of them.
 */
export function* auditTurn(
  moment: Moment,
  turn: TurnRecord,
  lastSeq: number | null,
): Verb<Entry[] | undefined> {
  const { tenantId, now, ids } = moment;
  const { turnId, sessionId, firstSeq } = turn;
  let entries: Entry[] = [];
  let isWhole = true;
  if (sessionId !== null && firstSeq !== null) {
    const told = hasEndedBefore(turn) ? yield* toldSoFar(tenantId, turnId) : 0;
    const from = Math.max(firstSeq, told + 1);
    isWhole = from === firstSeq;
    entries = yield* entriesOfTurn(tenantId, sessionId, { turnId, first: from, last: lastSeq });
  }
  const hasTools = entries.some((entry) => entry.type === "message" && entry.message.role === "toolResult");
  const verdicts =
    hasTools && sessionId !== null ? yield* verdictsOf(tenantId, sessionId, entries) : noVerdicts;
  yield* insertAudits(moment, [
    {
      id: ids.make("a"),
      actor: turn.person.id,
      action: "run",
      resourceType: "run",
      resourceId: turnId,
      sessionKey: turn.sessionKey,
      runId: turnId,
      metadata: {
        agentId: turn.agentId,
        state: turn.state,
        ending: turn.ending?.type,
        claims: turn.claims,
        rule: turn.rule,
        sessionId,
        lastEntry: entries.at(-1)?.seq ?? null,
        steps: stepsOf(moment, entries, verdicts),
      },
      createdAt: now,
    },
  ]);
  return isWhole ? entries : undefined;
}

/** A turn that was continued, or came back from the dead, has ended before. */
const hasEndedBefore = ({ options, ending }: TurnRecord): boolean =>
  options["continued"] !== undefined || options["revived"] === true || ending?.type === "dropped";

function* toldSoFar(tenantId: string, turnId: string): Verb<number> {
  const row = yield* first<{ last_entry: number | null }>(
    `SELECT max(metadata_json ->> 'lastEntry') AS last_entry FROM audit_logs
    WHERE tenant_id = ? AND run_id = ? AND action = 'run'`,
    [tenantId, turnId],
  );
  return Number(row?.last_entry ?? 0);
}

/** What the gate said to calls that it did not simply let pass, by the id of the call. */
type Verdicts = ReadonlyMap<string, string>;
const noVerdicts: Verdicts = new Map();

function* verdictsOf(tenantId: string, sessionId: string, entries: readonly Entry[]): Verb<Verdicts> {
  const rows = yield* all<{ call_id: string; verdict: string }>(
    `SELECT body_json -> 'data' ->> 'callId' AS call_id, body_json -> 'data' ->> 'verdict' AS verdict FROM entries
    WHERE tenant_id = ? AND session_id = ? AND seq BETWEEN ? AND ? AND type = 'event' AND body_json ->> 'name' = 'gate'`,
    [tenantId, sessionId, entries[0]?.seq ?? 0, entries.at(-1)?.seq ?? 0],
  );
  return new Map(rows.map(({ call_id, verdict }) => [call_id, verdict]));
}

/** One step for each entry; `entry` is its number in the session. */
function stepsOf(moment: Moment, entries: readonly Entry[], verdicts: Verdicts): object[] {
  const calls = new Map<string, ToolCallBlock>();
  return entries.flatMap((entry): object[] => {
    const { seq } = entry;
    if (entry.type === "compaction") {
      const { messages, trigger, summary } = entry;
      return [{ step: "summary", entry: seq, messages, trigger, ...sizeOf(moment, summary) }];
    }
    if (entry.type !== "message") return [];
    const { message } = entry;
    switch (message.role) {
      case "user":
        return [{ step: "message-in", entry: seq, ...sizeOf(moment, wordsOf(message)) }];
      case "assistant":
        for (const block of message.content) if (block.type === "toolCall") calls.set(block.id, block);
        return [{ step: "model-call", entry: seq, ...answerOf(moment, message) }];
      case "toolResult": {
        const call = calls.get(message.toolCallId);
        return [{ step: "tool-call", entry: seq, ...outcomeOf(moment, message, call, verdicts) }];
      }
    }
  });
}

function answerOf(moment: Moment, message: AssistantMessage): Record<string, unknown> {
  const { provider, model, usage, stopReason, errorCode } = message;
  const reasoning = message.content
    .map((block) => (block.type === "thinking" ? block.thinking : ""))
    .join("");
  const calls = message.content.flatMap((block) => (block.type === "toolCall" ? [block.name] : []));
  return {
    provider,
    model,
    stopReason,
    ...(errorCode && { errorCode }),
    tokens: { input: usage.input, output: usage.output, total: usage.total },
    ...sizeOf(moment, wordsOf(message)),
    ...(reasoning !== "" && { reasoning: sizeOf(moment, reasoning) }),
    ...(calls.length > 0 && { calls }),
  };
}

function outcomeOf(
  moment: Moment,
  message: ToolResultMessage,
  call: ToolCallBlock | undefined,
  verdicts: Verdicts,
): Record<string, unknown> {
  const { error } = (message.details ?? {}) as { error?: { code?: string } };
  return {
    tool: message.toolName,
    callId: message.toolCallId,
    decision: verdicts.get(message.toolCallId) ?? "allow",
    ok: !message.isError,
    ...(error?.code !== undefined && { code: error.code }),
    ...(call && { arguments: sizeOf(moment, JSON.stringify(call.arguments)) }),
    result: sizeOf(moment, wordsOf(message)),
  };
}

const sizeOf = ({ seal }: Moment, text: string): { digest: string; length: number } => ({
  digest: digestOfText(seal, text),
  length: text.length,
});

const wordsOf = ({ content }: Message): string =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
