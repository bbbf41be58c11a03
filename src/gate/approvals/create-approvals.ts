/**
 * Where a call waits for the owner's approval. The question is a row that outlives the process. If a client follows
 * the turn, the call waits in place; otherwise the turn parks. An answer from anywhere resumes the turn here.
 */
import type { ApprovalEvent } from "./approval-event.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import { gateReason } from "../../infra/gate-reasons.ts";
import { noLonger } from "../../infra/no-longer.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type {
  AnswerOutcome,
  ApprovalAnswer,
  ApprovalRecord,
  ApprovalStore,
  Grant,
} from "../../storage/approvals/approvals.ts";
import type { TurnRecord, TurnStore } from "../../storage/turns/turns.ts";
import type { ApprovalVerdict } from "../call-approvals.ts";
import type { ApprovalQuestion } from "../call-round.ts";
import { viewApproval } from "./approval-view.ts";
import { createBegunApprovals } from "./begun-approvals.ts";
import { createCardPost, inOrder, pendingOf, taskOf, type Card } from "./card-post.ts";
import { createGrantTimes } from "./grant-times.ts";
import { createWaitingTimes } from "./waiting-times.ts";

export type TurnQuestion = ApprovalQuestion & { turn: TurnRecord };

export interface Approvals {
  /**
   * Asks, notifies the owner once, and waits in place if a client attends the turn. `together`: what the calls of its
   * answer ask as one card, this one among it; the same list for all of them. Safe to repeat. Throws what the storage
   * does.
   */
  consult(
    question: TurnQuestion,
    signal: AbortSignal,
    together?: readonly ApprovalQuestion[],
  ): Promise<ApprovalVerdict>;
  /** What the owner has granted beyond single calls, as far as it holds for the turn now. Throws what the storage does. */
  grants(turn: TurnRecord): Promise<Grant[]>;
  /**
   * Uses up an approval, on disk, before the call begins. False if it was used before or is not approved: then the
   * call must not run.
   */
  spend(approvalId: string): Promise<boolean>;
  /**
   * Stores an answer and resumes the turn. The caller has checked that `by` may answer. Safe to repeat: the first
   * answer counts.
   */
  answer(id: string, answer: ApprovalAnswer): Promise<AnswerOutcome>;
  /** The open questions of a turn, as events for its followers. */
  openOf(turnId: string): Promise<ApprovalEvent[]>;
  /** Denies what has expired and resumes turns that other processes answered. Throws what the storage does. */
  sweep(): Promise<void>;
  /** How long the current run of a turn has waited in place. */
  waitedMs(turnId: string): number;
  /** The turn ended before its run did: withdraws its questions. */
  over(turnId: string): Promise<void>;
  watch: { begun(turn: TurnRecord): void; ended(turn: TurnRecord): void };
}

export interface ApprovalTelling {
  /** Safe to repeat. Throws what the storage does. */
  asked(card: Card, turn: TurnRecord): Promise<void>;
  /** Somebody said yes or no to all of these. Safe to repeat. Throws what the storage does. */
  answered(card: Card, turn: TurnRecord | undefined): Promise<void>;
  /** The question needs no answer any more. Safe to repeat. Throws what the storage does. */
  settled(approval: ApprovalRecord): Promise<void>;
}

/** Notifies nobody; followers of the turn still get its events. */
export const tellNobody: ApprovalTelling = {
  asked: async () => {},
  answered: async () => {},
  settled: async () => {},
};

export interface ApprovalsParts {
  approvals: ApprovalStore;
  turns: Pick<TurnStore, "get" | "pending" | "journal" | "entries">;
  clock: Clock;
  config(): Pick<Config, "approvals">;
  redactor: Pick<Redactor, "data" | "values">;
  /** Followers of runs. */
  events: {
    watch: { event(turn: TurnRecord, event: ApprovalEvent): void };
    isWatched(turnId: string): boolean;
  };
  telling: ApprovalTelling;
  /** How many cards of the turn's session may wait at the same time; left out: any number. */
  maxOpen?(turn: TurnRecord): number | undefined;
  /** Runs a queued turn again; safe to repeat. */
  offer(turn: TurnRecord): void;
  /** Called with errors of work that nobody awaits. */
  onError(error: unknown): void;
}

/** How often to read the row: another process may have answered. */
const pollMs = 2000;
const pageSize = 100;
const mostQueued = 500;
/** After these the model reports what is open, and the owner decides what comes next. */
export const mostCards = 3;

