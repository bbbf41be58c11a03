/** Turns an agent's text into outbox rows that a channel can carry. */
import type { Attachment, ChannelTraits, Destination, MessageAction } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { OutboxDraft } from "../storage/outbox/outbox.ts";
import { normaliseText } from "./normalise-text.ts";
import { splitText } from "./split-text.ts";

export interface ReplyRequest {
  destination: Destination;
  turnId: string | null;
  /** The network's id of the answered message. */
  replyTo: string | null;
  text: string;
  attachments?: Attachment[];
  /** Shown below the last part. */
  actions?: MessageAction[];
  kind: OutboxDraft["kind"];
}

export interface Replies {
  /** In reading order; none for a blank text without attachments. */
  drafts(request: ReplyRequest): OutboxDraft[];
}

export function createReplies({
  traitsOf,
  clock,
  notAfterMs,
}: {
  /** Throws for an unknown channel. */
  traitsOf(channel: string): Pick<ChannelTraits, "textLimit">;
  clock: Clock;
  /** How long a reply is worth sending. */
  notAfterMs: number;
}): Replies {
  return {
    drafts({ destination, turnId, replyTo, text, attachments = [], actions = [], kind }) {
      const texts = splitText(text, usableLength(traitsOf(destination.channel).textLimit));
      if (texts.length === 0 && attachments.length > 0) texts.push("");
      const notAfter = new Date(clock.now() + notAfterMs).toISOString();
      return texts.map((part, index) => ({
        destination,
        kind,
        turnId,
        text: part,
        attachments: index === 0 ? attachments : [],
        ...(actions.length > 0 && index === texts.length - 1 && { actions }),
        replyTo: index === 0 ? replyTo : null,
        notAfter,
        dedupeKey: turnId === null ? null : dedupeKey(texts, index, attachments),
      }));
    },
  };
}

/** Reserved, so that a repeat can be marked. */
export const markLength = 24;

const usableLength = (limit: number): number => (limit > 10 * markLength ? limit - markLength : limit);

/** Equal parts of one split reply are different messages; the same reply again is the same message. */
function dedupeKey(texts: string[], index: number, attachments: Attachment[]): string {
  const text = normaliseText(texts[index] ?? "");
  const place = texts.length === 1 ? "" : `${index + 1}/${texts.length} `;
  const media = index === 0 ? attachments.map((attachment) => ` ${attachment.media}`).join("") : "";
  return `${place}${text}${media}`;
}
