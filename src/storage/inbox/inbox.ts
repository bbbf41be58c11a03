/**
 * What came in from a channel, stored before the network hears of it, and where each connector stopped reading. The promises that
 * all verbs keep are in `storage.ts`.
 */
import type { Attachment, Destination, InboundMessage } from "@pincer/sdk";
import type { OutboxDraft, OutboxRow } from "../outbox/outbox.ts";
import type { OpenSession, Person } from "../stores.ts";

/**
 * new: stored, not looked at yet. context: said in a group without speaking to us. refused: not let in. command: answered without a
 * turn. queued: belongs to a turn. done: its turn has ended, or it was applied. dead: given up after repeated crashes.
 */
export type InboxState = "new" | "context" | "refused" | "command" | "queued" | "done" | "dead";

/**
 * How a question came in from a caller who waits for its answer: the caller's identity, the session and the wishes for the turn. It is
 * stored with the message, so a crash before the turn exists loses none of it.
 */
export interface AskedMessage {
  person: Person;
  session: OpenSession;
  /** What decided the route. */
  rule: string;
  /** Whether a person typed it: only then commands and rules in it count. */
  typed: boolean;
  /** own: gets a turn of its own. configured: does what `queue.mode` says. interrupt: stops the turn that runs. */
  queue: "own" | "configured" | "interrupt";
  /** The wishes for the turn. */
  options: Record<string, unknown>;
  /** The process that asks runs the turn itself; a gateway leaves it alone. */
  direct: boolean;
  /** It goes on with the session's last turn; with `turnId` only with that one. */
  continues?: { turnId?: string };
  /** What the caller's sign-in method and scope leave out; without it everything is within reach. */
  reach?: CallerReach;
  /** The assistant wrote it as an answer, which went there. */
  assistant?: { destination: Destination | null };
  /** The language of command answers; without it the configured one. */
  language?: "en" | "zh";
  /** Tells one question from another under the same key. */
  digest?: string;
}

export interface CallerReach {
  /** Whether they came through the home's own socket. */
  isAtHome: boolean;
  /** Left out: every agent. */
  agentIds?: string[];
}

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
  /** Null for messages of channels, and once its turn exists, which then holds all of it. */
  asked: AskedMessage | null;
  /** `digest` of `asked`, for as long as the row is there. Null for messages of channels, and for rows of older versions. */
  digest: string | null;
  /** What a command answered to a caller who waits. */
  answer: string | null;
  /** Whether it was kept as context: said in a group, and not to us. */
  isOverheard: boolean;
  /** How often a process began to look at it after a crash. */
  attempts: number;
  receivedAt: string;
}

export interface InboxStore {
  /** UNIQUE(channel, account, message id) is the dedupe. Resolves when the row is on the disk, for a duplicate too. */
  accept(
    message: InboundMessage,
    asked?: AskedMessage,
  ): Promise<{ type: "stored" | "duplicate"; row: InboxRow }>;
  get(id: string): Promise<InboxRow | undefined>;
  /** By the network's own id of a message or change. */
  find(channel: string, accountId: string, messageId: string): Promise<InboxRow | undefined>;
  /** Those in state `new`, in order of arrival. */
  listNew(limit: number): Promise<InboxRow[]>;
  /**
   * Ends the way of a row that gets no turn, together with what is said about it. Does nothing and answers with nothing when it is no
   * longer `new`. Rides with the next write; an `answer`, which a caller waits for, is on the disk first.
   */
  settle(
    id: string,
    outcome: {
      state: "context" | "refused" | "command" | "done" | "dead";
      reason: string | null;
      answer?: string;
    },
    replies?: OutboxDraft[],
  ): Promise<OutboxRow[]>;
  /** Deletes a row that is still `new`: its sender is told so and may send the same message again. On the disk when it resolves. */
  withdraw(id: string): Promise<void>;
  /** Ends `new` rows that a process wanted to run itself which is gone; answers how many. */
  settleAbandoned(before: string): Promise<number>;
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
  /** What a stranger wrote before the owner let them in is `new` again, oldest first; of one conversation. */
  reviveRefused(conversation: string, limit: number): Promise<InboxRow[]>;
  /** One of those is done. False when it is not one of them. */
  dropDead(id: string): Promise<boolean>;
  /** Deletes finished rows that arrived before; answers how many. Their ids are then no longer recognised. Dead ones wait for the owner. */
  prune(before: string, limit: number): Promise<number>;
}

export interface CursorStore {
  load(channel: string, accountId: string): Promise<string | undefined>;
  /** Rides with the next write: a cursor too old only brings duplicates. */
  save(channel: string, accountId: string, cursor: string): Promise<void>;
}