export function createApprovals(parts: ApprovalsParts): Approvals {
  const { approvals, clock, config, events, telling } = parts;
  /** Calls that wait in place, by turn: one yes may answer several of them. */
  const waiters = new Map<string, Set<() => void>>();
  /** Turns of this process that have asked something. */
  const askers = new Set<string>();
  const begunWith = createBegunApprovals(parts);
  const times = createWaitingTimes(clock);
  const grantTimes = createGrantTimes(clock);
  const post = createCardPost({ ...parts, begunWith, mostCards, onPosted });
  const tellWatchers = (turn: TurnRecord, event: ApprovalEvent) => events.watch.event(turn, event);
  const answered = ({ id, state }: ApprovalRecord): ApprovalEvent => ({
    type: "approval-answered",
    id,
    state,
  });

  async function consult(
    question: TurnQuestion,
    signal: AbortSignal,
    together: readonly ApprovalQuestion[] = [question],
  ): Promise<ApprovalVerdict> {
    const { turn } = question;
    // Stopped while the other calls were judged: nothing is asked any more.
    if (signal.aborted) return { type: "waiting", approvalId: "" };
    const posted = await post(turn, together);
    const own = posted[together.findIndex(({ callId }) => callId === question.callId)];
    if (own?.type !== "asked") return notAsked(own?.why ?? "cards-spent");
    const asked = own.approval;
    if (asked.state !== "pending") return verdictOf(asked);
    const attended = attendanceOf(turn);
    const found = attended === "no" ? asked : await waitInPlace(asked, { turn, attended, signal });
    if (found.state !== "pending") return verdictOf(found);
    if (signal.aborted) return { type: "waiting", approvalId: asked.id };
    if (attended === "once") return verdictOf(await denyInTime(found));
    const beside = pendingOf(posted).filter(
      ({ id, card }) => card !== undefined && card === asked.card && id !== asked.id,
    );
    await telling.asked(inOrder([asked, ...beside]), turn);
    return { type: "waiting", approvalId: asked.id };
  }

  function onPosted(turn: TurnRecord, pending: readonly ApprovalRecord[]): void {
    if (pending.length > 0) askers.add(turn.turnId);
    for (const event of askedEvents(pending)) tellWatchers(turn, event);
  }

  /** How many of a card wait is told with each of them, so that a client knows when it has all. */
  function askedEvents(pending: readonly ApprovalRecord[]): ApprovalEvent[] {
    return pending.map((approval) => {
      const open = pending.filter(({ card }) => card !== undefined && card === approval.card).length;
      return { type: "approval-asked", approval: viewApproval(approval, parts.redactor, open) };
    });
  }

  async function grants(turn: TurnRecord): Promise<Grant[]> {
    const { agentId, sessionKey } = turn;
    const held = await approvals.grants({ agentId, turnId: taskOf(turn), sessionKey });
    return held.filter(grantTimes.isValid);
  }

  /** The approval once somebody has answered, the time is over, or nobody attends the turn any more. */
  async function waitInPlace(
    asked: ApprovalRecord,
    { turn, attended, signal }: { turn: TurnRecord; attended: "wait" | "once"; signal: AbortSignal },
  ): Promise<ApprovalRecord> {
    const { turnId } = turn;
    const until = clock.monotonic() + config().approvals.waitSeconds * 1000;
    const resume = times.pause(turnId);
    try {
      for (let isFirst = true; ; isFirst = false) {
        const woken = Promise.withResolvers<void>();
        const forget = remember(turnId, woken.resolve);
        try {
          const found = (await approvals.get(asked.id)) ?? asked;
          const left = until - clock.monotonic();
          const isAlone = !isFirst && attended === "wait" && !events.isWatched(turnId);
          if (found.state !== "pending" || left <= 0 || isAlone || signal.aborted) return found;
          await rest(woken.promise, Math.min(left, pollMs), signal);
        } finally {
          forget();
        }
      }
    } finally {
      resume();
    }
  }

  function remember(turnId: string, ring: () => void): () => void {
    const own = waiters.get(turnId) ?? new Set();
    waiters.set(turnId, own.add(ring));
    return () => {
      own.delete(ring);
      if (own.size === 0 && waiters.get(turnId) === own) waiters.delete(turnId);
    };
  }

  async function rest(woken: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const leaving = AbortSignal.any([signal, enough.signal]);
    await Promise.race([woken, clock.sleep(ms, leaving).catch(() => undefined)]);
    enough.abort(noLonger);
  }

  /** Nobody could resume this turn later, so no answer in time means no. An answer may still win the race. */
  async function denyInTime(asked: ApprovalRecord): Promise<ApprovalRecord> {
    const outcome = await answer(asked.id, { verdict: "denied", scope: "once", by: byTime });
    return "approval" in outcome ? outcome.approval : asked;
  }

  async function answer(id: string, given: ApprovalAnswer): Promise<AnswerOutcome> {
    const outcome = await approvals.answer(id, given);
    if (outcome.type !== "answered") return outcome;
    const { approval, approvals: card, turn } = outcome;
    for (const ring of waiters.get(approval.turnId) ?? []) ring();
    if (turn) parts.offer(turn);
    // The answer is on disk and counts, even if notifying fails.
    await tellAnswer(inOrder([approval, ...card.filter(({ id }) => id !== approval.id)]), turn).catch(
      parts.onError,
    );
    return outcome;
  }

  async function tellAnswer(card: Card, queued: TurnRecord | undefined): Promise<void> {
    const [{ turnId }] = card;
    const turn = queued ?? (await parts.turns.get(turnId));
    if (turn) for (const approval of card) tellWatchers(turn, answered(approval));
    // Its time counts from now on, also by the clock that nobody sets.
    if (turn && card.some(({ scope }) => scope === "while")) await grants(turn);
    await telling.answered(card, turn);
    // The same yes may have answered other questions of the turn.
    const settled = await approvals.list({ limit: pageSize, turnId, states: ["approved"] });
    for (const other of settled) {
      if (card.some(({ id }) => id === other.id)) continue;
      await telling.settled(other);
      if (turn) tellWatchers(turn, answered(other));
    }
  }

  function forgetRun(turnId: string): void {
    times.forget(turnId);
    begunWith.forget(turnId);
  }

  async function over(turnId: string): Promise<void> {
    await approvals.withdraw(turnId);
    askers.delete(turnId);
    forgetRun(turnId);
    for (const approval of await approvals.list({ limit: pageSize, turnId })) await telling.settled(approval);
  }

  return {
    consult,
    grants,
    answer,
    over,
    spend: async (approvalId) => begunWith.use(approvalId) || approvals.spend(approvalId),
    waitedMs: times.waitedMs,
    async openOf(turnId) {
      const open = await approvals.list({ limit: pageSize, turnId, states: ["pending"] });
      return askedEvents(open.reverse());
    },
    async sweep() {
      for (;;) {
        const ended = await approvals.expire(new Date(clock.now()).toISOString(), pageSize);
        for (const approval of ended.approvals) {
          for (const ring of waiters.get(approval.turnId) ?? []) ring();
          const turn = await parts.turns.get(approval.turnId);
          if (turn) tellWatchers(turn, answered(approval));
          await telling.settled(approval);
        }
        for (const turn of ended.turns) parts.offer(turn);
        if (ended.approvals.length < pageSize) break;
      }
      // A command that opened the database itself may have answered.
      for (const turn of await parts.turns.pending({ limit: mostQueued })) parts.offer(turn);
    },
    watch: {
      begun: ({ turnId }) => forgetRun(turnId),
      ended({ turnId }) {
        forgetRun(turnId);
        if (askers.has(turnId)) over(turnId).catch(parts.onError);
      },
    },
  };
}

