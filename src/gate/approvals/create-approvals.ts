/**
 * Where a call waits for the owner's yes. The question is a row that outlives the process; the room tells it, waits in place where somebody
 * attends the turn, and otherwise lets the turn be put aside. Whoever answers, and from where, the turn goes on from here.
 */
import type { ApprovalEvent } from "./approval-event.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import { noLonger } from "../../infra/no-longer.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type {
  AnswerOutcome,
  ApprovalAnswer,
  ApprovalDraft,
  ApprovalRecord,
  ApprovalStore,
} from "../../storage/approvals/approvals.ts";
import type { TurnRecord, TurnStore } from "../../storage/turns/turns.ts";
import { viewApproval } from "./approval-view.ts";
import { createBegunApprovals } from "./begun-approvals.ts";
import { createWaitingTimes } from "./waiting-times.ts";

/** What the gate wants to know of the owner. */
export interface ApprovalQuestion extends Pick<
  ApprovalDraft,
  "callId" | "subject" | "reason" | "rule" | "cause" | "scopes" | "keys"
> {
  turn: TurnRecord;
}

export type Consultation =
  /** Use it up with `spend` when the call begins: it is good for one. */
  | { type: "approved"; approvalId: string }
  /** `reason` is for the model. */
  | { type: "denied"; reason: string }
  /** The turn is to be put aside; the same question is asked again when it goes on. */
  | { type: "waiting"; approvalId: string };

export interface Approvals {
  /** Asks, tells the owner once, and waits in place where somebody attends the turn. Safe to repeat. Throws what the storage does. */
  consult(question: ApprovalQuestion, signal: AbortSignal): Promise<Consultation>;
  /** On the disk before the call begins. False when it was used up before, or is not approved: then the call must not run. */
  spend(approvalId: string): Promise<boolean>;
  /** Whoever calls this has seen to it that `by` may answer. Its turn goes on at once. Safe to repeat: the first answer counts. */
  answer(id: string, answer: ApprovalAnswer): Promise<AnswerOutcome>;
  /** What a turn asks and nobody has answered, as those who follow it are told. */
  openOf(turnId: string): Promise<ApprovalEvent[]>;
  /** What ran out counts as denied, and what others answered goes on. Throws what the storage does. */
  sweep(): Promise<void>;
  /** How long the present run of a turn has waited in place. */
  waitedMs(turnId: string): number;
  /** A turn is over without having been run to its end: nobody needs its questions any more. */
  over(turnId: string): Promise<void>;
  watch: { begun(turn: TurnRecord): void; ended(turn: TurnRecord): void };
}

export interface ApprovalTelling {
  /** Safe to repeat. Throws what the storage does. */
  asked(approval: ApprovalRecord, turn: TurnRecord): Promise<void>;
  /** Somebody said yes or no. Safe to repeat. Throws likewise. */
  answered(approval: ApprovalRecord, turn: TurnRecord | undefined): Promise<void>;
  /** Nobody has to answer it any more. Safe to repeat. Throws likewise. */
  settled(approval: ApprovalRecord): Promise<void>;
}

/** Where nobody is told but those who follow the turn. */
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
  /** Those who follow runs: how they are told, and whether anybody follows this one. */
  events: {
    watch: { event(turn: TurnRecord, event: ApprovalEvent): void };
    isWatched(turnId: string): boolean;
  };
  telling: ApprovalTelling;
  /** Runs a turn that is queued again; safe to repeat. */
  offer(turn: TurnRecord): void;
  /** Told of what went wrong while nobody waited for it. */
  onError(error: unknown): void;
}

/** How often the row is looked at: an answer may come from another process. */
const lookMs = 2000;
const atOnce = 100;
const mostQueued = 500;

