/**
 * Runs turns: takes the session's lease, claims the turn, runs the loop, and ends the turn in one transaction with
 * everything that its user will see. A turn that a killed process left behind continues in the same way.
 */
import {
  asPincerError,
  conversationOf,
  noUsage,
  type AssistantMessage,
  type EntryBody,
  type Message,
  type Model,
  type PincerError,
  type ToolResult,
} from "@pincer/sdk";
import type { LoopYield } from "../infra/loop-yield.ts";
import type { Clock } from "../infra/clock.ts";
import type { NoticeDraft } from "../storage/outbox/notice.ts";
import type { OutboxDraft } from "../storage/outbox/outbox.ts";
import type {
  ClaimOutcome,
  ContinuedFrom,
  TurnEndingRecord,
  TurnPerson,
  TurnRecord,
} from "../storage/turns/turns.ts";
import { canGoOn } from "../storage/turns/resume-turn.ts";
import { sessionLeaseName, type SessionLeases } from "../storage/sessions/session-lease.ts";
import type { Fence, HeldLease, SessionRecord } from "../storage/stores.ts";
import { redactBody, redactEnding, redactMessage } from "./redact-message.ts";
import { isWell, runTurn, type TurnConclusion, type TurnParts, type TurnTexts } from "./run-turn.ts";
import { begunOfLastAnswer } from "./begun-calls.ts";
import { claimOf, isCommand, type ClaimParts } from "./claim-of.ts";
import type { TurnTools } from "./settle-calls.ts";
import { tokensOf } from "./turn-outcome.ts";
import type { ContextSetup } from "./context-setup.ts";
import { bodyOf, isMessage, openJournal, type Claimed, type JournalParts } from "./open-journal.ts";
import { createTurnContext } from "./turn-context.ts";
import { runCompactTurn, type CompactTexts } from "./compact-turn.ts";
import type { ReplyTarget } from "./reply-stream/tags.ts";
import type { TurnEvent, VoiceSettings } from "./turn-voice.ts";
import type { TurnWatch } from "./turns/turn-events.ts";
import type { TurnClosing } from "./turn-closing.ts";
import { TurnStop, isLeftForLater, type RunTurn, type TurnRunOutcome } from "./turn-run.ts";

/** What one turn is run with. */
export interface TurnSetup {
  model: Model;
  tools: TurnTools;
  context: ContextSetup;
  maxSteps: number;
  maxRepeatedCalls: number;
  maxAnswerCharacters?: number;
  voice: VoiceSettings;
  guard?: TurnParts["guard"];
  /** Instead of an answer: the session is summed up, and that is told. */
  compact?: { instructions?: string };
}

export interface TurnRunnerParts extends JournalParts, ClaimParts {
  leases: SessionLeases;
  clock: Clock;
  /** Keeps the thread free where many turns go on at once. */
  loopYield?: LoopYield | undefined;
  /** Writes the JSONL copy. Must not fail the turn: the database is the truth. */
  mirror(session: SessionRecord): Promise<void>;
  /** Reads what holds for the turn now. May throw: the turn then ends with what it says. */
  setUp(turn: TurnRecord, session: SessionRecord): Promise<TurnSetup> | TurnSetup;
  /** What the user sees of a text, as rows for the outbox. `replyTo`: the message that it says it answers. `canGoOn`: the text offers that. `earlier`: what was said before tool calls. */
  drafts(
    turn: TurnRecord,
    text: string,
    replyTo?: ReplyTarget,
    offer?: { canGoOn: boolean; earlier?: string },
  ): OutboxDraft[] | Promise<OutboxDraft[]>;
  /** What needs the owner when a turn that nobody waits for fails. */
  noticeOf(turn: TurnRecord, ending: TurnEndingRecord): NoticeDraft | undefined;
  /** The text for the person who gets the answer. */
  textsFor(person: TurnPerson): TurnTexts &
    CompactTexts & {
      failed(error: PincerError): string;
      /** Said below it where the turn can go on. */
      thenContinue(): string;
    };
  /** What is shown below the end of a turn. Never throws. */
  closing?(turn: TurnRecord): Promise<TurnClosing>;
  watch?: TurnWatch;
  /** Ids of the session's calls that wait for the owner. Throws what the storage does. */
  waitingCalls?(turn: TurnRecord): Promise<ReadonlySet<string>>;
}

