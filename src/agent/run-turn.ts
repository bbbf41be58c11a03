/**
 * One turn: the model is asked, its tool calls are run, and so on until it has answered or the step limit is reached. It is driven by
 * what the turn has stored so far, so it begins and goes on after a crash in the same way: calls that lack a result are settled
 * first, then the model is asked. Every step is stored as it happens; the last one is handed back, to be stored with the turn's end.
 */
import {
  noUsage,
  textOf,
  toolFailure,
  type AssistantMessage,
  type Entry,
  type Message,
  type Model,
  type ModelEvent,
  type ToolCallBlock,
  type ToolDescription,
  type ToolResult,
} from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { TurnEndingRecord } from "../storage/turns.ts";
import { askModel } from "./ask-model.ts";
import { buildMessages, recentHistory } from "./build-context.ts";
import { TurnStop } from "./turn-run.ts";

/** The turn's own part of the storage, bound to its session and lease. What has resolved survives a crash of the process. */
export interface TurnJournal {
  /** Entries of the session from before this turn, the newest `limit`. */
  before(limit: number): Promise<Entry[]>;
  /** Resolves to the messages as they were stored. */
  append(messages: Message[]): Promise<Message[]>;
  /** Notes that a call begins; on the disk before a call begins that must not be repeated. */
  beginTool(call: ToolCallBlock, idempotent: boolean): Promise<void>;
  /** What the user said meanwhile, stored as part of the turn. */
  takeInputs(): Promise<Message[]>;
}

export interface TurnTools {
  /** What the model is shown. */
  descriptions: ToolDescription[];
  /** Whether a call may simply be run again when nobody knows whether it was. */
  isIdempotent(call: ToolCallBlock): boolean;
  /** Passes the gate, then runs; never throws. */
  call(call: ToolCallBlock, signal: AbortSignal): Promise<ToolResult>;
}

export interface TurnTexts {
  stepLimit(steps: number): string;
  modelFailed(reason: string): string;
  aborted(by: TurnStop["by"]): string;
}

export interface TurnParts {
  journal: TurnJournal;
  model: Model;
  tools: TurnTools;
  texts: TurnTexts;
  clock: Clock;
}

/** How far the turn has come: what it stored, and which calls were begun. */
export interface TurnProgress {
  messages: Message[];
  begunCalls: ReadonlySet<string>;
}

export interface TurnRequest {
  systemPrompt: string;
  maxSteps: number;
  maxContextMessages: number;
  signal: AbortSignal;
  onEvent?: (event: TurnEvent) => void;
}

export type TurnEvent =
  | ModelEvent
  | { type: "tool-call-start"; call: ToolCallBlock }
  | { type: "tool-call-end"; call: ToolCallBlock; result: ToolResult };

export type TurnConclusion =
  /** `last` is the message that ends the turn, as the user sees it; not yet stored. */
  | { type: "ended"; ending: TurnEndingRecord; last: AssistantMessage; messages: Message[] }
  /** The process is about to stop; the turn goes on from what is stored. */
  | { type: "parked" };

/** Throws what the journal throws, and nothing else. */
export async function runTurn(
  parts: TurnParts,
  request: TurnRequest,
  progress: TurnProgress,
): Promise<TurnConclusion> {
  const { journal, model, tools, texts } = parts;
  const { signal, maxSteps } = request;
  const turn = [...progress.messages];
  const asked = turn.filter((message) => message.role === "user").length;
  const older = Math.max(0, request.maxContextMessages - Math.max(1, asked));
  const history = recentHistory(await journal.before(older), older);

  const conclude = (ending: TurnEndingRecord, last: AssistantMessage): TurnConclusion =>
    stopOf(signal)?.by === "shutdown"
      ? { type: "parked" }
      : { type: "ended", ending, last, messages: [...turn, last] };
  const stopped = (by: TurnStop["by"], partial: AssistantMessage = noReply(model)) =>
    conclude(
      { type: "aborted", by: by === "shutdown" ? "client" : by },
      withText(partial, paragraphs(textOf(partial), texts.aborted(by))),
    );

  // Only for what the crash left: the model may use the same ids again.
  let begun = progress.begunCalls;
  for (;;) {
    const calls = pendingCalls(turn);
    const steps = stepsOf(turn);
    const atLimit = steps > maxSteps;
    if (calls.length > 0) {
      const results = await settleCalls(parts, request, { calls, begun, atLimit });
      begun = new Set();
      turn.push(...results);
      if (atLimit) {
        const last = withText(noReply(model), texts.stepLimit(maxSteps));
        return conclude({ type: "step-limit", steps: maxSteps }, { ...last, stopReason: "stop" });
      }
    }
    const stop = stopOf(signal);
    if (stop) return stopped(stop.by);
    turn.push(...(await journal.takeInputs()));

    const reply = await askModel(model, {
      systemPrompt: request.systemPrompt,
      messages: buildMessages(history, turn),
      tools: tools.descriptions,
      signal,
      onEvent: request.onEvent,
    });
    const stopNow = stopOf(signal);
    if (stopNow || reply.stopReason === "aborted") return stopped(stopNow?.by ?? "client", reply);
    const hasCalls = reply.content.some((block) => block.type === "toolCall");
    if (reply.stopReason === "error" || !hasCalls) {
      const ending = endingOf(reply);
      const text =
        ending.type === "model-failed"
          ? paragraphs(textOf(reply), texts.modelFailed(ending.reason))
          : textOf(reply);
      return conclude(ending, withText(reply, text));
    }
    turn.push(...(await journal.append([reply])));
  }
}