export function createApprovals(parts: ApprovalsParts): Approvals {
  const { approvals, clock, config, events, telling } = parts;
  /** Those who wait in place, by turn: a yes may be good for several questions of one. */
  const waiters = new Map<string, Set<() => void>>();
  /** Turns of this process that have asked something. */
  const askers = new Set<string>();
  const begunWith = createBegunApprovals(parts);
  const times = createWaitingTimes(clock);

  const tellWatchers = (turn: TurnRecord, event: ApprovalEvent) => events.watch.event(turn, event);
  const answered = ({ id, state }: ApprovalRecord): ApprovalEvent => ({
    type: "approval-answered",
    id,
    state,
  });

  /**
   * Some models use the same ids in every answer: a question whose yes was used up is another one's. What was denied once in a turn stays
   * denied there, under whatever id it is tried again.
   */
  async function askFor({ turn, ...question }: ApprovalQuestion): Promise<ApprovalRecord> {
    const { turnId, workspaceId, sessionKey, agentId, person } = turn;
    const refused = await approvals.list({ limit: atOnce, turnId, states: ["denied", "expired"] });
    const same = refused.find(({ subject }) => subject.digest === question.subject.digest);
    if (same) return same;
    const begun = await begunWith.find(turnId, question);
    if (begun) return begun;
    const expiresAt = new Date(clock.now() + config().approvals.keepHours * 3_600_000).toISOString();
    const whose = { turnId, workspaceId, sessionKey, agentId, personId: person.id, expiresAt };
    for (let time = 1; ; time++) {
      const callId = time === 1 ? question.callId : `${question.callId}#${time}`;
      const asked = await approvals.ask({ ...question, ...whose, callId });
      if (asked.state !== "spent") return asked;
    }
  }

  async function consult(question: ApprovalQuestion, signal: AbortSignal): Promise<Consultation> {
    const { turn } = question;
    const asked = await askFor(question);
    if (asked.state !== "pending") return verdictOf(asked);
    askers.add(turn.turnId);
    tellWatchers(turn, { type: "approval-asked", approval: viewApproval(asked, parts.redactor) });
    const attended = attendanceOf(turn);
    const found = attended === "no" ? asked : await waitInPlace(asked, { turn, attended, signal });
    if (found.state !== "pending") return verdictOf(found);
    if (signal.aborted) return { type: "waiting", approvalId: asked.id };
    if (attended === "once") return verdictOf(await denyInTime(found));
    await telling.asked(asked, turn);
    return { type: "waiting", approvalId: asked.id };
  }

  /** As it is when somebody has answered, the time is over, or nobody attends it any more. */
  async function waitInPlace(
    asked: ApprovalRecord,
    { turn, attended, signal }: { turn: TurnRecord; attended: "wait" | "once"; signal: AbortSignal },
  ): Promise<ApprovalRecord> {
    const { turnId } = turn;
    const until = clock.now() + config().approvals.waitSeconds * 1000;
    const resume = times.pause(turnId);
    try {
      for (let isFirst = true; ; isFirst = false) {
        const bell = Promise.withResolvers<void>();
        const forget = remember(turnId, bell.resolve);
        try {
          const found = (await approvals.get(asked.id)) ?? asked;
          const left = until - clock.now();
          const isAlone = !isFirst && attended === "wait" && !events.isWatched(turnId);
          if (found.state !== "pending" || left <= 0 || isAlone || signal.aborted) return found;
          await rest(bell.promise, Math.min(left, lookMs), signal);
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

  async function rest(bell: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const leaving = AbortSignal.any([signal, enough.signal]);
    await Promise.race([bell, clock.sleep(ms, leaving).catch(() => undefined)]);
    enough.abort(noLonger);
  }

  /** Nobody could go on with it later. Somebody may be faster. */
  async function denyInTime(asked: ApprovalRecord): Promise<ApprovalRecord> {
    const outcome = await answer(asked.id, { verdict: "denied", scope: "once", by: byTime });
    return "approval" in outcome ? outcome.approval : asked;
  }

  async function answer(id: string, given: ApprovalAnswer): Promise<AnswerOutcome> {
    const outcome = await approvals.answer(id, given);
    if (outcome.type !== "answered") return outcome;
    const { approval, turn } = outcome;
    for (const ring of waiters.get(approval.turnId) ?? []) ring();
    if (turn) parts.offer(turn);
    // The answer is on the disk: whatever becomes of telling it, it counts.
    await tellAnswer(approval, turn).catch(parts.onError);
    return outcome;
  }

  async function tellAnswer(approval: ApprovalRecord, queued: TurnRecord | undefined): Promise<void> {
    const turn = queued ?? (await parts.turns.get(approval.turnId));
    if (turn) tellWatchers(turn, answered(approval));
    await telling.answered(approval, turn);
    // The same yes may have answered others of the turn.
    const settled = await approvals.list({ limit: atOnce, turnId: approval.turnId, states: ["approved"] });
    for (const other of settled) {
      if (other.id === approval.id) continue;
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
    for (const approval of await approvals.list({ limit: atOnce, turnId })) await telling.settled(approval);
  }

  return {
    consult,
    answer,
    over,
    spend: async (approvalId) => begunWith.use(approvalId) || approvals.spend(approvalId),
    waitedMs: times.waitedMs,
    async openOf(turnId) {
      const open = await approvals.list({ limit: atOnce, turnId, states: ["pending"] });
      return open.map((approval) => ({
        type: "approval-asked",
        approval: viewApproval(approval, parts.redactor),
      }));
    },
    async sweep() {
      for (;;) {
        const ended = await approvals.expire(new Date(clock.now()).toISOString(), atOnce);
        for (const approval of ended.approvals) {
          for (const ring of waiters.get(approval.turnId) ?? []) ring();
          const turn = await parts.turns.get(approval.turnId);
          if (turn) tellWatchers(turn, answered(approval));
          await telling.settled(approval);
        }
        for (const turn of ended.turns) parts.offer(turn);
        if (ended.approvals.length < atOnce) break;
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

/** Who is said to have answered where nobody did. */
const byTime = "time";

/** Nobody would know of one that its own command runs and puts aside without having said so. */
const attendanceOf = (turn: TurnRecord): "no" | "wait" | "once" =>
  (turn.options as { attended?: "wait" | "once" }).attended ?? (turn.direct ? "once" : "no");

function verdictOf({ id, state, answeredBy }: ApprovalRecord): Consultation {
  if (state === "approved") return { type: "approved", approvalId: id };
  if (state === "pending") return { type: "waiting", approvalId: id };
  const isTimes = state === "expired" || answeredBy === byTime;
  return { type: "denied", reason: isTimes ? noAnswer : state === "denied" ? no : notNeeded };
}

const no = "the owner said no. Do not try it in another way; go on without it, or say that you cannot.";
const noAnswer = "the owner was asked and did not answer in time. Go on without it, or say that you cannot.";
const notNeeded = "the question to the owner was taken back.";
