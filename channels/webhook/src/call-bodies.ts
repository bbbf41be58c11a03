/** What the two sides say to each other. docs/guides/webhook-channel.md shows both. */
import type { Attachment, ChannelHost, OutboundMessage, ReceivedMessage } from "@pincer/sdk";
import { Type, type Static } from "typebox";

const Id = Type.String({ minLength: 1, maxLength: 200 });

const File = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 200 })),
    type: Type.String({ maxLength: 100 }),
    content: Type.String({ minLength: 1, pattern: "^[A-Za-z0-9+/]+={0,2}$", description: "In base64." }),
  },
  { additionalProperties: false },
);

/** What comes in. Keys that are not here are refused, so that a slip of the pen is noticed. */
export const InboundCall = Type.Object(
  {
    /** Of the message: a second call with the same one is the same message. */
    id: Id,
    /** The id of the author, which nobody else can take. */
    from: Id,
    name: Type.Optional(Type.String({ maxLength: 200 })),
    text: Type.String({ maxLength: 200_000 }),
    /** Where it was written; the sender's own chat if left out. */
    chat: Type.Optional(Id),
    group: Type.Optional(Type.Boolean()),
    /** In a group: whether it speaks to the assistant. */
    mentioned: Type.Optional(Type.Boolean()),
    thread: Type.Optional(Id),
    replyTo: Type.Optional(Type.Object({ id: Id, text: Type.Optional(Type.String({ maxLength: 200_000 })) })),
    /** Milliseconds since the epoch. */
    timestamp: Type.Optional(Type.Integer({ minimum: 0 })),
    files: Type.Optional(Type.Array(File, { maxItems: 10 })),
  },
  { additionalProperties: false },
);

export async function receivedMessage(
  call: Static<typeof InboundCall>,
  { media, clock }: Pick<ChannelHost, "media" | "clock">,
): Promise<ReceivedMessage> {
  const { id, from, name, text, chat = from, group: isGroup = false, mentioned, thread, replyTo } = call;
  const place = [isGroup ? "group" : "user", chat, ...(thread === undefined ? [] : [thread])];
  const here = (own: string) => `${place.map(escape).join(":")}/${own}`;
  const isForUs = !isGroup || mentioned === true;
  const quoted = replyTo && { replyTo: { ...replyTo, id: here(replyTo.id) } };
  const attachments = [];
  for (const file of call.files ?? []) {
    const info = { mimeType: file.type, ...(file.name !== undefined && { name: file.name }) };
    attachments.push(await media.store(Buffer.from(file.content, "base64"), info));
  }
  return {
    peer: { kind: isGroup ? "group" : "user", id: chat },
    ...(thread !== undefined && { threadId: thread }),
    sender: { id: from, ...(name !== undefined && { name }) },
    message: { type: "text", id: here(id), text, attachments, mentioned: isForUs, ...quoted },
    timestamp: call.timestamp ?? clock.now(),
  };
}

const escape = (part: string): string =>
  part.replaceAll(/[%:/]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);

/** `id` is the same for every attempt at one message; `edit` names the message that changes. */
export type Own = { id: string } | { edit: string };

/** What goes out. */
export async function outboundCall(
  { target, response, replyTo }: OutboundMessage,
  own: Own,
  { media }: Pick<ChannelHost, "media">,
): Promise<object> {
  const read = async ({ name, mimeType: type, media: kept }: Attachment) => {
    return { name, type, content: Buffer.from(await media.read(kept)).toString("base64") };
  };
  const files =
    response.attachments.length > 0 ? await Promise.all(response.attachments.map(read)) : undefined;
  const { peerId: chat, peerKind, threadId: thread } = target;
  const { text, actions } = response;
  const answered = replyTo?.slice(replyTo.indexOf("/") + 1);
  return {
    ...own,
    chat,
    group: peerKind !== "user" || undefined,
    thread,
    replyTo: answered,
    text,
    actions,
    files,
  };
}
