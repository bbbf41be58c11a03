/**
 * Turns: how messages become one, how it is claimed, worked on, ended and given up, and the journal from which it goes on. The
 * promises that all verbs keep are in `storage.ts`.
 */
import type { Destination, Entry, EntryBody } from "@pincer/sdk";
import type { InboxRow } from "../inbox/inbox.ts";
import type { NoticeDraft } from "../outbox/notice.ts";
import type { OutboxDraft, OutboxRow } from "../outbox/outbox.ts";
import type {
  AcquireLease,
  AcquireOutcome,
  Fence,
  LastSession,
  OpenSession,
  Person,
  SessionOrigin,
  SessionRecord,
  TokenCounters,
} from "../stores.ts";

/**
 * queued: waits for its lane. running: claimed under a lease. waiting: parked until the owner has answered what it asked, which wakes it;
 * nobody's queue, so messages neither join it nor wait for it. done, failed: over. dead: it
 * took the process down too often, and waits for the owner.
 */
export type TurnState = "queued" | "running" | "waiting" | "done" | "failed" | "dead";

export type QueueMode = "steer" | "followup" | "collect" | "interrupt";

/** Who is being answered. */
export type TurnPerson = Person;

/** How a turn ended; `text` is the one line or the answer that its user sees. */
export type TurnEndingRecord =
  | { type: "answered" }
  /** The model chose to say nothing. */
  | { type: "silent" }
  /** Answered, but the answer was cut off where the model may say no more. */
  | { type: "cut" }
  /** The last answer calls tools of the caller, who runs them. */
  | { type: "handed-over" }
  | { type: "step-limit"; steps: number }
  /** `times` in a row the same call had the same result. */
  | { type: "repeated-calls"; tool: string; times: number }
  /** A limit on what may be used was reached; `reason` says which. */
  | { type: "budget"; reason: string }
  /** A limit that protects the owner was reached: time, or what may be done in one go; `reason` says which. */
  | { type: "breaker"; reason: string }
  | { type: "model-failed"; reason: string }
  | { type: "failed"; code: string; reason: string }
  | { type: "aborted"; by: "stop" | "interrupt" | "overdue" | "client" }
  /** The process that ran it for a command ended in the middle. */
  | { type: "abandoned" }
  | { type: "crashed"; claims: number }
  /** It came back with an older state of the home, or its record is damaged: the owner decides. */
  | { type: "held"; since: string }
  | { type: "dropped" };

export interface TurnRecord {
  /** Also the run id of its entries and events. */
  turnId: string;
  /** Rises in the order of queueing. */
  position: number;
  state: TurnState;
  workspaceId: string;
  agentId: string;
  sessionKey: string;
  /** Set with the first claim; a turn that goes on stays in its session. */
  sessionId: string | null;
  /** The first entry of this turn. */
  firstSeq: number | null;
  origin: SessionOrigin;
  cwd: string;
  /** Where the answer goes; never changes. Null: the caller reads it from the turn. */
  destination: Destination | null;
  replyTo: string | null;
  person: TurnPerson;
  /** What decided the route. */
  rule: string;
  /** The wishes of its caller (model, tools, limits), as the agent understands them; with `alone` no other message joins it before it begins. */
  options: Record<string, unknown>;
  /** Run by the command that started it, not by a gateway: nobody goes on with it after a crash. Not any more once it waits for the owner. */
  direct: boolean;
  /** How often it was begun or gone on with. */
  claims: number;
  deadlineAt: string | null;
  queuedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  ending: TurnEndingRecord | null;
}

export interface EnqueueTurn {
  /** Rows of the inbox, `new` ones and the `context` before them, in order; together they are the user's side of the turn. */
  inputs: string[];
  session: OpenSession;
  destination: Destination | null;
  replyTo?: string;
  person: TurnPerson;
  rule: string;
  options: Record<string, unknown>;
  direct?: boolean;
  mode: QueueMode;
  /** Without a destination it joins no turn, unless it may join one of the same person that has none either. */
  joins?: "person" | undefined;
  /** The most that may wait in the session: the messages of queued turns, and those not yet taken by the running one. */
  cap: number;
}

/** A turn that is claimed and whose session's lease is held. */
interface BegunTurn {
  fence: Fence;
  claim: ClaimOutcome;
}

export type EnqueueOutcome =
  /** `ahead` turns of the session come first; `interrupts` names the one that must be stopped for it. */
  | { type: "queued"; turn: TurnRecord; ahead: number; interrupts?: string }
  /** Into a turn of the same destination, for somebody of the same role: the running one takes it up at its next step, a queued one begins with it. */
  | { type: "joined"; turn: TurnRecord }
  | { type: "full"; waiting: number }
  /** The inputs had been dealt with before. */
  | { type: "settled"; turnId: string | null };

