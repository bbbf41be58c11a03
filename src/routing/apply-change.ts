/**
 * An edit or a deletion: it changes the message while that still waits, and becomes an entry of its session
 * afterwards.
 */
import type { EntryBody, InboundContent } from "@pincer/sdk";
import type { InboxRow, InboxStore } from "../storage/inbox/inbox.ts";
import type { TurnStore } from "../storage/turns/turns.ts";

export type EventBody = Extract<EntryBody, { type: "event" }>;

export interface ChangeParts {
  inbox: Pick<InboxStore, "find" | "amend">;
  turns: Pick<TurnStore, "get">;
  /** Appends to a session what happened to one of its messages. Safe to repeat: `data.change` is the same then. */
  recordEvent(sessionId: string, event: EventBody): Promise<void>;
}

type Change = Exclude<InboundContent, { type: "text" }>;

/** Answers with what became of it, for the row of the change. Throws what the storage does; safe to repeat. */
export async function applyChange(
  { inbox, turns, recordEvent }: ChangeParts,
  row: InboxRow,
  change: Change,
): Promise<{ state: "done" | "refused"; reason: string }> {
  const { channel, accountId } = row.message;
  const original = await inbox.find(channel, accountId, change.of);
  if (!original || !isSameChat(row, original)) return { state: "refused", reason: "no-original" };
  // Networks let the keepers of a group delete for others; nobody writes for others.
  if (change.type === "edit" && row.message.sender.id !== original.message.sender.id) {
    return { state: "refused", reason: "not-the-author" };
  }
  const { attachments, text } = change.type === "edit" ? change : { attachments: [], text: "" };
  if (await inbox.amend(original.id, change.type === "delete" ? "deleted" : { text, attachments })) {
    return { state: "done", reason: "amended" };
  }
  const turn = original.turnId === null ? undefined : await turns.get(original.turnId);
  if (!turn?.sessionId) return { state: "done", reason: "nothing-to-change" };
  await recordEvent(turn.sessionId, eventOf(row, change));
  return { state: "done", reason: "recorded" };
}

function isSameChat({ message: one }: InboxRow, { message: other }: InboxRow): boolean {
  return one.peer.kind === other.peer.kind && one.peer.id === other.peer.id;
}

const eventOf = (row: InboxRow, change: Change): EventBody => ({
  type: "event",
  name: change.type === "edit" ? "message-edited" : "message-deleted",
  data: {
    change: row.id,
    messageId: change.of,
    ...(change.type === "edit" && { text: change.text }),
  },
});
