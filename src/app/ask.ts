/** One question, one answer: the object that `pincer ask --json` prints, complete also when something failed. */
import {
  asPincerError,
  noUsage,
  type ErrorCode,
  type Model,
  type PincerError,
  type ToolCallBlock,
  type ToolErrorCode,
  type ToolResult,
  type Usage,
} from "@pincer/sdk";
import { answerInSession, type SessionAnswerParts } from "../agent/answer-in-session.ts";
import type { TurnEvent, TurnOutcome, TurnParts } from "../agent/run-turn.ts";
import { systemClock, timestamp, type Clock } from "../infra/clock.ts";
import { failure, sayError } from "../infra/failure.ts";
import { createIds, type Ids } from "../infra/ids.ts";
import type { Say } from "../infra/texts.ts";
import { parseManualToolCall } from "../models/manual-tool-calls.ts";
import type { Route, RouteRequest } from "../routing/route-message.ts";

export interface AskRequest extends RouteRequest {
  input: string;
  provider?: string;
  model?: string;
  credential?: string;
  newSession: boolean;
  memory: boolean | undefined;
  /** Without `maxSteps` the agent's own limit holds. */
  tools: { enabled: boolean; allow: string[]; maxSteps: number | undefined };
  signal: AbortSignal;
  onEvent?: (event: TurnEvent) => void;
  /** Told in words when another turn of the session is in the way. */
  onWait?: (message: string) => void;
}

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

export interface AskParts extends SessionAnswerParts {
  clock: Clock;
  ids: Ids;
  /** Of the agent that answers; read for each question, because the config may change while the process runs. */
  settings(route: Route): {
    systemPrompt: string;
    maxContextMessages: number;
    toolMaxSteps: number;
    workdir: string;
  };
  texts: TurnParts["texts"] & {
    failed(error: PincerError): string;
    waiting(pid: number, since: string): string;
  };
  route(request: RouteRequest): Route;
  chooseModel(request: AskRequest, route: Route): Model;
  /** The tools as this request may see and use them. */
  toolsFor(request: AskRequest, route: Route): TurnParts["tools"];
}

export type Ask = (request: AskRequest) => Promise<AskAnswer>;

/** The returned function never throws: what went wrong is in the answer. */
export function createAsk(parts: AskParts): Ask {
  return async function ask(request) {
    const answer = skeleton(parts, request);
    try {
      const route = parts.route(request);
      answer.sessionKey = route.sessionKey;
      const model = parts.chooseModel(request, route);
      const { workdir, toolMaxSteps, ...settings } = parts.settings(route);
      const tools = parts.toolsFor(request, route);
      const manual = parseManualToolCall(request.input, () => "") !== undefined;
      Object.assign(answer, {
        route: manual ? "tool" : model.provider,
        provider: model.provider,
        model: model.id,
      });

      answer.stage = "session";
      const { session, outcome } = await answerInSession(parts, {
        open: {
          sessionKey: route.sessionKey,
          workspaceId: route.scope.workspaceId,
          agentId: route.agentId,
          origin: { channel: "cli" },
          cwd: workdir,
        },
        fresh: request.newSession,
        memory: request.memory,
        runId: answer.requestId,
        turn: {
          input: request.input,
          maxSteps: request.tools.maxSteps ?? toolMaxSteps,
          ...settings,
          signal: request.signal,
          ...(request.onEvent ? { onEvent: request.onEvent } : {}),
        },
        parts: { model, tools, texts: parts.texts },
        onWait: (lease) => request.onWait?.(parts.texts.waiting(lease.holder.pid, lease.acquiredAt)),
        onSession(opened) {
          answer.stage = "model";
          answer.sessionId = opened.sessionId;
          answer.memoryEnabled = opened.memoryEnabled;
        },
      });
      answer.sessionId = session.sessionId;
      return complete(answer, outcome, manual);
    } catch (thrown) {
      const error = request.signal.aborted
        ? failure("turn/aborted", "failure.aborted", {}, { cause: thrown })
        : asPincerError(thrown);
      answer.result = parts.texts.failed(error);
      answer.error = describe(error);
      return answer;
    }
  };
}

/** The answer where the home could not even be opened: complete like any other. */
export function unanswered(request: AskRequest, thrown: unknown, say: Say): AskAnswer {
  const error = asPincerError(thrown);
  const answer = skeleton({ clock: systemClock, ids: createIds() }, request);
  return { ...answer, result: sayError(error, say).message, error: describe(error) };
}

const skeleton = ({ ids, clock }: Pick<AskParts, "ids" | "clock">, request: AskRequest): AskAnswer => ({
  requestId: ids.make("r"),
  createdAt: timestamp(clock),
  route: request.provider ?? "stub",
  stage: "route",
  result: "",
  sessionKey: request.sessionKey ?? "",
  sessionId: "",
  memoryEnabled: request.memory ?? false,
  memoryUpdated: false,
  toolCalls: [],
  toolResults: [],
  sessionContextUpdated: false,
  provider: request.provider ?? "stub",
  model: request.model ?? "",
  usage: noUsage(),
});

function complete(answer: AskAnswer, outcome: TurnOutcome, manual: boolean): AskAnswer {
  const { ending } = outcome;
  const failed = outcome.toolResults.findLast(({ result }) => result.error)?.result.error;
  const error = errorOf(outcome, manual ? failed : undefined);
  return {
    ...answer,
    stage: ending.type === "answered" ? "done" : "model",
    result: outcome.text,
    toolCalls: outcome.toolCalls.map(callFields),
    toolResults: outcome.toolResults.map(({ call, result }) => ({
      toolCallId: call.id,
      name: call.name,
      ...result,
    })),
    ...(failed ? { toolError: failed } : {}),
    sessionContextUpdated: true,
    usage: outcome.messages.reduce((sum, { usage }) => addUsage(sum, usage), noUsage()),
    ...(error ? { error } : {}),
  };
}

/** Why the turn did not end well; a tool that failed is an error only where the tool was all that was asked for. */
function errorOf({ ending, text }: TurnOutcome, toolError: AskAnswer["toolError"]): AskAnswer["error"] {
  switch (ending.type) {
    case "model-failed":
      return { code: "model/failed", message: ending.reason };
    case "step-limit":
      return { code: "tool/limit", message: text };
    case "aborted":
      return { code: "turn/aborted", message: text };
    case "answered":
      return toolError && { code: toolErrors[toolError.code], message: toolError.message };
  }
}

const toolErrors: Record<ToolErrorCode, ErrorCode> = {
  tool_not_found: "tool/not-found",
  invalid_args: "tool/invalid-args",
  execution_error: "tool/failed",
};

const callFields = ({ id, name, arguments: given }: ToolCallBlock) => ({ id, name, arguments: given });

const describe = (error: PincerError) => ({
  code: error.code,
  message: error.message,
  ...(error.hint ? { hint: error.hint } : {}),
});

function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    total: a.total + b.total,
    cost: a.cost + b.cost,
  };
}
