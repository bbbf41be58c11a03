/**
 * What replaces a message that is given up: one visible line if an answer was expected, and a notice for the owner.
 */
import type { Clock } from "../infra/clock.ts";
import type { Say, TextKey } from "../infra/texts.ts";
import type { NoticeDraft } from "../storage/outbox/notice.ts";
import type { OutboxDraft, OutboxRow } from "../storage/outbox/outbox.ts";

/** expired: too late. rejected: the network refuses it. uncertain: unknown whether it arrived. */
export type GiveUpReason = "expired" | "rejected" | "uncertain";

const lines = {
  expired: "delivery.expired",
  rejected: "delivery.rejected",
  uncertain: "delivery.uncertain",
} satisfies Record<GiveUpReason, TextKey>;

const notices = {
  expired: "delivery.notice.expired",
  rejected: "delivery.notice.rejected",
  uncertain: "delivery.notice.uncertain",
} satisfies Record<GiveUpReason, TextKey>;

export function insteadOf(
  row: OutboxRow,
  {
    reason,
    error,
    isLineWanted,
    clock,
    notAfterMs,
    say,
  }: {
    reason: GiveUpReason;
    error: { message: string };
    isLineWanted: boolean;
    clock: Clock;
    notAfterMs: number;
    say: Say;
  },
): { drafts: OutboxDraft[]; notice?: NoticeDraft } {
  // The turn goes on, and its answer comes as its own message.
  if (row.isOpen) return { drafts: [] };
  const { channel, accountId, target } = row.destination;
  const notice = {
    kind: "delivery",
    subject: `delivery:${reason}:${row.conversation}`,
    text: {
      key: notices[reason],
      parameters: { channel, accountId, peer: target.peerId, id: row.id, reason: error.message },
    },
  };
  if (!isLineWanted || !isAwaited(row)) return { drafts: [], notice };
  const line: OutboxDraft = {
    destination: row.destination,
    kind: "notice",
    turnId: row.turnId,
    text: say(lines[reason], { time: hourAndMinute(row.createdAt) }),
    attachments: [],
    // The quoted message may have caused the rejection.
    replyTo: null,
    notAfter: new Date(clock.now() + notAfterMs).toISOString(),
    dedupeKey: null,
  };
  return { drafts: [line], notice };
}

/** No substitute for a notice, and none to a stranger. */
const isAwaited = ({ kind }: OutboxRow): boolean => kind !== "notice" && kind !== "pairing";

function hourAndMinute(time: string): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}
