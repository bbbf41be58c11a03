/** Turns that somebody waits for (a command, a page, a program): how they are queued, and what they came to. */
import {
  asPincerError,
  noUsage,
  type Attachment,
  type Entry,
  type ErrorCode,
  type InboundMessage,
  type Message,
  type PincerError,
  type ToolCallBlock,
  type ToolErrorCode,
  type ToolResult,
  type Usage,
} from "@pincer/sdk";
import { outcomeOf } from "../agent/turn-outcome.ts";
import { timestamp, type Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import type { Ids } from "../infra/ids.ts";
import type { Redactor } from "../infra/redactor.ts";
import { parseManualToolCall } from "../models/manual-tool-calls.ts";
import type { Route, RouteRequest } from "./route-message.ts";
import type {
  BeginTurn,
  BegunTurn,
  QueueMode,
  TurnEndingRecord,
  TurnPerson,
  TurnRecord,
  TurnStore,
} from "../storage/turns/turns.ts";
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
  /** Present when the question was not answered; the command line then ends with status 1. */
  error?: { code: ErrorCode; message: string; hint?: string };
}

export interface AskInput extends RouteRequest {
  input: string;
  wishes: TurnWishes;
  /** The same key is the same question, however often it is asked. */
  idempotencyKey?: string;
  /** `cli`, `http`, …: where it comes from. */
  channel: string;
  direct: boolean;
  /** Who asks, as `channel:id`; without it the owner. */
  person?: TurnPerson;
  attachments?: Attachment[];
  /** What happens beside a turn of the same person that is under way; without it, the question waits until that is over. */
  queue?: { mode: QueueMode; cap: number };
}

export interface QueuedAsk {
  turn: TurnRecord;
  /** It has begun with the transaction that stored it, and has to be run. */
  begun?: BegunTurn | undefined;
  /** The same question was asked under the same key before. */
  duplicate: boolean;
  /** It became part of a turn that was there. */
  joined: boolean;
  /** The turn that must be stopped for it. */
  interrupts?: string | undefined;
}

export interface AskQueueParts {
  turns: Pick<TurnStore, "accept" | "get">;
  tenantId: string;
  workspaceId: string;
  clock: Clock;
  ids: Ids;
  redactor: Pick<Redactor, "text">;
  route(request: RouteRequest): Route;
  setups: { check(agentId: string, wishes: TurnWishes): Promise<{ workdir: string }> };
}

/** Asked when nothing can be refused any more: whether the turn of this id may begin at once. */
export type MayBegin = (
  session: { workspaceId: string; sessionKey: string },
  turnId: string,
) => BeginTurn | undefined;

/**
 * Stores the question together with its turn. Everything that can be refused is refused before anything is stored. Throws PincerError;
 * `usage/bad-argument` when the key was used for another question.
 */
export async function queueAsk(
  parts: AskQueueParts,
  input: AskInput,
  mayBegin: MayBegin = () => undefined,
): Promise<QueuedAsk> {
  const route = parts.route(input);
  const { workdir: cwd } = await parts.setups.check(route.agentId, input.wishes);
  const message = askMessage(parts, input);
  const { id, text } = message.message;
  const session = {
    sessionKey: route.sessionKey,
    workspaceId: route.scope.workspaceId,
    agentId: route.agentId,
    origin: { channel: input.channel },
    cwd,
  };
  const { row, outcome, begun } = await parts.turns.accept(
    message,
    {
      session,
      destination: null,
      person: personOf(input),
      rule: route.rule,
      options: { ...input.wishes },
      direct: input.direct,
      mode: input.queue?.mode ?? "followup",
      cap: input.queue?.cap ?? mostWaiting,
      ...(input.queue ? { joins: "person" as const } : {}),
    },
    mayBegin(session, parts.ids.make("r")),
  );
  switch (outcome.type) {
    case "queued":
    case "joined": {
      const { turn, type } = outcome;
      const interrupts = type === "queued" ? outcome.interrupts : undefined;
      return { turn, begun, duplicate: false, joined: type === "joined", interrupts };
    }
    case "full":
      throw failure(
        "session/busy",
        "failure.session-full",
        { waiting: outcome.waiting },
        { hint: "failure.session-full.hint" },
      );
    case "settled": {
      const stored = row.message.message;
      if (stored.type !== "text" || stored.text !== text) throw keyUsed(id);
      const turn = outcome.turnId === null ? undefined : await parts.turns.get(outcome.turnId);
      if (!turn) throw keyUsed(id);
      return { turn, duplicate: true, joined: false };
    }
  }
}

/** What was asked, as it came in from a channel of its own. */
export function askMessage(
  parts: Pick<AskQueueParts, "tenantId" | "workspaceId" | "clock" | "ids" | "redactor">,
  input: Pick<AskInput, "input" | "channel" | "idempotencyKey" | "person" | "attachments">,
): InboundMessage & { message: { type: "text" } } {
  const sender = personOf(input).id.slice(input.channel.length + 1);
  const key = input.idempotencyKey ?? parts.ids.make("q");
  // Everybody's keys are their own.
  const id = sender === "owner" ? key : `${sender} ${key}`;
  // Secrets are taken out before anything is stored, here as in the transcript.
  const text = parts.redactor.text(input.input);
  return {
    tenantId: parts.tenantId,
    workspaceId: parts.workspaceId,
    channel: input.channel,
    accountId: "local",
    peer: { kind: "user", id: sender },
    sender: { id: sender },
    message: { type: "text", id, text, attachments: input.attachments ?? [], mentioned: true },
    timestamp: parts.clock.now(),
  };
}

export const personOf = ({ channel, person }: Pick<AskInput, "channel" | "person">): TurnPerson =>
  person ?? { role: "owner", id: `${channel}:owner` };

/** Whoever waits has a terminal or a connection open: a guard against runaway scripts, not a queue to plan with. */
const mostWaiting = 1000;

export const keyUsed = (key: string): PincerError =>
  failure("usage/bad-argument", "failure.key-used", { key }, { hint: "failure.key-used.hint" });

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
    (message) =>
      message.role === "user" &&
      message.content.some(
        (block) => block.type === "text" && parseManualToolCall(block.text, () => "") !== undefined,
      ),
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
    ...(error ? { error } : {}),
  };
}

/** The answer where not even a turn was begun: complete like any other. */
export function unanswered(
  request: AskInput,
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