export interface ClaimTurn {
  turnId: string;
  /** The session's lease, held by the caller. */
  fence: Fence;
  deadlineAt: string | null;
  /** The process that had it still lives: storage threw it out in the middle. Then the claim is not counted again. */
  again?: boolean;
  /** Asked on the first claim only: whether the active session is over and a new one begins. */
  isStale(session: SessionRecord): boolean;
  /** What the user's side looks like in the transcript. */
  entriesFor(inputs: InboxRow[]): EntryBody[];
  /** What was said before, according to the caller: put before the turn, and no part of it. On the first claim only. */
  earlier?: readonly EntryBody[];
  /** What a session that begins with this turn takes over from the one that it follows; `isAsked` where somebody wanted a new one. */
  carry?(last: EndedSession): EntryBody | undefined;
  /** Whether the session's memory is on, where the turn's own options do not say. On the first claim only. */
  memory?: boolean | undefined;
}

export interface EndedSession extends LastSession {
  /** Whether somebody wanted a new one. */
  isAsked: boolean;
}

export type ClaimOutcome =
  | {
      type: "claimed";
      turn: TurnRecord;
      session: SessionRecord;
      /** The session that ended because a new one began. */
      ended: SessionRecord | undefined;
      /** What the turn has said and done so far, beginning with its inputs. */
      entries: Entry[];
      /** The calls that were begun, in order. */
      begunCalls: BegunCall[];
    }
  /** It is no longer queued or running. */
  | { type: "over"; turn: TurnRecord | undefined };

/** Ids of calls are the model's, and some use the same in every answer: only with its answer is one told from the others. */
export interface BegunCall {
  callId: string;
  /** The entry that asks for it; journals of older versions do not say. */
  answer?: EntryPlace;
  time: string;
}

interface EntryPlace {
  sessionId: string;
  seq: number;
}

/** What happened in a turn besides its entries. */
export type JournalStep =
  | { type: "claimed"; claims: number }
  | { type: "tool-begin"; callId: string; name: string; idempotent: boolean; answer?: EntryPlace }
  | { type: "steered"; inputs: string[] }
  | { type: "parked"; reason: string }
  | { type: "continued"; input: string }
  | { type: "ended"; ending: TurnEndingRecord };

export type JournalRow = JournalStep & { seq: number; time: string };

export interface EndTurn {
  turnId: string;
  fence: Fence;
  state: "done" | "failed";
  ending: TurnEndingRecord;
  bodies: EntryBody[];
  tokens: TokenCounters;
  /** What the user sees. An open preview of the turn becomes the first of them; one whose dedupe key was sent before is left out. */
  replies: OutboxDraft[];
  notice?: NoticeDraft;
}

export interface EndedTurn {
  turn: TurnRecord;
  session: SessionRecord;
  /** All of the turn, as `recall` would give them; undefined where they were not all at hand. */
  entries: Entry[] | undefined;
  outbox: OutboxRow[];
  followUp: TurnRecord | undefined;
}

/** All of a turn, as it is at one moment; without a session it has no entries. */
export interface RecalledTurn {
  turn: TurnRecord;
  session: SessionRecord | undefined;
  entries: readonly Entry[];
}

export interface ParkedTurn {
  state: "queued" | "waiting";
  /** Of one that waits: what it did not take up goes on without it, as at the end of a turn. */
  followUp: TurnRecord | undefined;
}

export interface ResumeTurn {
  /** What asks for it: a row of the inbox that is `new`. */
  input: string;
  session: Pick<OpenSession, "workspaceId" | "sessionKey">;
  /** Where it is asked for, and by whom: a turn goes on where it was asked for, for its sender or the owner. */
  destination: Destination | null;
  person: TurnPerson;
  /** Only this turn will do. */
  turnId?: string;
  /** Laid over the wishes that the turn was started with. */
  options?: Record<string, unknown>;
  direct?: boolean;
}

export type ResumeOutcome =
  | { type: "resumed"; turn: TurnRecord }
  /** The input had been dealt with before; its words are those that were stored then. */
  | { type: "settled"; turnId: string | null; row: InboxRow }
  /** running: it is still at work. waiting: it goes on when its owner has answered. elsewhere: it belongs to another place. not-yours: to somebody else. nothing: there is none that could go on. */
  | { type: "refused"; reason: "nothing" | "running" | "waiting" | "elsewhere" | "not-yours" };

/** Where the counting of a turn begins that was continued: with the entries of its session after this one. */
export type ContinuedFrom = EntryPlace;

/** Where a turn goes back to: the entries of its session from there on are superseded when it begins. */
export interface SetAsidePlace {
  sessionId: string;
  from: number;
}

export interface CancelQueued {
  workspaceId: string;
  sessionKey: string;
  ending: TurnEndingRecord;
  /** Only what is for this one. */
  conversation?: string;
  /** What is said about the messages that are not answered, in order. Called within the transaction, perhaps more than once. */
  replies?(messages: CancelledMessage[]): OutboxDraft[];
}

/** One that somebody said to us, and the turn that it waited in, as it was. A `running` turn says itself that it ends. */
export interface CancelledMessage {
  turn: TurnRecord;
  row: InboxRow;
}

