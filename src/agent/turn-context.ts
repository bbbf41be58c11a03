/**
 * What the model sees of its session during a turn, and what keeps that within the model's window: before a request
 * would grow too large, notes are taken and the session is summarised, and the rest is made to fit.
 */
import type { AssistantMessage, CompactionEntryBody, Label, Message, MessageEntry, Model } from "@pincer/sdk";
import { labelOfContext } from "../gate/labels/earlier-turns.ts";
import type { LoopYield } from "../infra/loop-yield.ts";
import type { Clock } from "../infra/clock.ts";
import { askModel, type ModelAsk } from "./ask-model.ts";
import { compact } from "./compaction/compact.ts";
import type { CompactionOutcome } from "./compaction/compaction.ts";
import { digestOf, digestSummary } from "./compaction/digest-summary.ts";
import { previousSummary, shownTurns, type SummingTurn } from "./compaction/shown-turns.ts";
import { timelyHook } from "./compaction/timely-hook.ts";
import { buildMessages } from "./context/build-messages.ts";
import { estimateTokens, messageTokens, toolTokens } from "./context/estimate-tokens.ts";
import { windowAfterRefusal } from "./context/found-windows.ts";
import type { FitLevel, Mark, SessionView } from "./context/session-view.ts";
import { firstShown, messagesToRead } from "./context/view-window.ts";
import type { ContextJournal, ContextSetup } from "./context-setup.ts";
import { nameWaitingCalls } from "./context/waiting-calls.ts";
import type { TurnTools } from "./settle-calls.ts";
import { createSummariser } from "./summary-model.ts";
import { createNoteTaking } from "./take-notes.ts";
import { isLeftForLater } from "./turn-run.ts";
import type { TurnEvent } from "./turn-voice.ts";

export interface TurnContext {
  /** The request as the turn stands. Takes notes and sums up first where that is due, which asks the model. Throws what the journal throws. */
  request(turn: readonly MessageEntry[], signal: AbortSignal): Promise<ModelAsk>;
  /** The same again, smaller: it was refused as too large. */
  smaller(turn: readonly MessageEntry[], refusal: AssistantMessage, signal: AbortSignal): Promise<ModelAsk>;
  /** What is stored together with the turn's last message: nothing, where it cannot be made now. Throws what the journal throws. */
  closing(
    turn: readonly MessageEntry[],
    last: AssistantMessage,
    signal: AbortSignal,
  ): Promise<CompactionEntryBody[]>;
  /** Of everything that a request of the turn shows as it stands. Throws what the journal throws. */
  labelOf(turn: readonly MessageEntry[]): Promise<Label>;
  /** Sums the session up because somebody wants it. */
  compactNow(wish: CompactWish): Promise<CompactionOutcome>;
}

export interface CompactWish {
  instructions?: string | undefined;
  /** The first entry that the wish may have made: where a crash came between, that is its answer. */
  since: number;
  signal: AbortSignal;
}

export interface TurnContextParts {
  journal: ContextJournal;
  model: Model;
  tools: TurnTools;
  clock: Clock;
  loopYield?: LoopYield | undefined;
  onEvent(event: TurnEvent): void;
  /** Ids of the session's calls that wait for the owner. */
  waitingCalls?: (() => Promise<ReadonlySet<string>>) | undefined;
}

/** The most messages that one summary is made of; beyond that the oldest are named as left out. */
const mostSummedUp = 2000;

