/**
 * A stop also cancels what others asked for in the same session: the same person elsewhere, or others in a group. Each
 * of them is told once, where they asked; the person who said stop, and those whom an ending turn tells, know already.
 */
import { conversationOf, type Destination } from "@pincer/sdk";
import type { Say } from "../infra/texts.ts";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import type { OutboxDraft } from "../storage/outbox/outbox.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import type { CommandContext } from "./command.ts";
import type { ReplyDrafts } from "./enqueue-burst.ts";

export interface TakenAway {
  row: InboxRow;
  /** Where its answer would have gone; null where nobody reads one. */
  destination: Destination | null;
  /** The turn that it waited in, if any. */
  turn?: TurnRecord;
}

/** The lines, by the id of the row that each belongs to: the last of its person and place. */
export function stoppedLines(
  parts: { replies: ReplyDrafts; say: Say },
  saidBy: Pick<CommandContext, "person" | "destination">,
  taken: readonly TakenAway[],
): Map<string, OutboxDraft[]> {
  const last = new Map<string, { row: InboxRow; destination: Destination }>();
  const know = new Set(saidBy.destination ? [listener(saidBy.destination, saidBy.person.id)] : []);
  for (const { row, destination, turn } of taken) {
    if (!destination) continue;
    if (turn?.state === "running") know.add(listener(destination, turn.person.id));
    last.set(listener(destination, personOf(row)), { row, destination });
  }
  const text = parts.say("turn.aborted");
  const lines = [...last].flatMap(([key, { row, destination }]) => {
    if (know.has(key)) return [];
    const said = { destination, turnId: null, replyTo: replyTo(row, destination), text };
    return [[row.id, parts.replies.drafts({ ...said, kind: "reply" })] as const];
  });
  return new Map(lines);
}

/** In a direct chat there is only one. */
function listener(destination: Destination, personId: string): string {
  const isDirect = destination.target.peerKind === "user";
  return JSON.stringify([conversationOf(destination), isDirect ? null : personId]);
}

const personOf = ({ message }: InboxRow): string => `${message.channel}:${message.sender.id}`;

/** In a group, so that it is clear whose message is meant; what came from elsewhere cannot be named there. */
function replyTo({ conversation, message }: InboxRow, destination: Destination): string | null {
  const isThere = conversation === conversationOf(destination);
  return isThere && destination.target.peerKind !== "user" ? message.message.id : null;
}
