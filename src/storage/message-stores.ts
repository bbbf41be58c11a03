/**
 * What the product asks of its storage about messages on their way: in (inbox), being answered (turns, with their journal), out
 * (outbox), and who may speak (pairing). Same promises as in `storage.ts`: each verb is one transaction; what has resolved is on the
 * disk, unless its line says that it rides with the next write.
 */
import type { Attachment, Destination, Entry, EntryBody, InboundMessage } from "@pincer/sdk";
import type { Fence, OpenSession, SessionOrigin, SessionRecord, TokenCounters } from "./stores.ts";

/**
 * new: stored, not looked at yet. context: said in a group without speaking to us. refused: not let in. command: answered without a
 * turn. queued: belongs to a turn. done: its turn has ended, or it was applied. dead: given up after repeated crashes.
 */
export type InboxState = "new" | "context" | "refused" | "command" | "queued" | "done" | "dead";

export interface InboxRow {
  id: string;
  /** Rises in the order of arrival. */
  position: number;
  /** `conversationOf` where it came from. */
  conversation: string;
  message: InboundMessage;
  state: InboxState;
  reason: string | null;
  /** The turn that answers it. */
  turnId: string | null;
  /** Whether it was kept as context: said in a group, and not to us. */
  isOverheard: boolean;
  /** How often a process began to look at it after a crash. */
  attempts: number;
  receivedAt: string;
}

export interface InboxStore {
  /** UNIQUE(channel, account, message id) is the dedupe. Resolves when the row is on the disk, for a duplicate too. */
  accept(message: InboundMessage): Promise<{ type: "stored" | "duplicate"; row: InboxRow }>;
  get(id: string): Promise<InboxRow | undefined>;
  /** By the network's own id of a message or change. */
  find(channel: string, accountId: string, messageId: string): Promise<InboxRow | undefined>;
  /** Those in state `new`, in order of arrival. */
  listNew(limit: number): Promise<InboxRow[]>;
  /**
   * Ends the way of a row that gets no turn, together with what is said about it. Does nothing and answers with nothing when it is no
   * longer `new`. Rides with the next write.
   */
  settle(
    id: string,
    outcome: { state: "context" | "refused" | "command" | "done" | "dead"; reason: string | null },
    replies?: OutboxDraft[],
  ): Promise<OutboxRow[]>;
  /** Counts a look after a crash and answers with the new count. Rides with the next write. */
  countAttempt(id: string): Promise<number>;
  /** The newest `context` rows of a conversation, in order of arrival. Older ones than `keep` are deleted on the way, which rides with the next write. */
  context(conversation: string, keep: number): Promise<InboxRow[]>;
  /**
   * Puts other words into a message that no turn has begun with. One that was `deleted` is done; a queued turn that has nothing else to
   * answer ends as dropped, and what a group said before is context again. False when it is too late.
   */
  amend(id: string, content: { text: string; attachments: Attachment[] } | "deleted"): Promise<boolean>;
  /** Those that were given up before they had a turn, newest first. */
  listDead(query: { limit: number; before?: number }): Promise<InboxRow[]>;
  /** One of those is `new` again, with its attempts forgotten. Undefined when it is not one of them. */
  revive(id: string): Promise<InboxRow | undefined>;
  /** One of those is done. False when it is not one of them. */
  dropDead(id: string): Promise<boolean>;
  /** Deletes finished rows that arrived before; answers how many. Their ids are then no longer recognised. Dead ones wait for the owner. */
  prune(before: string, limit: number): Promise<number>;
}

/**
 * queued: waits for its lane. running: claimed under a lease. waiting: parked until somebody answers. done, failed: over. dead: it
 * took the process down too often, and waits for the owner.
 */
export type TurnState = "queued" | "running" | "waiting" | "done" | "failed" | "dead";

export type QueueMode = "steer" | "followup" | "collect" | "interrupt";

/** Who is being answered. */
export interface TurnPerson {
  role: "owner" | "peer" | "system";
  /** `channel:id`. */
  id: string;
  name?: string;
}

