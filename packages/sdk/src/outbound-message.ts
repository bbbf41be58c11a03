/** An outgoing message. */
import { Type, type Static } from "typebox";
import { Attachment, Peer } from "./inbound-message.ts";

export const Target = Type.Object({
  peerKind: Peer.properties.kind,
  peerId: Type.String(),
  threadId: Type.Optional(Type.String()),
});

/** Where something is sent: one place on one account of one channel. Fixed on a turn when it is queued. */
export const Destination = Type.Object({
  channel: Type.String(),
  accountId: Type.String(),
  target: Target,
});

/** A button: the person who presses it says `send`, as if they had typed it. */
export const MessageAction = Type.Object({
  label: Type.String(),
  send: Type.String(),
});

export const OutboundMessage = Type.Object({
  ...Destination.properties,
  /** `actions` are besides the text, which says in words how to do the same: a channel without buttons leaves them out. */
  response: Type.Object({
    text: Type.String(),
    attachments: Type.Array(Attachment),
    actions: Type.Optional(Type.Array(MessageAction)),
  }),
  /** The provider's id of the message that this one answers. */
  replyTo: Type.Optional(Type.String()),
});

export type Target = Static<typeof Target>;
export type Destination = Static<typeof Destination>;
export type MessageAction = Static<typeof MessageAction>;
export type OutboundMessage = Static<typeof OutboundMessage>;

/**
 * The conversation that a destination means, as one text: what is sent to it keeps its order. Injective, so that equal ids on two
 * channels or accounts never meet.
 */
export function conversationOf({ channel, accountId, target }: Destination): string {
  const parts = [channel, accountId, target.peerKind, target.peerId, target.threadId ?? ""];
  return parts.map((part) => part.replaceAll(/[%:]/g, (mark) => (mark === "%" ? "%25" : "%3A"))).join(":");
}

/**
 * Who hears what is sent to a destination, as people write it: `channel/account:id` of a person; of a group or a room with its kind behind
 * it, and with the thread. Injective: equal texts are the same place.
 */
export function recipientOf({ channel, accountId, target }: Destination): string {
  const { peerKind, peerId, threadId } = target;
  const person = `${escapeMarks(channel)}/${escapeMarks(accountId)}:${escapeEnd(peerId)}`;
  const kind = peerKind === "user" ? [] : [peerKind];
  const thread = threadId === undefined ? [] : [`thread/${escapeEnd(threadId)}`];
  return [person, ...kind, ...thread].join("#");
}

const escapeMarks = (part: string): string => escapeEnd(part).replaceAll("/", "%2F").replaceAll(":", "%3A");

const escapeEnd = (part: string): string => part.replaceAll("%", "%25").replaceAll("#", "%23");
