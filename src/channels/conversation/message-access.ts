/** Messages that a turn sends itself: outbox rows under its id, each sent once. */
import { conversationOf } from "@pincer/sdk";
import type { Replies } from "../replies.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import type { OutboxDraft, OutboxRow, OutboxStore } from "../../storage/outbox/outbox.ts";
import type { TurnStore } from "../../storage/turns/turns.ts";
import type { MessageAccess, Recipient, SentMessage } from "../../tools/conversation/conversation-access.ts";
import type { FindRecipient } from "./find-recipient.ts";

export interface MessageAccessParts {
  find: FindRecipient;
  outbox: Pick<OutboxStore, "enqueue" | "list">;
  turns: Pick<TurnStore, "get" | "inputs">;
  replies: Replies;
  /** Called when there is something to send; left out if nothing delivers. */
  wake?: ((rows: OutboxRow[]) => void) | undefined;
  redactor: Pick<Redactor, "text">;
  say: Say;
}

const mostRows = 1000;

export function createMessageAccess(parts: MessageAccessParts): MessageAccess {
  const { find, outbox, turns, replies, wake, redactor, say } = parts;

  /**
   * An earlier message of this turn with the same text there, in any state: one that may have arrived is not sent
   * again.
   */
  async function saidBefore(
    turnId: string | undefined,
    [draft]: OutboxDraft[],
  ): Promise<OutboxRow | undefined> {
    if (turnId === undefined || !draft) return undefined;
    const conversation = conversationOf(draft.destination);
    const said = await outbox.list({ turnId, limit: mostRows });
    return said.find(
      (row) => !row.isOpen && row.conversation === conversation && row.dedupeKey === draft.dedupeKey,
    );
  }

  /** What the turn answers there. In a direct chat it names nothing by itself: then it is the last message that came from there. */
  async function answered(
    turnId: string | undefined,
    { destination }: Pick<Recipient, "destination">,
  ): Promise<string | null> {
    if (turnId === undefined) return null;
    const named = (await turns.get(turnId))?.replyTo;
    if (named != null) return named;
    const place = conversationOf(destination);
    const inputs = await turns.inputs(turnId);
    const last = inputs.findLast(
      ({ conversation, message }) => conversation === place && message.message.type === "text",
    );
    return last?.message.message.id ?? null;
  }

  return {
    find,
    async send({ recipient, text, actions, replyTo: asked }, { turnId }) {
      const replyTo = asked === "current" ? await answered(turnId, recipient) : (asked ?? null);
      const words = redactor.text(text);
      const drafts = replies.drafts({
        destination: recipient.destination,
        turnId: turnId ?? null,
        replyTo,
        text: words,
        kind: "message",
        ...(actions && { actions }),
      });
      if (drafts.length === 0) return { outcome: "failed", reason: "there is nothing to say in it" };
      const before = await saidBefore(turnId, drafts);
      if (before) return outcomeOf(before);
      const rows = await outbox.enqueue(drafts);
      if (rows.length === 0) return { outcome: "repeated" };
      wake?.(rows);
      return { outcome: wake ? "underway" : "stored" };
    },
    shown: ({ recipient, text }) => say(...toWhom(recipient, text)),
  };
}

function outcomeOf({ state, error }: OutboxRow): SentMessage {
  return state === "failed" || state === "dropped"
    ? { outcome: "failed", reason: error?.message ?? state }
    : { outcome: "repeated" };
}

function toWhom({ isOwn, name, key }: Recipient, text: string): Parameters<Say> {
  if (isOwn) return ["conversation.to-here", { text }];
  return name === undefined
    ? ["conversation.to-place", { place: key, text }]
    : ["conversation.to-name", { name, place: key, text }];
}
