/** What stands in the place of a message that is given up: one visible line where it was awaited, and a notice for the owner. */
import type { Clock } from "../infra/clock.ts";
import type { Say, TextKey } from "../infra/texts.ts";
import type { NoticeDraft } from "../storage/outbox/notice.ts";
import type { OutboxDraft, OutboxRow } from "../storage/outbox/outbox.ts";

/** expired: too late. rejected: the network will not have it. uncertain: nobody knows whether it arrived. */
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
  // The turn goes on, and its answer comes as a message of its own.
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
    // The message that was answered may be what the network stumbled over.
    replyTo: null,
    notAfter: new Date(clock.now() + notAfterMs).toISOString(),
    dedupeKey: null,
  };
  return { drafts: [line], notice };
}

/** No line about a line, and none to a stranger. */
const isAwaited = ({ kind }: OutboxRow): boolean => kind !== "notice" && kind !== "pairing";

/** As the clock on the wall shows it. */
function hourAndMinute(time: string): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}