export interface CancelledWork {
  turnIds: string[];
  outbox: OutboxRow[];
}

export interface TurnStore {
  /** One transaction with the state of the inputs. Rides with the next write: the inputs are on the disk. */
  enqueue(request: EnqueueTurn): Promise<EnqueueOutcome>;
  /** Opens the session, writes the user's side and a `claimed` step, counts the claim. Options `newSession`, `memory` and `setAside` count on the first one. Throws `session/lost-lease`. Rides with the next write. */
  claim(request: ClaimTurn): Promise<ClaimOutcome>;
  /** Takes the session's lease and claims under it: both, or neither. */
  acquireAndClaim(
    lease: AcquireLease,
    request: Omit<ClaimTurn, "fence">,
  ): Promise<Extract<AcquireOutcome, { type: "held" }> | ({ type: "acquired" } & BegunTurn)>;
  /** Takes up what came in meanwhile, as entries and a `steered` step. Throws `session/lost-lease`. Rides with the next write. */
  takeInputs(request: Pick<ClaimTurn, "turnId" | "fence" | "entriesFor">): Promise<Entry[]>;
  /** Appends entries and steps. `later` rides with the next write. Throws `session/lost-lease`. */
  record(request: {
    turnId: string;
    fence: Fence;
    bodies: EntryBody[];
    steps: JournalStep[];
    sync: "now" | "later";
  }): Promise<Entry[]>;
  /**
   * The whole end in one transaction: entries, state, tokens, outbox rows, inputs done. Inputs that the turn did not take up go to
   * `followUp`: the next turn queued for the same destination, if it is for the same role, or else one of their own before it. Throws `session/lost-lease`.
   */
  end(request: EndTurn): Promise<EndedTurn>;
  /**
   * Gives a claimed turn back; this claim does not count as a crash. One that would wait is queued instead when nothing that it asked of
   * the owner is open any more: the holder offers it again. Throws `session/lost-lease`.
   */
  park(request: {
    turnId: string;
    fence: Fence;
    state: "queued" | "waiting";
    reason: string;
  }): Promise<ParkedTurn>;
  /**
   * Makes a dead letter of a turn that is queued or running; its inputs become `dead`. What joined it and was not taken up gets a turn of its
   * own. Answers with the rows of `replies`.
   */
  bury(turnId: string, request: { replies: OutboxDraft[]; notice: NoticeDraft }): Promise<OutboxRow[]>;
  /**
   * Ends queued and waiting turns of a session that nobody shall run any more (stop), and what waits for the running one. What they asked of
   * the owner is withdrawn. Answers which turns.
   */
  cancelQueued(request: CancelQueued): Promise<CancelledWork>;
  /** Ends one that waits, or is queued and has never begun, and answers with the rows of `replies`. Undefined when it has begun or is over. */
  cancel(
    turnId: string,
    request: { ending: TurnEndingRecord; replies: OutboxDraft[] },
  ): Promise<OutboxRow[] | undefined>;
  /** Marks turns that a command ran and that are still `running` or `queued` as abandoned, except those that `isAlive`. One that waits is no longer the command's. Answers how many. */
  settleAbandoned(isAlive: (turn: TurnRecord) => boolean | Promise<boolean>): Promise<number>;
  /** A dead one goes back to the queue with its claims forgotten. Undefined when it is not dead. */
  revive(turnId: string): Promise<TurnRecord | undefined>;
  /**
   * The newest turn of the session goes back to the queue, with the input as its user's next words, if it ended at a limit, cut off,
   * or because no model answered or could be asked. Steps, claims, time and what the turn has used count anew from here (option `continued`). A message that
   * finds nothing to go on with is not stored; a row stays `new`. A row rides with the next write, a message is on the disk.
   */
  resume(request: ResumeTurn): Promise<ResumeOutcome>;
  /** A dead one is given up for good. False when it is not dead. */
  drop(turnId: string): Promise<boolean>;
  /** Deletes turns that ended before, with their journals, their inputs and what they said; answers how many. Dead ones wait for the owner, and so do those that wait for an answer. */
  prune(before: string, limit: number): Promise<number>;
  get(turnId: string): Promise<TurnRecord | undefined>;
  /** Queued and running ones that a gateway runs, in order. */
  pending(query: { limit: number; after?: number }): Promise<TurnRecord[]>;
  /** The turn of the session that is running, if any. */
  running(workspaceId: string, sessionKey: string): Promise<TurnRecord | undefined>;
  /** Newest first. */
  list(query: {
    limit: number;
    before?: number;
    states?: TurnState[];
    sessionKey?: string;
    agentId?: string;
  }): Promise<TurnRecord[]>;
  /** The rows it answers. */
  inputs(turnId: string): Promise<InboxRow[]>;
  /** In order. */
  journal(turnId: string): Promise<JournalRow[]>;
  /** Entries of this turn, in order. */
  entries(turnId: string): Promise<Entry[]>;
  recall(turnId: string): Promise<RecalledTurn | undefined>;
}