/** How a turn ended; `text` is the one line or the answer that its user sees. */
export type TurnEndingRecord =
  | { type: "answered" }
  /** The model chose to say nothing. */
  | { type: "silent" }
  | { type: "step-limit"; steps: number }
  | { type: "model-failed"; reason: string }
  | { type: "failed"; code: string; reason: string }
  | { type: "aborted"; by: "stop" | "interrupt" | "overdue" | "client" }
  /** The process that ran it for a command ended in the middle. */
  | { type: "abandoned" }
  | { type: "crashed"; claims: number }
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
  /** Where the answer goes; never changes. Null: whoever started it reads it from the turn. */
  destination: Destination | null;
  replyTo: string | null;
  person: TurnPerson;
  /** What decided the route. */
  rule: string;
  /** The wishes of whoever started it (model, tools, limits), as the agent understands them. */
  options: Record<string, unknown>;
  /** Run by the command that started it, not by a gateway: nobody goes on with it after a crash. */
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
  /** The most that may wait in the session: the messages of queued turns, and those not yet taken by the running one. */
  cap: number;
}

/** `row` as it was before it was queued. */
export interface AcceptedTurn {
  row: InboxRow;
  outcome: EnqueueOutcome;
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
      /** The calls that were begun. */
      begunCalls: string[];
    }
  /** It is no longer queued or running. */
  | { type: "over"; turn: TurnRecord | undefined };

/** What happened in a turn besides its entries. */
export type JournalStep =
  | { type: "claimed"; claims: number }
  | { type: "tool-begin"; callId: string; name: string; idempotent: boolean }
  | { type: "steered"; inputs: string[] }
  | { type: "parked"; reason: string }
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

export interface CancelQueued {
  workspaceId: string;
  sessionKey: string;
  ending: TurnEndingRecord;
  /** Only what is for this one. */
  conversation?: string;
  /** What is said about the messages that are not answered, in order. Called within the transaction, perhaps more than once. */
  replies?(messages: CancelledMessage[]): OutboxDraft[];
}

/** One that somebody said to us, and the turn that it waited in. A `running` turn says itself that it ends. */
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
  /**
   * Stores a message together with its turn. A message that was there before is `settled` with its turn; one that finds no room is
   * not stored. Resolves when it is on the disk, for a duplicate too.
   */
  accept(message: InboundMessage, request: Omit<EnqueueTurn, "inputs">): Promise<AcceptedTurn>;
  /** Opens the session, writes the user's side and a `claimed` step, counts the claim. Options `newSession` and `memory` count on the first one. Throws `session/lost-lease`. Rides with the next write. */
  claim(request: ClaimTurn): Promise<ClaimOutcome>;
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
  end(request: EndTurn): Promise<{
    turn: TurnRecord;
    session: SessionRecord;
    outbox: OutboxRow[];
    followUp: TurnRecord | undefined;
  }>;
  /** Gives a claimed turn back; this claim does not count as a crash. Throws `session/lost-lease`. */
  park(request: { turnId: string; fence: Fence; state: "queued" | "waiting"; reason: string }): Promise<void>;
  /** Makes a dead letter of a turn that is queued or running; its inputs become `dead`. Answers with the rows of `replies`. */
  bury(turnId: string, request: { replies: OutboxDraft[]; notice: NoticeDraft }): Promise<OutboxRow[]>;
  /** Ends queued turns of a session that nobody shall run any more (stop), and what waits for the running one. Answers which turns. */
  cancelQueued(request: CancelQueued): Promise<CancelledWork>;
  /** Ends one queued turn that has never begun, and answers with the rows of `replies`. Undefined when it has begun or is over. */
  cancel(
    turnId: string,
    request: { ending: TurnEndingRecord; replies: OutboxDraft[] },
  ): Promise<OutboxRow[] | undefined>;
  /** Marks turns that a command ran and that are still `running` or `queued` as abandoned, except those that `isAlive`. Answers how many. */
  settleAbandoned(isAlive: (turn: TurnRecord) => boolean | Promise<boolean>): Promise<number>;
  /** A dead one goes back to the queue with its claims forgotten. Undefined when it is not dead. */
  revive(turnId: string): Promise<TurnRecord | undefined>;
  /** A dead one is given up for good. False when it is not dead. */
  drop(turnId: string): Promise<boolean>;
  /** Deletes turns that ended before, with their journals, their inputs and what they said; answers how many. Dead ones wait for the owner. */
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
  }): Promise<TurnRecord[]>;
  /** The rows it answers. */
  inputs(turnId: string): Promise<InboxRow[]>;
  /** In order. */
  journal(turnId: string): Promise<JournalRow[]>;
  /** Entries of this turn, in order. */
  entries(turnId: string): Promise<Entry[]>;
}

