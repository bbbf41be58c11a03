/** Edits a visible message until it shows what its row says. Edits are idempotent, so a retry needs no care. */
import type { ChannelConnection } from "@pincer/sdk";
import type { OutboxRow } from "../storage/outbox/outbox.ts";
import {
  again,
  giveUp,
  isLate,
  outboundOf,
  persist,
  report,
  visibleText,
  type DeliveryShared,
  type LaneMemory,
  type Next,
} from "./delivery-step.ts";
import { retryDelay } from "./retry-delay.ts";
import { askAgain, redactedFailure, sendRow, takeTurn, type SendFailure } from "./send-row.ts";
import { withinTime } from "./within-time.ts";

/** A growing text is edited at most this often. */
const previewPaceMs = 1000;

export async function editRow(
  shared: DeliveryShared,
  lane: LaneMemory,
  { row, connection }: { row: OutboxRow; connection: ChannelConnection },
): Promise<Next> {
  const { clock, outbox, sendTimeoutMs, stopped, stopping } = shared;
  const { messageId } = row;
  if (!connection.edit || messageId === null) return replace(shared, lane, { row, connection });
  const nextEditAt = (shared.shown.get(row.id) ?? -previewPaceMs) + previewPaceMs;
  if (row.isOpen && clock.monotonic() < nextEditAt) return { type: "wait", until: nextEditAt };
  await takeTurn(shared, row);
  if (stopping.aborted) return again;

  const { edit } = connection;
  const text = visibleText(row, shared);
  const edited = await withinTime({ clock, ms: sendTimeoutMs, stop: stopped }, (signal) =>
    edit.call(connection, outboundOf(row, text), messageId, { signal }),
  ).catch((error: unknown) => redactedFailure(error, shared));
  if (stopped.aborted) return again;
  if (edited && "code" in edited) return afterFailure(shared, lane, { row, connection, failure: edited });
  const shownLength = Math.min(row.text.length, text.length);
  const shown = { messageId: edited?.messageId ?? null, version: row.version, shownLength };
  await persist(shared, () => outbox.markSent(row.id, shown));
  shared.shown.set(row.id, clock.monotonic());
  report(shared, "edited", row);
  return again;
}

/**
 * If editing is impossible, a finished text is sent again; a preview is given up, and the answer comes as its own
 * message.
 */
async function replace(
  shared: DeliveryShared,
  lane: LaneMemory,
  { row, connection }: { row: OutboxRow; connection: ChannelConnection },
): Promise<Next> {
  const error = { code: "rejected", message: "the preview cannot be edited" };
  if (row.isOpen) return giveUp(shared, row, { reason: "rejected", error });
  return sendRow(shared, lane, { row, connection, repeated: row.repeated });
}

async function afterFailure(
  shared: DeliveryShared,
  lane: LaneMemory,
  { row, connection, failure }: { row: OutboxRow; connection: ChannelConnection; failure: SendFailure },
): Promise<Next> {
  const { clock, random } = shared;
  const { code, message, retryAfterMs } = failure;
  if (code === "rejected") return replace(shared, lane, { row, connection });
  if (isLate(row, lane, clock)) {
    return giveUp(shared, row, { reason: "expired", error: { code, message } });
  }
  const tries = (lane.trouble?.id === row.id ? lane.trouble.tries : 0) + 1;
  const until = clock.monotonic() + retryDelay({ ...askAgain, tries, random, retryAfterMs });
  lane.trouble = { id: row.id, tries, until };
  return { type: "wait", until };
}
