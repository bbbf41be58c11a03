/** What goes out to a channel. */
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

export const OutboundMessage = Type.Object({
  ...Destination.properties,
  response: Type.Object({ text: Type.String(), attachments: Type.Array(Attachment) }),
  /** The provider's id of the message that this one answers. */
  replyTo: Type.Optional(Type.String()),
});

export type Target = Static<typeof Target>;
export type Destination = Static<typeof Destination>;
export type OutboundMessage = Static<typeof OutboundMessage>;

/**
 * The conversation that a destination means, as one text: what is sent to it keeps its order. Injective, so that equal ids on two
 * channels or accounts never meet.
 */
export function conversationOf({ channel, accountId, target }: Destination): string {
  const parts = [channel, accountId, target.peerKind, target.peerId, target.threadId ?? ""];
  return parts.map((part) => part.replaceAll(/[%:]/g, (mark) => (mark === "%" ? "%25" : "%3A"))).join(":");
}