/**
 * queued: waits for its place and time. sending: an attempt is on its way, or a crash came in between. uncertain: nobody knows whether
 * it arrived. sent, failed, dropped: over.
 */
export type OutboxState = "queued" | "sending" | "uncertain" | "sent" | "failed" | "dropped";

export interface OutboxDraft {
  destination: Destination;
  kind: "reply" | "preview" | "notice" | "command" | "pairing" | "message";
  turnId: string | null;
  text: string;
  attachments: Attachment[];
  replyTo: string | null;
  /** Not sent after this time: a late answer says so instead. */
  notAfter: string;
  /** Equal keys within a turn and a conversation are one message. */
  dedupeKey: string | null;
}

/** One message that people can see, from its first preview to its last edit. */
export interface OutboxRow extends OutboxDraft {
  /** Also its idempotency key. */
  id: string;
  /** Rises; the order within a conversation. */
  position: number;
  conversation: string;
  state: OutboxState;
  attempts: number;
  /** Not before this time. */
  nextAt: string | null;
  /** How often an attempt ended with an unknown outcome. */
  unknowns: number;
  /** Whether it was sent again although it may have arrived. */
  repeated: boolean;
  /** Rises with each change of `text`. */
  version: number;
  /** The version that is shown; 0 before the first send. */
  shownVersion: number;
  /** How many characters of it are shown. */
  shownLength: number;
  messageId: string | null;
  /** A preview that still grows. */
  isOpen: boolean;
  error: { code: string; message: string } | null;
  createdAt: string;
  sentAt: string | null;
}

export interface OutboxStore {
  /** Rides with the next write: a send begins with a write of its own. */
  enqueue(drafts: OutboxDraft[]): Promise<OutboxRow[]>;
  /** Shows a growing text: the turn's open preview, created or changed. Rides with the next write. */
  preview(draft: OutboxDraft & { turnId: string }): Promise<OutboxRow>;
  /** The first row of a conversation that still has something to do: to be sent, found out about, or edited. */
  head(conversation: string): Promise<OutboxRow | undefined>;
  /** Conversations that have a head. */
  unfinished(): Promise<string[]>;
  /** Before each attempt: state `sending`, counted, on the disk. Undefined when it was dropped or sent meanwhile. */
  beginSend(id: string, options?: { repeated: boolean }): Promise<OutboxRow | undefined>;
  /** It arrived: state `sent`, as this version of it. Rides with the next write. */
  markSent(
    id: string,
    sent: { messageId: string | null; version: number; shownLength: number },
  ): Promise<void>;
  /** Certainly not sent; again at `nextAt`. Rides with the next write. */
  retryAt(id: string, nextAt: string, error: { code: string; message: string }): Promise<void>;
  /** Nobody knows. Rides with the next write. */
  markUncertain(id: string, error: { code: string; message: string }): Promise<OutboxRow | undefined>;
  /** Given up, with the one line that says so. On the disk. */
  fail(
    id: string,
    error: { code: string; message: string },
    instead: { drafts: OutboxDraft[]; notice?: NoticeDraft },
  ): Promise<OutboxRow[]>;
  /** At start: what was `sending` when the process ended is `uncertain`. Answers how many. */
  recover(): Promise<number>;
  get(id: string): Promise<OutboxRow | undefined>;
  /** Newest first. */
  list(query: {
    limit: number;
    before?: number;
    states?: OutboxState[];
    turnId?: string;
  }): Promise<OutboxRow[]>;
  /**
   * A failed, uncertain or waiting one is tried again at once, until `notAfter`. One that may have arrived stays `uncertain`, or is
   * `repeated` where that was given up. Undefined when there is nothing to try.
   */
  retry(id: string, notAfter: string): Promise<OutboxRow | undefined>;
  /** Whatever has not arrived: what waits, is uncertain or failed. False when it was sent or dropped already. */
  drop(id: string): Promise<boolean>;
  /** Deletes finished rows from before; answers how many. */
  prune(before: string, limit: number): Promise<number>;
}

