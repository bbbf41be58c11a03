/**
 * One turn: the model is asked, its tool calls are run, and so on until it has answered, a limit is reached, or it turns in circles. It is
 * driven by what the turn has stored so far, so it begins and goes on after a crash in the same way: calls that lack a result are settled
 * first, then the model is asked. Every step is stored as it happens; the last one is handed back, to be stored with the turn's end.
 */
import {
  noUsage,
  textOf,
  type AssistantMessage,
  type Entry,
  type Message,
  type Model,
  type ToolCallBlock,
} from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { TurnEndingRecord } from "../storage/turns.ts";
import { askModel } from "./ask-model.ts";
import { buildMessages, recentHistory } from "./build-context.ts";
import { findCircle } from "./repeated-calls.ts";
import type { ReplyTarget } from "./reply-stream/tags.ts";
import { settleCalls, type CallJournal, type TurnTools } from "./settle-calls.ts";
import { stopOf, type TurnStop } from "./turn-run.ts";
import { createTurnVoice, readReply, type TurnEvent, type VoiceSettings } from "./turn-voice.ts";

/** The turn's own part of the storage, bound to its session and lease. What has resolved survives a crash of the process. */
export interface TurnJournal extends CallJournal {
  /** Entries of the session from before this turn, the newest `limit`. */
  before(limit: number): Promise<Entry[]>;
  /** What the user said meanwhile, stored as part of the turn. */
  takeInputs(): Promise<Message[]>;
}

export interface TurnTexts {
  stepLimit(steps: number): string;
  repeatedCalls(tool: string, times: number): string;
  /** Said below an answer that was cut off. */
  cut(): string;
  modelFailed(reason: string): string;
  /** `reason` says which limit was reached and how to raise it. */
  overBudget(reason: string): string;
  /** Reasons for `modelFailed`. */
  answeredNothing(): string;
  brokeOff(): string;
  aborted(by: TurnStop["by"]): string;
}

export interface TurnParts {
  journal: TurnJournal;
  model: Model;
  tools: TurnTools;
  texts: TurnTexts;
  clock: Clock;
}

/** How far the turn has come: what it stored, and which calls of the last answer were begun. */
export interface TurnProgress {
  messages: Message[];
  begunCalls: ReadonlySet<string>;
  /** How many of the messages are from before it was last continued; they do not count against its limits. */
  carried?: number;
}

export interface TurnRequest {
  systemPrompt: string;
  maxSteps: number;
  /** How often in a row the same call may have the same result. */
  maxRepeatedCalls: number;
  maxContextMessages: number;
  voice: VoiceSettings;
  signal: AbortSignal;
  onEvent?: (event: TurnEvent) => void;
}

export type TurnConclusion =
  /** `last` is the message that ends the turn, as the user sees it; not yet stored. `replyTo`: what it says it answers. */
  | {
      type: "ended";
      ending: TurnEndingRecord;
      last: AssistantMessage;
      messages: Message[];
      replyTo?: ReplyTarget;
    }
  /** The process is about to stop; the turn goes on from what is stored. */
  | { type: "parked" };

/** Throws what the journal throws, and nothing else. */
export async function runTurn(
  parts: TurnParts,
  request: TurnRequest,
  progress: TurnProgress,
): Promise<TurnConclusion> {
  const { journal, model, tools, texts } = parts;
  const { signal } = request;
  const turn = [...progress.messages];
  const asked = turn.filter((message) => message.role === "user").length;
  const older = Math.max(0, request.maxContextMessages - Math.max(1, asked));
  const history = recentHistory(await journal.before(older), older);

  const voice = createTurnVoice(request.voice, (event) => request.onEvent?.(event));

  const conclude = (
    ending: TurnEndingRecord,
    last: AssistantMessage,
    replyTo?: ReplyTarget,
  ): TurnConclusion =>
    stopOf(signal)?.by === "shutdown"
      ? { type: "parked" }
      : { type: "ended", ending, last, messages: [...turn, last], ...(replyTo && { replyTo }) };
  const stopped = (by: TurnStop["by"], partial: AssistantMessage = noReply(model)) =>
    conclude(
      { type: "aborted", by: by === "shutdown" ? "client" : by },
      withText(partial, paragraphs(textOf(partial), texts.aborted(by))),
    );

  // Only for what the crash left: the model may use the same ids again.
  let begun = progress.begunCalls;
  for (;;) {
    const halt = findHalt(turn, request, progress.carried ?? 0);
    const calls = pendingCalls(turn);
    if (calls.length > 0) {
      turn.push(
        ...(await settleCalls(
          parts,
          { signal, onEvent: voice.hear },
          { calls, begun, refusal: halt?.refusal },
        )),
      );
    }
    begun = new Set();
    if (halt) {
      const words = withText(noReply(model), haltWords(halt.ending, texts));
      return conclude(halt.ending, { ...words, stopReason: "stop" });
    }
    const stop = stopOf(signal);
    if (stop) return stopped(stop.by);
    turn.push(...(await journal.takeInputs()));

    const raw = await askModel(model, {
      systemPrompt: request.systemPrompt,
      messages: buildMessages(history, turn),
      tools: tools.descriptions,
      signal,
      clock: parts.clock,
      onEvent: voice.hear,
    });
    const { message: reply, text, replyTo } = readReply(withDistinctCalls(raw), request.voice.reasoning);
    const stopNow = stopOf(signal);
    if (stopNow || reply.stopReason === "aborted")
      return stopped(stopNow?.by ?? "client", withText(reply, text));
    const hasCalls = reply.content.some((block) => block.type === "toolCall");
    if (reply.stopReason === "error" || !hasCalls) {
      const ending = endingOf(reply, texts);
      const words = paragraphs(text, postscript(ending, texts));
      return conclude(ending, withText(reply, words), replyTo);
    }
    turn.push(...(await journal.append([reply])));
  }
}

