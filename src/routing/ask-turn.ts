/** What a question came to, for the caller who waits for it: a command, a page, a program. */
import {
  asPincerError,
  closingIn,
  noUsage,
  type DryRunView,
  type Entry,
  type ErrorCode,
  type GrantedTurnView,
  type Message,
  type PincerError,
  type ToolCallBlock,
  type ToolErrorCode,
  type ToolResult,
  type TurnChangesClosing,
  type Usage,
} from "@pincer/sdk";
import { outcomeOf } from "../agent/turn-outcome.ts";
import { timestamp, type Clock } from "../infra/clock.ts";
import type { Ids } from "../infra/ids.ts";
import { readManualCall } from "../models/manual-tool-calls.ts";
import type { TurnEndingRecord, TurnRecord } from "../storage/turns/turns.ts";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import type { SessionRecord } from "../storage/stores.ts";
import type { TurnWishes } from "../agent/turns/turn-wishes.ts";

/** How far the request got; `done` when it was answered. */
export type AskStage = "route" | "session" | "model" | "done";

export interface AskAnswer {
  requestId: string;
  createdAt: string;
  /** Who answered: `tool` for a direct tool call, else the provider. */
  route: string;
  stage: AskStage;
  result: string;
  sessionKey: string;
  sessionId: string;
  memoryEnabled: boolean;
  memoryUpdated: boolean;
  memoryFile?: string;
  toolCalls: Array<{ id: string; name: string; arguments: Record<string, unknown> }>;
  toolResults: Array<{ toolCallId: string; name: string } & ToolResult>;
  toolError?: { code: ToolErrorCode; message: string };
  sessionContextUpdated: boolean;
  provider: string;
  model: string;
  usage: Usage;
  /** What the owner's words granted, and what was done with it; left out where nothing was. */
  granted?: GrantedTurnView;
  /** What the turn changed in the workdir after it read texts of others. */
  changes?: TurnChangesClosing;
  /** What a dry run would have done. */
  dryRun?: DryRunView;
  /** Present when the question was not answered; the command line then ends with status 1. */
  error?: { code: ErrorCode; message: string; hint?: string };
}

/** What a turn came to so far, complete also when it failed or has not ended. */
export function answerOf(
  turn: TurnRecord,
  session: SessionRecord | undefined,
  entries: readonly Entry[],
  memoryFileOf: (session: SessionRecord) => string,
): AskAnswer {
  const messages = entries.flatMap((entry): Message[] => (entry.type === "message" ? [entry.message] : []));
  const outcome = outcomeOf(messages);
  const last = outcome.messages.at(-1);
  const command = entries.findLast((entry) => entry.type === "command");
  const manual = messages.some(
    (message) => message.role === "user" && readManualCall(message, () => "") !== undefined,
  );
  const failed = outcome.toolResults.findLast(({ result }) => result.error)?.result.error;
  const words = command?.output ?? outcome.text;
  const error = turn.ending ? errorOf(turn.ending, words, manual ? failed : undefined) : undefined;
  const answered = turn.ending !== null && isAnswer(turn.ending);
  return {
    requestId: turn.turnId,
    createdAt: turn.queuedAt,
    route: manual ? "tool" : command ? "command" : (last?.provider ?? "stub"),
    stage: answered ? "done" : session ? "model" : "session",
    result: words,
    sessionKey: turn.sessionKey,
    sessionId: turn.sessionId ?? "",
    memoryEnabled: session?.memoryEnabled ?? false,
    memoryUpdated: session?.memoryEnabled === true && entries.some(({ type }) => type === "compaction"),
    ...(session?.memoryEnabled ? { memoryFile: memoryFileOf(session) } : {}),
    toolCalls: outcome.toolCalls.map(callFields),
    toolResults: outcome.toolResults.map(({ call, result }) => ({
      toolCallId: call.id,
      name: call.name,
      ...result,
    })),
    ...(failed ? { toolError: failed } : {}),
    sessionContextUpdated: session !== undefined,
    provider: last?.provider ?? "stub",
    model: last?.model ?? "",
    usage: outcome.messages.reduce((sum, { usage }) => addUsage(sum, usage), noUsage()),
    ...closingsOf(entries),
    ...(error ? { error } : {}),
  };
}