/** `answeredBy` where nobody answered in time. */
const byTime = "time";

/** A turn that a command runs by itself cannot park: nobody would learn of it. */
const attendanceOf = (turn: TurnRecord): "no" | "wait" | "once" =>
  (turn.options as { attended?: "wait" | "once" }).attended ?? (turn.direct ? "once" : "no");

function notAsked(why: "cards-spent" | "cards-open"): ApprovalVerdict {
  if (why === "cards-open") return { type: "not-asked", reason: stillOpen, why: gateReason(why) };
  return { type: "not-asked", reason: noMore, why: gateReason(why, { count: String(mostCards) }) };
}

function verdictOf({ id, state, answeredBy }: ApprovalRecord): ApprovalVerdict {
  if (state === "approved") return { type: "approved", approvalId: id };
  if (state === "pending") return { type: "waiting", approvalId: id };
  const isTimes = state === "expired" || answeredBy === byTime;
  return { type: "denied", reason: isTimes ? noAnswer : state === "denied" ? no : notNeeded };
}

const no = "the owner said no. Do not try it in another way; go on without it, or say that you cannot.";
const noAnswer = "the owner was asked and did not answer in time. Go on without it, or say that you cannot.";
const noMore =
  "the owner was asked often enough in this turn and is asked nothing more. Do not try it in another way; end with a report of what is done and what is still open.";
const stillOpen =
  "an earlier request of this session still waits for the owner, so this was not asked. Go on without it, and report that it is open.";
const notNeeded = "the question to the owner was taken back.";