export function createTurnRunner(parts: TurnRunnerParts): RunTurn {
  const { turns, leases, watch, loopYield } = parts;
  /** Claimed turns that storage trouble threw out of this process: claiming them again is no new crash. */
  const thrown = new Set<string>();

  return async function run(turn, signal) {
    const onWait = (lease: HeldLease) => watch?.waiting?.(turn, lease);
    const hold = (options: { signal?: AbortSignal }) => {
      let claimed: ClaimOutcome | undefined;
      return leases.hold(
        sessionLeaseName(turn),
        async (fence) => {
          claimed ??= await turns.claim({ ...claimOf(parts, turn, thrown.has(turn.turnId)), fence });
          return runUnder(claimed, fence, signal);
        },
        {
          ...options,
          onWait,
          // Its answer is out, and the next message of the session most likely comes from here. Another process may continue a waiting turn.
          givesBack: ({ type }) => (type === "ended" ? "along" : undefined),
          async acquire(lease) {
            const outcome = await turns.acquireAndClaim(lease, claimOf(parts, turn, thrown.has(turn.turnId)));
            if (outcome.type === "acquired") claimed = outcome.claim;
            return outcome;
          },
        },
      );
    };
    try {
      const outcome = await hold({ signal }).catch((error: unknown) => {
        // Stopped while waiting for the session: its end is written all the same, unless it is to go on later or its asker has gone.
        if (!(error instanceof TurnStop) || turn.direct) throw error;
        return error.by === "shutdown" ? ({ type: "parked" } as const) : hold({});
      });
      return outcome;
    } catch (error) {
      if (asPincerError(error).code === "session/lost-lease") return { type: "over" };
      throw error;
    }
  };

  async function runUnder(claim: ClaimOutcome, fence: Fence, signal: AbortSignal): Promise<TurnRunOutcome> {
    if (claim.type === "over") return { type: "over" };
    const { turnId } = claim.turn;
    try {
      const outcome = await goThrough(claim, fence, signal);
      thrown.delete(turnId);
      return outcome;
    } catch (error) {
      thrown.add(turnId);
      if (thrown.size > mostThrown) thrown.delete(first(thrown));
      throw error;
    }
  }

  async function goThrough(claim: Claimed, fence: Fence, signal: AbortSignal): Promise<TurnRunOutcome> {
    const { turn, session } = claim;
    if (claim.ended) await parts.mirror(claim.ended);
    watch?.begun?.(turn, session);
    const conclusion = await work(claim, fence, signal).finally(() => watch?.ending?.(turn));
    if (conclusion.type === "parked") {
      const isWaiting = conclusion.for === "approval";
      const wished = isWaiting ? "waiting" : "queued";
      const request = { turnId: turn.turnId, fence, state: wished, reason: conclusion.for } as const;
      const { state, followUp } = await turns.park(request);
      // It may wait for a day: what was said is in the file until then, too.
      if (isWaiting) await parts.mirror(session);
      return isWaiting ? { type: "waiting", isAnswered: state === "queued", followUp } : { type: "parked" };
    }
    while (loopYield?.isSpent()) await loopYield.turned();
    return end(claim, fence, conclusion);
  }

  async function work(claim: Claimed, fence: Fence, signal: AbortSignal): Promise<TurnConclusion> {
    const { turn, session } = claim;
    const said = claim.entries.filter(isMessage);
    const texts = parts.textsFor(turn.person);
    while (loopYield?.isSpent()) await loopYield.turned();
    try {
      const { model, tools, context: setup, compact, guard, ...limits } = await parts.setUp(turn, session);
      const { clock } = parts;
      const onEvent = (event: TurnEvent) => watch?.event?.(turn, event);
      const journal = openJournal(parts, claim, fence);
      const waitingCalls =
        parts.waitingCalls && (async () => parts.waitingCalls?.(turn) ?? new Set<string>());
      const context = createTurnContext(
        { journal, model, tools, clock, loopYield, onEvent, waitingCalls },
        setup,
      );
      const since = turn.firstSeq ?? Infinity;
      if (compact) return await runCompactTurn({ context, model, texts }, { ...compact, since, signal });
      return await runTurn(
        { journal, context, model, tools, texts, clock, guard },
        { ...limits, signal, onEvent },
        { entries: said, begunCalls: begunOfLastAnswer(claim), carried: carriedBy(claim) },
      );
    } catch (error) {
      // The caller decides when.
      if (isLeftForLater(error)) throw error;
      const failure = asPincerError(error);
      const ending = { type: "failed" as const, code: failure.code, reason: failure.message };
      const next = canGoOn(ending) ? [texts.thenContinue()] : [];
      const last = failedReply([texts.failed(failure), ...next].join("\n"));
      const messages = [...said.map(({ message }) => message), last];
      return { type: "ended", ending, last, messages, closing: [] };
    }
  }

  async function end(
    claim: Claimed,
    fence: Fence,
    {
      ending: how,
      last,
      messages,
      closing,
      replyTo,
      earlier = "",
    }: Extract<TurnConclusion, { type: "ended" }>,
  ): Promise<TurnRunOutcome> {
    const { turn } = claim;
    const ending = redactEnding(how, parts.redactor);
    const own = messages.slice(carriedBy(claim));
    const shown = redactMessage(last, parts.redactor) as AssistantMessage;
    const notice = parts.noticeOf(turn, ending);
    const target = await answeredBy(turn, replyTo);
    const told = saidByTools(own).map((text) => parts.drafts(turn, parts.redactor.text(text)));
    const isSilent = ending.type === "silent" || ending.type === "handed-over";
    const below = (await parts.closing?.(turn)) ?? nothingBelow;
    const spoken = [isSilent ? "" : spokenText(shown), ...below.told].filter(Boolean).join("\n\n");
    const answer =
      isSilent && spoken === ""
        ? []
        : await parts.drafts(turn, spoken, target, {
            canGoOn: canGoOn(ending),
            earlier: parts.redactor.text(earlier),
          });
    const ended = await turns.end({
      turnId: turn.turnId,
      fence,
      state: isWell(ending) ? "done" : "failed",
      ending,
      bodies: [
        ...(ending.type === "handed-over"
          ? []
          : isCommand(turn)
            ? [commandBody(turn, spokenText(shown), isWell(ending))]
            : [bodyOf(parts.redactor, turn.turnId, shown)]),
        ...[...closing, ...below.bodies].map((body) => redactBody(body, parts.redactor)),
      ],
      // What was said before it was continued has been counted with its first end.
      tokens: tokensOf(own),
      replies: [...(await Promise.all(told)).flat(), ...answer],
      ...(notice ? { notice } : {}),
    });
    const { entries } = ended;
    watch?.ended?.(ended.turn, ended.outbox, entries && { ...ended, entries });
    await parts.mirror(ended.session);
    return { type: "ended", turn: ended.turn, followUp: ended.followUp };
  }

  /** In a direct chat nothing is quoted unless the answer asks for it: then it is the last message that came from there. */
  async function answeredBy(
    { turnId, replyTo, destination }: TurnRecord,
    target: ReplyTarget | undefined,
  ): Promise<ReplyTarget | undefined> {
    if (target !== "current" || replyTo !== null || destination === null) return target;
    const place = conversationOf(destination);
    const last = (await turns.inputs(turnId)).findLast(
      ({ conversation, message }) => conversation === place && message.message.type === "text",
    );
    return last ? { id: last.message.message.id } : target;
  }
}

