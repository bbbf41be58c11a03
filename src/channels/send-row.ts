/** One attempt to send a row, and the handling of its outcome. */
import {
  retryPolicies,
  SendError,
  sendErrorCodes,
  type ChannelConnection,
  type SendErrorCode,
} from "@pincer/sdk";
import type { OutboxRow } from "../storage/outbox/outbox.ts";
import {
  again,
  giveUp,
  idempotencyKeyOf,
  outboundOf,
  persist,
  reasonOf,
  report,
  timesOf,
  visibleText,
  type DeliveryShared,
  type LaneMemory,
  type Next,
} from "./delivery-step.ts";
import { retryDelay } from "./retry-delay.ts";
import { withinTime } from "./within-time.ts";

/** `repeated`: the message may have arrived before, and is marked as a repeat. */
export async function sendRow(
  shared: DeliveryShared,
  lane: LaneMemory,
  { row, connection, repeated }: { row: OutboxRow; connection: ChannelConnection; repeated: boolean },
): Promise<Next> {
  const { outbox, clock, stopping, stopped, sendTimeoutMs } = shared;
  await takeTurn(shared, row);
  const begun = await outbox.beginSend(row.id, { repeated });
  if (!begun) return again;
  if (stopping.aborted) {
    // Nothing was sent yet.
    await outbox.retryAt(row.id, new Date(clock.now()).toISOString(), {
      code: "stopped",
      message: "stopped",
    });
    return again;
  }
  const message = outboundOf(begun, visibleText(begun, shared));
  const attempt = { idempotencyKey: idempotencyKeyOf(begun), attempt: begun.attempts };
  const sent = await withinTime({ clock, ms: sendTimeoutMs, stop: stopped }, (signal) =>
    connection.send(message, { ...attempt, signal }),
  ).catch((error: unknown) => redactedFailure(error, shared));
  if (!("code" in sent)) return noteSent(shared, begun, sent.messageId ?? null);
  // The next start finds the attempt that was running at the stop.
  return stopped.aborted ? again : afterFailure(shared, lane, { row: begun, connection, failure: sent });
}

export async function takeTurn({ pace, traits, stopping }: DeliveryShared, row: OutboxRow): Promise<void> {
  const { channel, accountId } = row.destination;
  await pace.take(`${channel} ${accountId}`, traits(channel).paceMs ?? 0, stopping);
}

/**
 * A network that drops duplicates may show the text of the first attempt. If the text has changed since, the earlier
 * version counts as shown, and an edit brings the rest.
 */
export async function noteSent(
  shared: DeliveryShared,
  row: OutboxRow,
  messageId: string | null,
): Promise<Next> {
  const isOlderPossible = row.unknowns > 0 && !row.repeated && row.shownVersion === 0 && row.version > 1;
  const version = isOlderPossible ? row.version - 1 : row.version;
  const shownLength = Math.min(row.text.length, visibleText(row, shared).length);
  await persist(shared, () => shared.outbox.markSent(row.id, { messageId, version, shownLength }));
  shared.shown.set(row.id, shared.clock.monotonic());
  report(shared, "sent", row);
  return again;
}

export interface SendFailure {
  code: SendErrorCode;
  message: string;
  retryAfterMs: number | undefined;
}

async function afterFailure(
  shared: DeliveryShared,
  lane: LaneMemory,
  { row, connection, failure }: { row: OutboxRow; connection: ChannelConnection; failure: SendFailure },
): Promise<Next> {
  const { outbox, clock, random } = shared;
  const { outcome, retry } = retryPolicies[failure.code];
  const error = { code: failure.code, message: failure.message };
  if (outcome === "unknown") {
    await persist(shared, () => outbox.markUncertain(row.id, error));
    report(shared, "uncertain", row);
    const pace = row.repeated && !connection.querySent ? repeatAgain : askAgain;
    const until = clock.monotonic() + retryDelay({ ...pace, tries: Math.max(1, row.unknowns), random });
    lane.trouble = { id: row.id, tries: 0, until };
    return again;
  }
  if (retry.type !== "backoff") return giveUp(shared, row, { reason: "rejected", error });
  const { firstMs, mostMs } = retry;
  const { retryAfterMs } = failure;
  const delayMs = retryDelay({ firstMs, mostMs, tries: row.attempts, random, retryAfterMs });
  if (!row.isOpen && clock.monotonic() + delayMs > timesOf(lane, row, clock).lastChance)
    return giveUp(shared, row, { reason: "expired", error });
  const nextAt = new Date(clock.now() + delayMs).toISOString();
  await persist(shared, () => outbox.retryAt(row.id, nextAt, error));
  report(shared, "delayed", row);
  return again;
}

/**
 * Pace of questions to the network and of idempotent retries: once it recovers, people wait no longer than half a
 * minute.
 */
export const askAgain = { firstMs: 500, mostMs: 25_000 };

/**
 * Pace of marked repeats after the first: a network that delivers and never says so shows some thirty of them in a
 * day, and one that hung for a minute gets the next soon after.
 */
export const repeatAgain = { firstMs: 5000, mostMs: 3_600_000 };

/** Anything but a SendError counts as `closed`: it may or may not have been sent. */
export function failureOf(error: unknown): SendFailure {
  const { code, retryAfterMs } = (error ?? {}) as Partial<SendError>;
  const isOurs = error instanceof SendError || (error instanceof Error && error.name === "SendError");
  if (!isOurs || code === undefined || !sendErrorCodes.includes(code)) {
    return { code: "closed", message: reasonOf(error), retryAfterMs: undefined };
  }
  return { code, message: reasonOf(error), retryAfterMs };
}

/** The same, without secrets. */
export function redactedFailure(error: unknown, { redactor }: Pick<DeliveryShared, "redactor">): SendFailure {
  const failure = failureOf(error);
  return { ...failure, message: redactor.text(failure.message) };
}
