/** An incoming message, in the one format that everything behind the channels reads. */
import { Type, type Static } from "typebox";

/** The other side of a conversation: a person's direct chat, a group, or a room. */
export const Peer = Type.Object({
  kind: Type.Union([Type.Literal("user"), Type.Literal("group"), Type.Literal("room")]),
  /** The provider's own, immutable id; never a name that somebody could take. At most 256 characters, none of them a control character. */
  id: Type.String(),
  name: Type.Optional(Type.String()),
});

/** Who wrote it. `id` is immutable and of the same form as a peer's; an empty one is refused at the door. */
export const Sender = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  /** The account's own words, echoed back by the network. */
  isSelf: Type.Optional(Type.Boolean()),
  /** The network does not vouch for who it is: the id may be somebody else's tomorrow, and never makes an owner. */
  isUnproven: Type.Optional(Type.Boolean()),
});

/** A file that came along, kept by reference in the media store. */
export const Attachment = Type.Object({
  kind: Type.Union([
    Type.Literal("image"),
    Type.Literal("audio"),
    Type.Literal("video"),
    Type.Literal("file"),
  ]),
  media: Type.String(),
  /** Told by what it holds. */
  mimeType: Type.String(),
  /** What its sender called it, where that is something else. */
  claimedType: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  sizeBytes: Type.Optional(Type.Integer()),
});

/** What another message says, when this one answers or quotes it. */
const Quoted = Type.Object({
  id: Type.String(),
  text: Type.Optional(Type.String()),
  fromMe: Type.Optional(Type.Boolean()),
});

/** In UTF-16 units, from `start` up to `end`. */
export const PastedRanges = Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer() }));

export const InboundContent = Type.Union([
  Type.Object({
    type: Type.Literal("text"),
    /**
     * Unique within channel and account, over all chats, edits and deletions: a second delivery of the same id is the same message and is
     * dropped. Where the network numbers per chat, the connector puts the chat (and the thread, if those are numbered too) before it.
     */
    id: Type.String(),
    text: Type.String(),
    attachments: Type.Array(Attachment),
    /** Whether it speaks to this account by name, by mention or by answering it. Always true for a direct chat. */
    mentioned: Type.Boolean(),
    replyTo: Type.Optional(Quoted),
    /** A forwarded message: its sender did not write it. */
    forwarded: Type.Optional(Type.Boolean()),
    /** False if no person typed it: it came through a pipe, or a program sent it. */
    typed: Type.Optional(Type.Literal(false)),
    /**
     * What of the text was pasted, dropped or piped in: sorted, apart, and within the text, or all of it counts as
     * pasted. Left out where nobody can tell.
     */
    pasted: Type.Optional(PastedRanges),
  }),
  Type.Object({
    type: Type.Literal("edit"),
    /** Of the change, not of the message: each edit has its own, as unique as that of a message. */
    id: Type.String(),
    /** The id of the message that was changed, exactly as it was handed over with it. */
    of: Type.String(),
    text: Type.String(),
    attachments: Type.Array(Attachment),
    mentioned: Type.Boolean(),
  }),
  /** `id` is that of the deletion, `of` that of the message, as with an edit. */
  Type.Object({ type: Type.Literal("delete"), id: Type.String(), of: Type.String() }),
]);

export const InboundMessage = Type.Object({
  tenantId: Type.String(),
  workspaceId: Type.String(),
  channel: Type.String(),
  accountId: Type.String(),
  peer: Peer,
  threadId: Type.Optional(Type.String()),
  /** What a thread or a room belongs to, for bindings: the parent's peer id, the server, the team. */
  parentPeerId: Type.Optional(Type.String()),
  guildId: Type.Optional(Type.String()),
  teamId: Type.Optional(Type.String()),
  sender: Sender,
  message: InboundContent,
  /** Milliseconds since the epoch, as the network tells it. */
  timestamp: Type.Number(),
});

export type Peer = Static<typeof Peer>;
export type Sender = Static<typeof Sender>;
export type Attachment = Static<typeof Attachment>;
export type InboundContent = Static<typeof InboundContent>;
export type InboundMessage = Static<typeof InboundMessage>;

/** What a connector hands to its host, which knows the rest. */
export type ReceivedMessage = Omit<InboundMessage, "tenantId" | "workspaceId" | "channel" | "accountId">;
