/** What the steps of a delivery share. */
import type { ChannelConnection, ChannelLog, ChannelTraits, Destination, OutboundMessage } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { Say } from "../infra/texts.ts";
import type { OutboxRow, OutboxStore } from "../storage/outbox/outbox.ts";
import type { AccountPace } from "./account-pace.ts";
import { insteadOf, type GiveUpReason } from "./give-up.ts";
import { splitText } from "./split-text.ts";

export interface DeliveryParts {
  outbox: OutboxStore;
  /** The connection to use now; undefined while there is none. */
  connection(destination: Destination): ChannelConnection | undefined;
  traits(channel: string): ChannelTraits;
  /** What happens to a message whose outcome is unknown and cannot be asked: one marked repeat, or none. */
  uncertainPolicy(destination: Destination): "repeat" | "none";
  clock: Clock;
  /** From 0 to 1, as of Math.random. */
  random: () => number;
  say: Say;
  log: ChannelLog;
  /** Takes secrets out of what connectors complain of, before it is stored or told. */
  redactor: Pick<Redactor, "text">;
  sendTimeoutMs: number;
  /** How long a line in the place of a message is worth sending. */
  notAfterMs: number;
  onProgress(progress: DeliveryProgress): void;
}

export interface DeliveryProgress {
  type: "sent" | "edited" | "delayed" | "uncertain" | "failed";
  id: string;
  turnId: string | null;
  conversation: string;
  channel: string;
  accountId: string;
}

/** What the lanes of one deliverer share besides. */
export interface DeliveryShared extends DeliveryParts {
  pace: AccountPace;
  /** Aborts when no new send may begin. */
  stopping: AbortSignal;
  /** Aborts when nothing is waited for any more. */
  stopped: AbortSignal;
}

/** What a lane remembers between steps: only waiting times, so a new lane merely begins to wait anew. */
export interface LaneMemory {
  startedAt: number;
  /** The row that gave trouble, how often, and until when it is left alone. */
  trouble: { id: string; tries: number; until: number } | undefined;
}

export type Next = { type: "again" } | { type: "wait"; until: number | undefined };

export const again: Next = { type: "again" };

/** The key of one visible message: a row that is sent anew because it cannot be edited is a second one. */
export const idempotencyKeyOf = (row: OutboxRow): string =>
  row.shownVersion === 0 ? row.id : `${row.id}.${row.version}`;

/** The text as people see it: marked as a repeat where it is one, and as much of a preview as one message holds. */
export function visibleText(row: OutboxRow, { say, traits }: Pick<DeliveryParts, "say" | "traits">): string {
  const text = row.repeated ? say("delivery.repeat-mark") + row.text : row.text;
  const { textLimit } = traits(row.destination.channel);
  if (text.length <= textLimit || !(row.isOpen || row.repeated)) return text;
  return splitText(text, textLimit)[0] ?? text;
}

export function outboundOf(row: OutboxRow, text: string): OutboundMessage {
  return {
    ...row.destination,
    response: { text, attachments: row.attachments, ...(row.actions && { actions: row.actions }) },
    ...(row.replyTo === null ? {} : { replyTo: row.replyTo }),
  };
}

/** Whether it is too late to show it for the first time. A preview is never late: its turn is still speaking. */
export const isLate = (row: OutboxRow, now: number): boolean => !row.isOpen && now > Date.parse(row.notAfter);

/** Tries a write until it is done: what has happened outside must not be forgotten. Throws only once the deliverer is to stop. */
export async function persist<Answer>(
  { clock, log, stopping }: Pick<DeliveryShared, "clock" | "log" | "stopping">,
  write: () => Promise<Answer>,
): Promise<Answer> {
  for (let delay = 250; ; delay = Math.min(delay * 2, 10_000)) {
    try {
      return await write();
    } catch (error) {
      log.error(`what became of a message could not be stored: ${reasonOf(error)}`);
      await clock.sleep(delay, stopping);
    }
  }
}

/** Ends the way of a row, with what stands in its place. */
export async function giveUp(
  shared: DeliveryShared,
  row: OutboxRow,
  {
    reason,
    error,
    isLineWanted = true,
  }: {
    reason: GiveUpReason;
    error: { code: string; message: string };
    isLineWanted?: boolean;
  },
): Promise<Next> {
  const instead = insteadOf(row, { ...shared, reason, error, isLineWanted });
  await persist(shared, () => shared.outbox.fail(row.id, { ...error, code: reason }, instead));
  shared.log.warn(`message ${row.id} was given up (${reason}): ${error.message}`);
  report(shared, "failed", row);
  return again;
}

/** Ends the way of a row that is too late. */
export function expire(shared: DeliveryShared, row: OutboxRow): Promise<Next> {
  const isUncertain = row.state === "uncertain";
  return giveUp(shared, row, {
    reason: isUncertain ? "uncertain" : "expired",
    error: row.error ?? { code: "unavailable", message: "there was no connection" },
    isLineWanted: !isUncertain || shared.uncertainPolicy(row.destination) === "repeat",
  });
}

export function report(
  { onProgress, log }: DeliveryShared,
  type: DeliveryProgress["type"],
  row: OutboxRow,
): void {
  try {
    const { id, turnId, conversation, destination } = row;
    const { channel, accountId } = destination;
    onProgress({ type, id, turnId, conversation, channel, accountId });
  } catch (error) {
    log.error(`progress was not passed on: ${reasonOf(error)}`);
  }
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
