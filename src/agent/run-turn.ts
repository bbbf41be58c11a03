/**
 * One turn: the model is asked, its tool calls are run, and so on until it has answered, a limit is reached, or it turns in circles. It is
 * driven by what the turn has stored so far, so it begins and goes on after a crash in the same way: calls that lack a result are settled
 * first, then the model is asked. Every step is stored as it happens; the last one is handed back, to be stored with the turn's end.
 */
import {
  noUsage,
  textOf,
  type AssistantMessage,
  type EntryBody,
  type Message,
  type MessageEntry,
  type Model,
} from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { TurnEndingRecord } from "../storage/turns/turns.ts";
import { askModel, type ModelAsk } from "./ask-model.ts";
import { guardHandedOver, isCall, isHandedOver, lastAnswer, pendingCalls } from "./last-answer.ts";
import { findCircle } from "./repeated-calls.ts";
import type { ReplyTarget } from "./reply-stream/tags.ts";
import { settleCalls, type CallJournal, type TurnTools } from "./settle-calls.ts";
import type { TurnContext } from "./turn-context.ts";
import { stopOf, type TurnStop } from "./turn-run.ts";
import { createTurnVoice, readReply, type TurnEvent, type VoiceSettings } from "./turn-voice.ts";

/** The turn's own part of the storage, bound to its session and lease. What has resolved survives a crash of the process. */
export interface TurnJournal extends CallJournal {
  /** What the user said meanwhile, stored as part of the turn. */
  takeInputs(): Promise<MessageEntry[]>;
}

export interface TurnTexts {
  stepLimit(steps: number): string;
  repeatedCalls(tool: string, times: number): string;
  /** Said below an answer that was cut off. */
  cut(): string;
  modelFailed(reason: string): string;
  /** `reason` says which limit was reached and how to raise it. */
  overBudget(reason: string): string;
  /** `reason` says which limit was reached, why, and how to raise it. */
  broken(reason: string): string;
  /** The reason where a turn has worked too long. */
  outOfTime(): string;
  /** Reasons for `modelFailed`. */
  answeredNothing(): string;
  brokeOff(): string;
  aborted(by: TurnStop["by"]): string;
}

export interface TurnParts {
  /** What the answer is shown as: nothing in it may be asked for by a screen that should not be. Never throws. */
  guard?: ((text: string) => Promise<string>) | undefined;
  journal: TurnJournal;
  context: TurnContext;
  model: Model;
  tools: TurnTools;
  texts: TurnTexts;
  clock: Clock;
}

/** How far the turn has come: what it stored, and which calls of the last answer were begun. */
export interface TurnProgress {
  entries: readonly MessageEntry[];
  begunCalls: ReadonlySet<string>;
  /** How many of the messages are from before it was last continued; they do not count against its limits. */
  carried?: number;
}

export interface TurnRequest {
  maxSteps: number;
  /** How often in a row the same call may have the same result. */
  maxRepeatedCalls: number;
  /** An answer that grows longer is cut there. */
  maxAnswerCharacters?: number;
  voice: VoiceSettings;
  signal: AbortSignal;
  onEvent?: (event: TurnEvent) => void;
}

export type TurnConclusion =
  /**
   * `last` is the message that ends the turn, as the user sees it; not yet stored, nor is what is stored together with it, in `closing`.
   * `replyTo`: what it says it answers.
   */
  | {
      type: "ended";
      ending: TurnEndingRecord;
      last: AssistantMessage;
      messages: Message[];
      closing: EntryBody[];
      /** What was said before tool calls, as people may see it. */
      earlier?: string;
      replyTo?: ReplyTarget;
    }
  /** The turn goes on from what is stored: after the next start, or when the owner has answered what its calls wait for. */
  | { type: "parked"; for: "shutdown" | "approval" };