export function createTurnContext(parts: TurnContextParts, setup: ContextSetup): TurnContext {
  const { journal, model, tools, clock, loopYield, onEvent } = parts;
  const { messages: counted, hook } = setup.compaction;
  const { limits, maxMessages } = setup.view;
  const fixedTokens = estimateTokens(setup.systemPrompt) + toolTokens(tools.descriptions);
  /** What the model takes as far as is known; less than it says where it refused what should have fitted. */
  let window = limits.contextWindow;
  let { thresholds } = setup.compaction;
  let reading: Promise<SessionView> | undefined;
  let hasOverflowed = false;
  /** The size of the last request. */
  let sent = 0;
  /** Below this size nothing is tried again that did not help before. */
  let notBelow = 0;

  const read = (): Promise<SessionView> =>
    (reading ??= journal
      .view({ limit: Math.max(messagesToRead(maxMessages), (counted?.over ?? 0) + 1) })
      .then(async ({ mark, said, ...rest }) => ({
        ...rest,
        // Before anything is built: what builds a request takes every open call for one that was interrupted.
        said: await nameWaitingCalls(said, parts.waitingCalls),
        mark: mark as Mark | undefined,
      })));

  const build = (
    view: SessionView,
    turn: readonly MessageEntry[],
    level: FitLevel,
    { contextWindow = window, spare = 0, isOver = false } = {},
  ) =>
    buildMessages({
      view,
      turn,
      isOver,
      settings: { ...setup.view, limits: { ...limits, contextWindow } },
      fixedTokens: fixedTokens + spare,
      level,
      digest: (messages) => digestOf(messages, mostDigestChars),
      hasSessionMemory: setup.hasSessionMemory,
    });

  const withPrompt = ({ messages }: { messages: Message[] }): ModelAsk => ({
    systemPrompt: setup.systemPrompt,
    messages,
  });

  const askQuietly = (ask: ModelAsk, signal: AbortSignal, shown = tools.descriptions) =>
    askModel(model, { ...ask, tools: shown, signal, clock, onEvent: undefined });

  const askForSummary = createSummariser({
    ask: (ask, signal) => askQuietly(ask, signal, []),
    contextWindow: () => limits.contextWindow,
  });

  const takeNotes = createNoteTaking({ journal, tools, flush: setup.flush, onEvent, ask: askQuietly });

  const labelOf = async (turn: readonly MessageEntry[]): Promise<Label> => {
    const { mark, said } = await read();
    return labelOfContext({ prompt: setup.promptLabel, mark, said, turn, handles: setup.view.handles });
  };

  /** `last`: what ends the turn. */
  async function sumUp(
    how: Pick<
      Parameters<typeof compact>[0],
      "trigger" | "keep" | "customInstructions" | "tokensBefore" | "signal"
    >,
    summing: SummingTurn,
    last?: MessageEntry,
  ): Promise<CompactionOutcome> {
    const { mark, said, isCut } = await journal.view({ limit: mostSummedUp, whole: true });
    const all = last ? [...said, last] : said;
    onEvent({ type: "context", doing: "summing-up" });
    const instructions = [setup.compaction.customInstructions, how.customInstructions];
    return compact(
      {
        ...how,
        said: all,
        isCut,
        previous: previousSummary(mark as Mark | undefined, summing, setup.view),
        shown: shownTurns(all, summing, setup.view),
        contextWindow: window,
        fixedTokens,
        customInstructions: instructions.filter(Boolean).join("\n") || undefined,
      },
      {
        summarise: setup.compaction.by === "model" ? askForSummary : digestSummary,
        tokensOf: messageTokens,
        hook: hook && timelyHook(hook, clock),
      },
    );
  }

  /** The summary is kept before anything else is done with it: killed before that, nothing has happened. */
  async function keep(outcome: CompactionOutcome): Promise<boolean> {
    if (outcome.type !== "compacted") return false;
    await journal.note(outcome.body);
    reading = undefined;
    return true;
  }

  async function compactIfDue(
    turn: readonly MessageEntry[],
    used: number,
    signal: AbortSignal,
    trigger: "tokens" | "overflow",
  ): Promise<boolean> {
    if (!setup.compaction.enabled || signal.aborted) return false;
    if (trigger === "tokens" && used <= Math.max(thresholds.compactAt, notBelow)) return false;
    const outcome = await setup.compaction.serially(
      () =>
        sumUp(
          { trigger, keep: { tokens: thresholds.keepTokens }, tokensBefore: used, signal },
          { turn, isOver: false },
        ),
      // The request is made to fit all the same; another turn will find the time.
      { signal, ifFree: trigger === "tokens" },
    );
    if (outcome?.type === "failed" && !signal.aborted) setup.compaction.failed?.(outcome.reason);
    const isDone = outcome !== undefined && (await keep(outcome));
    const left = isDone ? build(await read(), turn, "normal").used : used;
    notBelow = left + window / 10;
    return isDone;
  }

  /** From now on it is taken at less than its word. */
  function learnFrom({ provider, model: id }: AssistantMessage): void {
    const found = windowAfterRefusal(sent, fixedTokens);
    if (found >= window) return;
    const { flushAt, compactAt, keepTokens } = thresholds;
    const scaled = (tokens: number) => Math.floor((tokens * found) / window);
    thresholds = { flushAt: scaled(flushAt), compactAt: scaled(compactAt), keepTokens: scaled(keepTokens) };
    window = found;
    setup.foundWindow?.({ provider, id }, found);
  }

  async function closingSummary(
    turn: readonly MessageEntry[],
    last: AssistantMessage,
    signal: AbortSignal,
  ): Promise<CompactionEntryBody[]> {
    if (!counted || !setup.compaction.enabled) return [];
    const view = await read();
    const seq = (turn.at(-1)?.seq ?? view.said.at(-1)?.seq ?? 0) + 1;
    const time = new Date(clock.now()).toISOString();
    const { runId } = turn.at(-1) ?? {};
    const entry: MessageEntry = { type: "message", ...(runId && { runId }), message: last, seq, time };
    const first = firstShown(view);
    const count = [...view.said, ...turn, entry].filter((each) => each.seq >= first).length;
    if (count <= counted.over) return [];
    const { used: tokensBefore } = build(view, turn, "normal");
    const outcome = await setup.compaction.serially(
      () =>
        sumUp(
          { trigger: "messages", keep: { messages: counted.keep }, tokensBefore, signal },
          { turn, isOver: true },
          entry,
        ),
      // Nobody waits for an answer that is there; the next turn will find the time.
      { signal, ifFree: true },
    );
    return outcome?.type === "compacted" ? [outcome.body] : [];
  }

  return {
    async request(turn, signal) {
      while (loopYield?.isSpent()) await loopYield.turned();
      let view = await read();
      while (loopYield?.isSpent()) await loopYield.turned();
      let built = build(view, turn, "normal");
      const isTainted = setup.view.handles !== undefined && (await labelOf(turn)).untrusted;
      // Nothing is left out that a summary could have stood for, however the provider counts.
      const used = built.leavesOut ? Math.max(built.used, thresholds.compactAt + 1) : built.used;
      if (setup.compaction.by === "model")
        await takeNotes.ifDue({
          used,
          thresholds,
          mark: view.mark,
          signal,
          // Made of the owner's words and of answers that nobody else wrote in.
          request: (spare) =>
            withPrompt(
              isTainted
                ? build({ ...view, said: [...view.said, ...turn] }, [], "normal", { spare, isOver: true })
                : build(view, turn, "normal", { spare }),
            ),
        });
      if (await compactIfDue(turn, used, signal, "tokens")) {
        view = await read();
        built = build(view, turn, "normal");
      }
      sent = built.isFitted ? fixedTokens + built.tokens : built.used;
      return withPrompt(built);
    },
    async smaller(turn, refusal, signal) {
      const { contextWindow = Infinity } = refusal;
      // Another model with less room took its place for now. That is no reason to sum up.
      if (contextWindow < limits.contextWindow)
        return withPrompt(build(await read(), turn, "smaller", { contextWindow }));
      learnFrom(refusal);
      if (!hasOverflowed) {
        hasOverflowed = true;
        const { used } = build(await read(), turn, "normal");
        await compactIfDue(turn, used, signal, "overflow");
      }
      return withPrompt(build(await read(), turn, "smaller"));
    },
    labelOf,
    async closing(turn, last, signal) {
      try {
        return await closingSummary(turn, last, signal);
      } catch (error) {
        if (isLeftForLater(error)) throw error;
        return [];
      }
    },
    async compactNow({ instructions, since, signal }) {
      const view = await read();
      const { mark } = view;
      if (mark?.type === "compaction" && mark.trigger === "manual" && mark.seq >= since)
        return { type: "compacted", body: mark };
      const { used: tokensBefore } = build(view, [], "normal");
      const summing = { turn: lastTurn(view.said), isOver: true };
      const shown = shownTurns(view.said, summing, setup.view).now(view.said);
      const said = shown.reduce((sum, { message }) => sum + messageTokens(message), 0);
      // An explicit request makes it shorter, however short it already is.
      const tokens = Math.min(thresholds.keepTokens, Math.ceil(said / 4));
      const wish = { trigger: "manual" as const, customInstructions: instructions };
      const outcome = await setup.compaction.serially(
        () => sumUp({ ...wish, keep: { tokens }, tokensBefore, signal }, summing),
        { signal },
      );
      if (outcome === undefined || signal.aborted) return { type: "failed", reason: "" };
      await keep(outcome);
      return outcome;
    },
  };
}

/** A summary that is asked for is made as the last turn saw the session. */
function lastTurn(said: readonly MessageEntry[]): readonly MessageEntry[] {
  const runId = said.at(-1)?.runId;
  return runId === undefined ? [] : said.filter((entry) => entry.runId === runId);
}

/** What is told in brief of the messages before a cut, in characters. */
export const mostDigestChars = 1500;