/** Results find their calls by id: within one answer no two may have the same. */
function withDistinctCalls(reply: AssistantMessage): AssistantMessage {
  const taken = new Set<string>();
  const distinct = (block: AssistantMessage["content"][number]) => {
    if (!isCall(block)) return block;
    let { id } = block;
    for (let count = 2; taken.has(id); count++) id = `${block.id}-${count}`;
    taken.add(id);
    return id === block.id ? block : { ...block, id };
  };
  return reply.content.filter(isCall).length < 2 ? reply : { ...reply, content: reply.content.map(distinct) };
}

type HaltEnding = Extract<TurnEndingRecord, { type: "step-limit" | "repeated-calls" }>;

/**
 * Whether the calls of the last answer must not be run. It is decided from what came before them, so that whoever goes on after a crash
 * decides alike, also where some of them were answered already.
 */
function findHalt(
  turn: readonly Message[],
  { maxSteps, maxRepeatedCalls }: TurnRequest,
  carried: number,
): { ending: HaltEnding; refusal: string } | undefined {
  const { at, calls } = lastAnswer(turn);
  if (calls.length === 0) return undefined;
  if (stepsOf(turn.slice(carried)) > maxSteps) {
    const refusal = `the limit of ${maxSteps} tool steps was reached`;
    return { ending: { type: "step-limit", steps: maxSteps }, refusal };
  }
  const circle = findCircle(turn.slice(0, at), calls, maxRepeatedCalls);
  if (!circle) return undefined;
  const refusal = `${circle.tool} was called ${circle.times} times in a row with the same arguments and the same result`;
  return { ending: { type: "repeated-calls", ...circle }, refusal };
}

const haltWords = (ending: HaltEnding, texts: TurnTexts): string =>
  ending.type === "step-limit"
    ? texts.stepLimit(ending.steps)
    : texts.repeatedCalls(ending.tool, ending.times);

function lastAnswer(turn: readonly Message[]): { at: number; calls: ToolCallBlock[] } {
  const at = turn.findLastIndex((message) => message.role === "assistant");
  const last = turn[at];
  return { at, calls: last?.role === "assistant" ? last.content.filter(isCall) : [] };
}

/** The calls of the last answer that have no result yet. */
export function pendingCalls(turn: readonly Message[]): ToolCallBlock[] {
  const { at, calls } = lastAnswer(turn);
  const answered = new Set(
    turn.slice(at + 1).flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : [])),
  );
  return calls.filter(({ id }) => !answered.has(id));
}

/** Answers of this turn that called tools. */
const stepsOf = (turn: readonly Message[]): number =>
  turn.filter((message) => message.role === "assistant" && message.content.some(isCall)).length;

const isCall = (block: AssistantMessage["content"][number]): block is ToolCallBlock =>
  block.type === "toolCall";

function endingOf(reply: AssistantMessage, texts: TurnTexts): TurnEndingRecord {
  if (reply.stopReason === "error") {
    const reason = reply.errorMessage ?? texts.brokeOff();
    return { type: reply.errorCode === "budget" ? "budget" : "model-failed", reason };
  }
  if (reply.stopReason === "length") return { type: "cut" };
  const text = textOf(reply).trim();
  if (text === "") return { type: "model-failed", reason: texts.answeredNothing() };
  return silentTokens.has(text) ? { type: "silent" } : { type: "answered" };
}

/** What is said below the words of the model itself. */
function postscript(ending: TurnEndingRecord, texts: TurnTexts): string {
  switch (ending.type) {
    case "model-failed":
      return texts.modelFailed(ending.reason);
    case "budget":
      return texts.overBudget(ending.reason);
    case "cut":
      return texts.cut();
    default:
      return "";
  }
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