/** Throws what the journal throws, and nothing else. */
export async function runTurn(
  parts: TurnParts,
  request: TurnRequest,
  progress: TurnProgress,
): Promise<TurnConclusion> {
  const { journal, context, model, tools, texts } = parts;
  const { signal } = request;
  const turn = [...progress.entries];
  const said = () => turn.map(({ message }) => message);

  const voice = createTurnVoice(request.voice, (event) => request.onEvent?.(event));

  const conclude = async (
    ending: TurnEndingRecord,
    reply: AssistantMessage,
    replyTo?: ReplyTarget,
  ): Promise<TurnConclusion> => {
    const guarded = parts.guard ? withText(reply, await parts.guard(textOf(reply))) : reply;
    const last = { ...guarded, label: await context.labelOf(turn) };
    // A finished answer is delivered even if the turn is stopped now; only the summary is left for the next one.
    const closing = isWell(ending) && !signal.aborted ? await context.closing(turn, last, signal) : [];
    const messages = [...said(), last];
    const words = earlierWords(said().slice(progress.carried ?? 0));
    const earlier = parts.guard && words !== "" ? await parts.guard(words) : words;
    return { type: "ended", ending, last, messages, closing, earlier, ...(replyTo && { replyTo }) };
  };
  const broke = (reason: string, partial: AssistantMessage): Promise<TurnConclusion> =>
    conclude(
      { type: "breaker", reason },
      withText(partial, paragraphs(textOf(partial), texts.broken(reason))),
    );
  /** Nothing is said besides: the last answer is the one with the calls. */
  const handOver = (): TurnConclusion => ({
    type: "ended",
    ending: { type: "handed-over" },
    last: { ...noReply(model), stopReason: "toolUse" },
    messages: said(),
    closing: [],
  });
  const stopped = async (
    by: TurnStop["by"],
    partial: AssistantMessage = noReply(model),
  ): Promise<TurnConclusion> => {
    if (by === "shutdown") return { type: "parked", for: "shutdown" };
    if (by === "overdue") return broke(texts.outOfTime(), partial);
    return conclude(
      { type: "aborted", by },
      withText(partial, paragraphs(textOf(partial), texts.aborted(by))),
    );
  };

  const ask = ({ systemPrompt, messages }: ModelAsk) =>
    askModel(model, {
      systemPrompt,
      messages,
      tools: tools.descriptions,
      signal,
      clock: parts.clock,
      maxCharacters: request.maxAnswerCharacters,
      onEvent: voice.hear,
    });

  // Only for what the crash left: the model may use the same ids again.
  let begun = progress.begunCalls;
  for (;;) {
    const halt = findHalt(said(), request, progress.carried ?? 0);
    const calls = pendingCalls(said());
    const hearing = { signal, onEvent: voice.hear };
    const settled = await settleCalls(parts, hearing, { calls, begun, refusal: halt?.refusal });
    turn.push(...settled.entries);
    begun = new Set();
    if (halt) {
      const words = withText(noReply(model), haltWords(halt.ending, texts));
      return conclude(halt.ending, { ...words, stopReason: "stop" });
    }
    const stop = stopOf(signal);
    if (stop) return stopped(stop.by);
    if (settled.broken !== undefined) return broke(settled.broken, { ...noReply(model), stopReason: "stop" });
    if (settled.waitsFor.length > 0) return { type: "parked", for: "approval" };
    if (isHandedOver(said(), tools)) return handOver();
    turn.push(...(await journal.takeInputs()));

    let raw = await ask(await context.request(turn, signal));
    if (raw.errorCode === "context_overflow" && !signal.aborted)
      raw = await ask(await context.smaller(turn, raw, signal));
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
    const guarded = await guardHandedOver(reply, tools, parts.guard);
    turn.push(...(await journal.append([{ ...guarded, label: await context.labelOf(turn) }])));
  }
}

const earlierWords = (messages: readonly Message[]): string =>
  messages
    .flatMap((message) => (message.role === "assistant" ? [textOf(message).trim()] : []))
    .filter((text) => text !== "" && !silentTokens.has(text))
    .join("\n\n");

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
 * Whether the calls of the last answer must not be run. It is decided from what came before them, so that a process that continues after a crash
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

/** Answers of this turn that called tools. */
const stepsOf = (turn: readonly Message[]): number =>
  turn.filter((message) => message.role === "assistant" && message.content.some(isCall)).length;

/** Somebody has an answer, or is to have none. */
export const isWell = ({ type }: TurnEndingRecord): boolean =>
  type === "answered" || type === "silent" || type === "cut" || type === "handed-over";

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
