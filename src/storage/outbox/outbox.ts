/**
 * What people see: one row per message, from its first preview to its last edit. `storage.ts` states the contract of
 * all verbs.
 */
import type { Attachment, Destination, MessageAction } from "@pincer/sdk";
import type { NoticeDraft } from "./notice.ts";

/**
 * queued: waits for its turn. sending: an attempt is running, or crashed. uncertain: it may have arrived. sent,
 * failed, dropped: final.
 */
export type OutboxState = "queued" | "sending" | "uncertain" | "sent" | "failed" | "dropped";

export interface OutboxDraft {
  destination: Destination;
  kind: "reply" | "preview" | "notice" | "command" | "pairing" | "message" | "approval";
  turnId: string | null;
  text: string;
  attachments: Attachment[];
  /** Buttons below the message; its text says the same. */
  actions?: MessageAction[] | undefined;
  replyTo: string | null;
  /** Not sent after this time: a substitute line says so. */
  notAfter: string;
  /** Equal keys within a turn and a conversation are one message. */
  dedupeKey: string | null;
}

/** One visible message, from its first preview to its last edit. */
export interface OutboxRow extends OutboxDraft {
  /** Also its idempotency key. */
  id: string;
  /** Increasing; the order within a conversation. */
  position: number;
  conversation: string;
  state: OutboxState;
  attempts: number;
  /** Not before this time. */
  nextAt: string | null;
  /** When `nextAt` was set, so that the pause is known even if the clock was set since. */
  pausedAt: string | null;
  /** How many attempts ended with an unknown outcome. */
  unknowns: number;
  /** Whether it was sent again although it may have arrived. */
  repeated: boolean;
  /** Rises with each change of `text`. */
  version: number;
  /** The visible version; 0 before the first send. */
  shownVersion: number;
  /** How many of its characters are visible. */
  shownLength: number;
  messageId: string | null;
  /** A preview that still grows. */
  isOpen: boolean;
  error: { code: string; message: string } | null;
  createdAt: string;
  sentAt: string | null;
}

/** The error of a message whose last attempt nobody saw the end of. */
export const interrupted = { code: "interrupted", message: "the process ended in the middle of sending" };

export interface OutboxStore {
  /** Along with the next write, since a send begins with its own. With `onDisk` it is on disk when it resolves. */
  enqueue(drafts: OutboxDraft[], options?: { onDisk: boolean }): Promise<OutboxRow[]>;
  /** Creates or updates the turn's open preview, along with the next write. */
  preview(draft: OutboxDraft & { turnId: string }): Promise<OutboxRow>;
  /** The first row of a conversation that needs to be sent, checked or edited. */
  head(conversation: string): Promise<OutboxRow | undefined>;
  /** Conversations that have a head. */
  unfinished(): Promise<string[]>;
  /**
   * Call before each attempt: sets `sending` and counts it, on disk. Undefined if it was dropped or sent meanwhile.
   */
  beginSend(id: string, options?: { repeated: boolean }): Promise<OutboxRow | undefined>;
  /** This version arrived: sets `sent`, along with the next write. */
  markSent(
    id: string,
    sent: { messageId: string | null; version: number; shownLength: number },
  ): Promise<void>;
  /** Certainly not sent; retried at `nextAt`. Along with the next write. */
  retryAt(id: string, nextAt: string, error: { code: string; message: string }): Promise<void>;
  /** The outcome is unknown. Along with the next write. */
  markUncertain(id: string, error: { code: string; message: string }): Promise<OutboxRow | undefined>;
  /** Gives up, and stores the line that says so. On disk. */
  fail(
    id: string,
    error: { code: string; message: string },
    instead: { drafts: OutboxDraft[]; notice?: NoticeDraft },
  ): Promise<OutboxRow[]>;
  /** At start: turns rows left in `sending` into `uncertain`, with the error `interrupted`. Returns how many. */
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
   * Retries a failed, uncertain or waiting one at once, until `notAfter`. One that may have arrived stays
   * `uncertain`, or becomes `repeated` if it was given up. Undefined if there is nothing to retry.
   */
  retry(id: string, notAfter: string): Promise<OutboxRow | undefined>;
  /** Drops a waiting, uncertain or failed one. False if it was sent or dropped already. */
  drop(id: string): Promise<boolean>;
  /** Deletes older finished rows; returns how many. */
  prune(before: string, limit: number): Promise<number>;
}
