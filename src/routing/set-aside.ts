/**
 * Gives up a message that cannot be handled: it becomes a dead letter, its sender is told once, and the owner gets a
 * notice.
 */
import type { InboundMessage } from "@pincer/sdk";
import type { Say } from "../infra/texts.ts";
import type { InboxRow, InboxStore } from "../storage/inbox/inbox.ts";
import type { NoticeStore } from "../storage/outbox/notices.ts";
import type { OutboxDraft, OutboxRow } from "../storage/outbox/outbox.ts";
import type { Door } from "./door.ts";
import type { ReplyDrafts } from "./enqueue-burst.ts";
import { destinationOf } from "./find-place.ts";
import { isTroubleOfStorage } from "./lane-place.ts";
import { systemChannel } from "./system-message.ts";

export interface SetAsideParts {
  inbox: Pick<InboxStore, "settle">;
  notices: Pick<NoticeStore, "add">;
  door: Pick<Door, "isAdmitted">;
  replies: ReplyDrafts;
  wakeOutbox(rows: OutboxRow[]): void;
  say: Say;
}

/** How often a message is tried. */
export const mostTries = 3;

/** The rows are of one conversation. Throws what the storage does; safe to repeat. */
export async function setAside(
  parts: SetAsideParts,
  rows: readonly InboxRow[],
  why: { attempts: number; reason: "failed" | "crashed" },
): Promise<void> {
  const { attempts, reason } = why;
  const lines = await linesAbout(parts, rows, attempts);
  for (const { id, message } of rows) {
    const parameters = { sender: `${message.channel}:${message.sender.id}`, attempts };
    const text = { key: "routing.message-dead", parameters };
    await parts.notices.add({ kind: "dead-message", text, subject: `message:${id}` });
    const replies = id === rows.at(-1)?.id ? lines : [];
    parts.wakeOutbox(await parts.inbox.settle(id, { state: "dead", reason }, replies));
  }
}

/** One line, with the last of them, for people with access; a stranger gets no answer. */
async function linesAbout(
  parts: SetAsideParts,
  rows: readonly InboxRow[],
  attempts: number,
): Promise<OutboxDraft[]> {
  const last = rows.at(-1);
  // A caller who waits is told by an error.
  if (last?.asked) return [];
  const message = last?.message;
  if (message?.message.type !== "text" || message.channel === systemChannel) return [];
  // Setting it aside has brought the process down, too: then it is done in silence.
  if (attempts > mostTries || !(await isAdmitted(parts, message))) return [];
  return parts.replies.drafts({
    destination: destinationOf(message),
    turnId: null,
    replyTo: message.peer.kind === "user" ? null : message.message.id,
    text: parts.say("routing.set-aside", { attempts }),
    kind: "notice",
  });
}

async function isAdmitted({ door }: SetAsideParts, message: InboundMessage): Promise<boolean> {
  try {
    return await door.isAdmitted(message);
  } catch (error) {
    if (isTroubleOfStorage(error)) throw error;
    // The door is what fails for this message.
    return false;
  }
}