function commandBody({ options }: TurnRecord, output: string, ok: boolean): EntryBody {
  const { instructions } = options["compact"] as NonNullable<TurnSetup["compact"]>;
  const input = ["/compact", instructions].filter(Boolean).join(" ");
  return { type: "command", name: "compact", input, output, ok };
}

const nothingBelow: TurnClosing = { bodies: [], told: [] };

/** Beyond that the oldest is forgotten: it is then taken for a turn that a crash left. */
const mostThrown = 1000;

const first = (names: Set<string>): string => names.values().next().value ?? "";

/** How many of its messages are from before it was last continued. */
function carriedBy({ turn, session, entries }: Claimed): number {
  const continued = turn.options["continued"] as ContinuedFrom | undefined;
  if (!continued || continued.sessionId !== session.sessionId) return 0;
  return entries.filter((entry) => isMessage(entry) && entry.seq <= continued.seq).length;
}

/** What tools have to say to the person, besides what the model makes of it. */
const saidByTools = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => {
    if (message.role !== "toolResult") return [];
    const { forUser } = (message.details ?? {}) as Pick<ToolResult, "forUser">;
    return forUser ? [forUser] : [];
  });

const spokenText = ({ content }: AssistantMessage): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

const failedReply = (text: string): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "text", text }],
  provider: "none",
  model: "none",
  usage: noUsage(),
  stopReason: "error",
});