/** The calls of the last answer that have no result yet. */
export function pendingCalls(turn: readonly Message[]): ToolCallBlock[] {
  const at = turn.findLastIndex((message) => message.role === "assistant");
  const last = turn[at];
  if (last?.role !== "assistant") return [];
  const answered = new Set(
    turn.slice(at + 1).flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : [])),
  );
  return last.content.filter((block) => block.type === "toolCall").filter(({ id }) => !answered.has(id));
}

/** Answers of this turn that called tools. */
const stepsOf = (turn: readonly Message[]): number =>
  turn.filter((message) => message.role === "assistant" && message.content.some(isCall)).length;

const isCall = (block: AssistantMessage["content"][number]) => block.type === "toolCall";

interface Settling {
  calls: ToolCallBlock[];
  begun: ReadonlySet<string>;
  atLimit: boolean;
}

/** Gives every call its result: side by side, each stored as it ends. All have ended when it resolves or throws. */
async function settleCalls(
  parts: TurnParts,
  request: TurnRequest,
  { calls, begun, atLimit }: Settling,
): Promise<Message[]> {
  const { journal, tools } = parts;
  const settle = async (call: ToolCallBlock): Promise<Message[]> => {
    const idempotent = tools.isIdempotent(call);
    const keep = async (result: ToolResult) => {
      const stored = await journal.append([resultMessage(call, result)]);
      request.onEvent?.({ type: "tool-call-end", call, result });
      return stored;
    };
    if (begun.has(call.id) && !idempotent) return keep(interrupted());
    request.onEvent?.({ type: "tool-call-start", call });
    if (atLimit) return keep(notRun(request.maxSteps));
    if (request.signal.aborted) return keep(toolFailure("execution_error", "not run: the turn was stopped"));
    await journal.beginTool(call, idempotent);
    const result = await withinReach(tools.call(call, request.signal), parts.clock, request.signal);
    // Stopping for a restart: what may be run again will be; what may not must not look as if it had failed for certain.
    if (!result.ok && stopOf(request.signal)?.by === "shutdown") {
      if (idempotent) return [];
      return keep(interrupted());
    }
    return keep(result);
  };
  const ended = await Promise.allSettled(calls.map(settle));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return ended.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

const graceMs = 150;

/** A tool that does not heed the signal is left behind: nobody waits for it any longer than this. */
async function withinReach(
  running: Promise<ToolResult>,
  clock: Clock,
  signal: AbortSignal,
): Promise<ToolResult> {
  const over = new AbortController();
  const abandoned = new Promise<ToolResult>((resolve) => {
    const leave = () =>
      clock.sleep(graceMs, over.signal).then(
        () => resolve(interrupted()),
        () => {
          // The tool came back in time.
        },
      );
    if (signal.aborted) void leave();
    else signal.addEventListener("abort", () => void leave(), { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([running, abandoned]);
  } finally {
    over.abort();
  }
}

/** Every call gets a result, also the one that the limit kept from running. */
const notRun = (steps: number) =>
  toolFailure("execution_error", `not run: the limit of ${steps} tool steps was reached`);

const interrupted = () =>
  toolFailure(
    "execution_error",
    "interrupted, outcome unknown: it may or may not have taken effect. Find out before you do it again.",
  );

const stopOf = (signal: AbortSignal): Pick<TurnStop, "by"> | undefined =>
  signal.aborted ? (signal.reason instanceof TurnStop ? signal.reason : { by: "client" }) : undefined;

function endingOf(reply: AssistantMessage): TurnEndingRecord {
  if (reply.stopReason === "error") {
    return { type: "model-failed", reason: reply.errorMessage ?? "unknown error" };
  }
  const text = textOf(reply).trim();
  if (text === "") return { type: "model-failed", reason: "it answered with nothing" };
  return silentTokens.has(text) ? { type: "silent" } : { type: "answered" };
}

/** A whole answer that is one of these is none: there is nothing to say. */
export const silentTokens: ReadonlySet<string> = new Set(["NO_REPLY", "HEARTBEAT_OK"]);

const paragraphs = (...texts: string[]): string => texts.filter(Boolean).join("\n\n");

/** The reply as it is stored: what the user was shown, without calls that were never run. */
const withText = (reply: AssistantMessage, text: string): AssistantMessage => ({
  ...reply,
  content: [...reply.content.filter((block) => block.type === "thinking"), { type: "text", text }],
});

const noReply = (model: Model): AssistantMessage => ({
  role: "assistant",
  content: [],
  provider: model.provider,
  model: model.id,
  usage: noUsage(),
  stopReason: "aborted",
});

const resultMessage = (call: ToolCallBlock, result: ToolResult): Message => ({
  role: "toolResult",
  toolCallId: call.id,
  toolName: call.name,
  content: result.content,
  isError: !result.ok,
  details: { ...result, content: undefined },
});
