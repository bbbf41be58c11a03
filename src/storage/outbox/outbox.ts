/** What people see: one row per message, from its first preview to its last edit. The promises that all verbs keep are in `storage.ts`. */
import type { Attachment, Destination, MessageAction } from "@pincer/sdk";
import type { NoticeDraft } from "./notice.ts";

/**
 * queued: waits for its place and time. sending: an attempt is on its way, or a crash came in between. uncertain: nobody knows whether
 * it arrived. sent, failed, dropped: over.
 */
export type OutboxState = "queued" | "sending" | "uncertain" | "sent" | "failed" | "dropped";

export interface OutboxDraft {
  destination: Destination;
  kind: "reply" | "preview" | "notice" | "command" | "pairing" | "message" | "approval";
  turnId: string | null;
  text: string;
  attachments: Attachment[];
  /** What can be pressed below it; the text says the same in words. */
  actions?: MessageAction[] | undefined;
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
  /** Rides with the next write: a send begins with a write of its own. With `onDisk` it is there when it resolves, for whoever was promised that. */
  enqueue(drafts: OutboxDraft[], options?: { onDisk: boolean }): Promise<OutboxRow[]>;
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