function closingsOf(entries: readonly Entry[]): Pick<AskAnswer, "granted" | "changes" | "dryRun"> {
  const granted = closingIn(entries, "granted");
  const changes = closingIn(entries, "changes");
  const dryRun = closingIn(entries, "dry-run");
  return { ...(granted && { granted }), ...(changes && { changes }), ...(dryRun && { dryRun }) };
}

/** What a command answered, complete like any other: no model was asked. */
export function commandAnswerOf(row: InboxRow): AskAnswer {
  return {
    requestId: row.id,
    createdAt: row.receivedAt,
    route: "command",
    stage: "done",
    result: row.answer ?? "",
    sessionKey: row.asked?.session.sessionKey ?? "",
    sessionId: "",
    memoryEnabled: false,
    memoryUpdated: false,
    toolCalls: [],
    toolResults: [],
    sessionContextUpdated: false,
    provider: "",
    model: "",
    usage: noUsage(),
  };
}

/** The answer where not even a turn was begun: complete like any other. */
export function unanswered(
  request: { wishes: TurnWishes; sessionKey?: string },
  thrown: unknown,
  parts: { ids: Ids; clock: Clock; words(error: PincerError): string; configured?: string | undefined },
): AskAnswer {
  const error = asPincerError(thrown);
  const { wishes } = request;
  const provider = wishedProvider(wishes) ?? parts.configured ?? "stub";
  return {
    requestId: parts.ids.make("r"),
    createdAt: timestamp(parts.clock),
    route: provider,
    stage: "route",
    result: parts.words(error),
    sessionKey: request.sessionKey ?? "",
    sessionId: "",
    memoryEnabled: wishes.memory ?? false,
    memoryUpdated: false,
    toolCalls: [],
    toolResults: [],
    sessionContextUpdated: false,
    provider,
    model: wishes.model ?? "",
    usage: noUsage(),
    error: describeError(error),
  };
}

/** Of `provider/model` the provider; undefined where no provider is named. */
export function wishedProvider({
  provider,
  model,
}: Pick<TurnWishes, "provider" | "model">): string | undefined {
  return provider ?? /^([^/]+)\/./.exec(model ?? "")?.[1];
}

export const describeError = (error: PincerError): NonNullable<AskAnswer["error"]> => ({
  code: error.code,
  message: error.message,
  ...(error.hint ? { hint: error.hint } : {}),
});

/** Why the turn did not end well; a tool that failed is an error only where the tool was all that was asked for. */
function errorOf(
  ending: TurnEndingRecord,
  text: string,
  toolError: AskAnswer["toolError"],
): AskAnswer["error"] {
  switch (ending.type) {
    case "model-failed":
      return { code: "model/failed", message: ending.reason };
    case "step-limit":
      return { code: "tool/limit", message: text };
    case "repeated-calls":
      return { code: "tool/repeated", message: text };
    case "breaker":
      return { code: "tool/limit", message: ending.reason };
    case "budget":
      return { code: "model/budget", message: ending.reason };
    case "failed":
      return { code: ending.code as ErrorCode, message: ending.reason };
    case "aborted":
    case "abandoned":
    case "crashed":
    case "held":
    case "dropped":
      return { code: "turn/aborted", message: text };
    case "answered":
    case "silent":
    case "cut":
    case "handed-over":
      return toolError && { code: toolErrors[toolError.code], message: toolError.message };
  }
}

/** One that was cut off is one, too: what there is of it says so. */
const isAnswer = ({ type }: TurnEndingRecord): boolean =>
  type === "answered" || type === "silent" || type === "cut" || type === "handed-over";

const toolErrors: Record<ToolErrorCode, ErrorCode> = {
  tool_not_found: "tool/not-found",
  invalid_args: "tool/invalid-args",
  execution_error: "tool/failed",
};

const callFields = ({ id, name, arguments: given }: ToolCallBlock) => ({ id, name, arguments: given });

function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    total: a.total + b.total,
    cost: a.cost + b.cost,
    ...(a.estimated || b.estimated ? { estimated: true } : {}),
  };
}
