/**
 * Handles a message that may or may not have arrived: asks the network, sends again if that is safe, or sends repeats
 * that are marked as such, each later than the last, until one is known to have arrived or the message is too late.
 */
import type { ChannelConnection, SentQuery } from "@pincer/sdk";
import { interrupted, type OutboxRow } from "../storage/outbox/outbox.ts";
import {
  expire,
  giveUp,
  idempotencyKeyOf,
  isLate,
  type DeliveryShared,
  type LaneMemory,
  type Next,
} from "./delivery-step.ts";
import { retryDelay } from "./retry-delay.ts";
import { askAgain, failureOf, noteSent, sendRow } from "./send-row.ts";
import { withinTime } from "./within-time.ts";

export async function settleUnknown(
  shared: DeliveryShared,
  lane: LaneMemory,
  { row, connection }: { row: OutboxRow; connection: ChannelConnection },
): Promise<Next> {
  const { repeated } = row;
  const answer = await ask(shared, lane, row, connection);
  if (answer.type === "later") return { type: "wait", until: answer.until };
  if (answer.type === "sent") return noteSent(shared, row, answer.messageId ?? null);
  if (isLate(row, lane, shared.clock)) return expire(shared, row);
  if (answer.type === "not-sent") return sendRow(shared, lane, { row, connection, repeated });

  if (shared.traits(row.destination.channel).idempotentSend) {
    return sendRow(shared, lane, { row, connection, repeated });
  }
  const error = row.error ?? interrupted;
  if (shared.uncertainPolicy(row.destination) === "none") {
    return giveUp(shared, row, { reason: "uncertain", error, isLineWanted: false });
  }
  // The process ended in the middle of the last repeat: a further one may be one too many, and nobody knows why.
  if (repeated && error.code === interrupted.code) return giveUp(shared, row, { reason: "uncertain", error });
  // Each repeat may be one too many, so none goes to a network that does not respond.
  if (!(await doesAnswer(shared, connection))) return later(shared, lane, row);
  return sendRow(shared, lane, { row, connection, repeated: true });
}

/** True if the network cannot be probed. Never throws. */
async function doesAnswer(
  { clock, stopped, sendTimeoutMs }: DeliveryShared,
  connection: ChannelConnection,
): Promise<boolean> {
  if (!connection.probe) return true;
  const ms = Math.min(sendTimeoutMs, probeTimeoutMs);
  const answer = await withinTime({ clock, ms, stop: stopped }, async (signal) =>
    connection.probe?.(signal),
  ).catch(() => undefined);
  return answer?.canSend ?? answer?.ok ?? false;
}

const probeTimeoutMs = 10_000;

function later({ clock, random }: DeliveryShared, lane: LaneMemory, row: OutboxRow): Next {
  const tries = (lane.trouble?.id === row.id ? lane.trouble.tries : 0) + 1;
  const until = clock.monotonic() + retryDelay({ ...askAgain, tries, random });
  lane.trouble = { id: row.id, tries, until };
  return { type: "wait", until };
}

/** After this many unanswered questions the network counts as one that cannot be asked; after each repeat it takes more. */
const mostAsks = 8;

async function ask(
  { clock, random, sendTimeoutMs, stopped }: DeliveryShared,
  lane: LaneMemory,
  row: OutboxRow,
  connection: ChannelConnection,
): Promise<SentQuery | { type: "later"; until: number }> {
  if (!connection.querySent) return { type: "unknown" };
  const { querySent } = connection;
  try {
    return await withinTime({ clock, ms: sendTimeoutMs, stop: stopped }, (signal) =>
      querySent.call(connection, row.destination.target, idempotencyKeyOf(row), signal),
    );
  } catch (error) {
    const { code, retryAfterMs } = failureOf(error);
    const tries = (lane.trouble?.id === row.id ? lane.trouble.tries : 0) + 1;
    if (code === "rejected" || tries >= mostAsks * Math.max(1, row.unknowns)) return { type: "unknown" };
    const until = clock.monotonic() + retryDelay({ ...askAgain, tries, random, retryAfterMs });
    lane.trouble = { id: row.id, tries, until };
    return { type: "later", until };
  }
}