export interface PairingRequest {
  channel: string;
  accountId: string;
  senderId: string;
  code: string;
  createdAt: string;
  lastSeenAt: string;
  meta: Record<string, string>;
}

/** `accountId` null: on every account of the channel. */
export interface AllowedSender {
  channel: string;
  accountId: string | null;
  senderId: string;
  addedAt: string;
  /** `pairing`, `import`, `owner`. */
  by: string;
}

export interface PairingLimits {
  ttlMs: number;
  max: number;
}

export interface PairingStore {
  /**
   * Remembers an unknown sender. The code stays the same until it is approved or its `ttlMs` is over; `full` when the account has as
   * many pending as it may. What has run out is cleared on the way, each by its own time, and so is what an account has more than it
   * may; here and in `list` and `approve`.
   */
  request(
    sender: { channel: string; accountId: string; senderId: string; meta: Record<string, string> },
    limits: PairingLimits,
    makeCode: () => string,
  ): Promise<{ type: "pending"; request: PairingRequest; isNew: boolean } | { type: "full" }>;
  /** Oldest first. `mostOn`: how many may wait on an account of a channel. */
  list(query: {
    channel?: string;
    accountId?: string;
    mostOn(channel: string): number;
  }): Promise<PairingRequest[]>;
  /** Takes the code once and lets its sender in. After `maxTries` wrong ones within an hour nothing is tried any more: `locked`. */
  approve(attempt: {
    code: string;
    channel?: string;
    accountId?: string;
    mostOn(channel: string): number;
    maxTries: number;
    by: string;
  }): Promise<
    { type: "approved"; request: PairingRequest } | { type: "unknown" } | { type: "locked"; until: string }
  >;
  isAllowed(sender: { channel: string; accountId: string; senderId: string }): Promise<boolean>;
  listAllowed(query: { channel?: string; accountId?: string }): Promise<AllowedSender[]>;
  /** Safe to repeat. */
  allow(senders: Array<Omit<AllowedSender, "addedAt">>): Promise<void>;
  /** On one account, or with null on every one of the channel. Also takes back a pending request. False when the sender was not there. */
  revoke(sender: { channel: string; accountId: string | null; senderId: string }): Promise<boolean>;

  /** Makes the one-time code by which the owner claims an account of theirs; an older one stops working, wrong tries are forgotten. */
  openClaim(claim: { code: string; ttlMs: number }): Promise<void>;
  /** `wrong` also when there is no claim open; tries are counted per sender and in all. */
  claimOwner(attempt: {
    code: string;
    channel: string;
    senderId: string;
    maxTries: number;
  }): Promise<{ type: "claimed" } | { type: "wrong" } | { type: "locked" }>;
  isOwner(channel: string, senderId: string): Promise<boolean>;
  listOwners(): Promise<Array<{ channel: string; senderId: string; claimedAt: string }>>;
  removeOwner(channel: string, senderId: string): Promise<boolean>;
}

/** What needs the owner. `key` and `parameters` are words of the catalogue. */
export interface NoticeDraft {
  kind: string;
  text: { key: string; parameters: Record<string, string | number> };
  /** Only one open notice per subject. */
  subject: string;
  /** Its words take the place of those of an open one, which is told again if they differ. */
  replaces?: true;
}

export interface Notice extends NoticeDraft {
  id: string;
  createdAt: string;
  dismissedAt: string | null;
}

export interface NoticeStore {
  /** `isNew` false when one about this subject is open and stays as it is. */
  add(draft: NoticeDraft): Promise<{ notice: Notice; isNew: boolean }>;
  /** Newest first; open ones unless `all`. */
  list(query: { limit: number; all?: boolean }): Promise<Notice[]>;
  /** Open ones that were not sent to the owner yet, oldest first. */
  untold(limit: number): Promise<Notice[]>;
  /** Sends one, once: the rows of the messages that tell it, or none when it was told before. Rides with the next write. */
  tell(id: string, drafts: OutboxDraft[]): Promise<OutboxRow[]>;
  /** By id or by subject. False when there was none open. */
  dismiss(idOrSubject: string): Promise<boolean>;
}

export interface CursorStore {
  load(channel: string, accountId: string): Promise<string | undefined>;
  /** Rides with the next write: a cursor too old only brings duplicates. */
  save(channel: string, accountId: string, cursor: string): Promise<void>;
}
