/**
 * Checks a connector's message before it is stored: only known fields, valid Unicode, no secrets. Every message
 * passes here on the main thread, so the check is compiled and the copy is written by hand.
 */
import {
  InboundMessage,
  formatSessionKey,
  rewrittenSpoken,
  type Attachment,
  type InboundContent,
} from "@pincer/sdk";
import { Compile } from "typebox/compile";
import { failure } from "../infra/failure.ts";
import type { Redactor } from "../infra/redactor.ts";

export const largestTextBytes = 256 * 1024;
/** In UTF-16 units, for any id of a person or place. */
export const longestIdLength = 256;

/** `value` is untrusted until checked. Throws `usage/bad-argument` for what can never be a message. */
export function parseMessage(value: InboundMessage, redactor: Pick<Redactor, "text">): InboundMessage {
  const { channel } = value;
  const check = compiled();
  if (!check.Check(value)) {
    const [first] = check.Errors(value);
    throw malformed(channel, first ? `${first.instancePath || "/"} ${first.message}` : "unknown");
  }
  const size = value.message.type !== "delete" ? Buffer.byteLength(value.message.text) : 0;
  if (size > largestTextBytes) {
    const facts = { channel, size, limit: largestTextBytes };
    const hint = "channel.message.too-long.hint";
    throw failure("usage/bad-argument", "channel.message.too-long", facts, { hint });
  }
  const flaw = flawOf(value);
  if (flaw !== undefined) throw malformed(channel, flaw);
  return copyOf(value, (text) => redactor.text(text.toWellFormed()));
}

let validator: ReturnType<typeof compile> | undefined;
const compile = () => Compile(InboundMessage);
/** Compiled with the first message: it takes milliseconds that the start should not pay. */
const compiled = () => (validator ??= compile());

const malformed = (channel: string, reason: string): Error =>
  failure(
    "usage/bad-argument",
    "channel.message.malformed",
    { channel, reason },
    { hint: "channel.message.malformed.hint" },
  );

/** Checks that the schema cannot express, or would report less clearly. */
function flawOf(message: InboundMessage): string | undefined {
  const { peer, sender, threadId, parentPeerId, guildId, teamId, message: content } = message;
  if (peer.id === "") return "/peer/id is empty";
  if (content.id === "") return "/message/id is empty";
  if (!Number.isFinite(message.timestamp)) return "/timestamp is no time";
  const ids = [
    ["/peer/id", peer.id],
    ["/sender/id", sender.id],
    ["/threadId", threadId],
    ["/parentPeerId", parentPeerId],
    ["/guildId", guildId],
    ["/teamId", teamId],
    ["/message/id", content.id],
    ["/message/of", content.type === "text" ? undefined : content.of],
  ] as const;
  for (const [path, id] of ids) {
    if (id === undefined) continue;
    if (!id.isWellFormed()) return `${path} is not valid Unicode`;
    if (/\p{Cc}/u.test(id)) return `${path} holds control characters`;
    // A message id is not part of a session key, and some networks have long ones.
    if (id.length > longestIdLength && !path.startsWith("/message/")) {
      return `${path} is longer than ${longestIdLength} characters`;
    }
  }
  if (content.type !== "delete" && content.text.trim() === "" && content.attachments.length === 0) {
    return "/message/text is blank and there is no attachment";
  }
  return flawOfPlace(message);
}

/** The longest possible agent id: an accepted message fits a session key of every agent. */
const longestAgentId = "a".repeat(64);

/** Ids that are each short enough may be too long together. */
function flawOfPlace(message: InboundMessage): string | undefined {
  const { tenantId, workspaceId, channel, accountId, peer, threadId } = message;
  const place = { channel, accountId };
  try {
    formatSessionKey({
      tenantId,
      workspaceId,
      agentId: longestAgentId,
      conversation:
        peer.kind === "user"
          ? { type: "direct", ...place, peer: peer.id }
          : { type: "group", ...place, kind: peer.kind, group: peer.id },
      ...(threadId ? { threadId } : {}),
    });
    return undefined;
  } catch {
    // Each part was checked before, so only the total length is left.
    return "/peer/id and /threadId are too long together";
  }
}

/** `say` cleans a text for storage; ids stay unchanged. */
function copyOf(message: InboundMessage, say: (text: string) => string): InboundMessage {
  const { tenantId, workspaceId, channel, accountId, peer, sender, timestamp } = message;
  return {
    tenantId,
    workspaceId,
    channel,
    accountId,
    peer: { kind: peer.kind, id: peer.id, ...name(peer, say) },
    ...given("threadId", message.threadId),
    ...given("parentPeerId", message.parentPeerId),
    ...given("guildId", message.guildId),
    ...given("teamId", message.teamId),
    sender: {
      id: sender.id,
      ...name(sender, say),
      ...given("isSelf", sender.isSelf),
      ...given("isUnproven", sender.isUnproven),
    },
    message: copyOfContent(message.message, say),
    timestamp,
  };
}

function copyOfContent(content: InboundContent, say: (text: string) => string): InboundContent {
  if (content.type === "delete") return { type: "delete", id: content.id, of: content.of };
  const { id, text, mentioned } = content;
  const attachments = content.attachments.map((each) => copyOfAttachment(each, say));
  const words = { text: say(text), attachments, mentioned };
  if (content.type === "edit") return { type: "edit", id, of: content.of, ...words };
  const { replyTo } = content;
  const { pasted } = rewrittenSpoken(content, say);
  const facts = {
    ...given("forwarded", content.forwarded),
    ...given("typed", content.typed),
    ...given("pasted", pasted && [...pasted]),
  };
  if (!replyTo) return { type: "text", id, ...words, ...facts };
  const quoted = {
    id: replyTo.id,
    ...given("text", replyTo.text === undefined ? undefined : say(replyTo.text)),
    ...given("fromMe", replyTo.fromMe),
  };
  return { type: "text", id, ...words, ...facts, replyTo: quoted };
}

const copyOfAttachment = (attachment: Attachment, say: (text: string) => string): Attachment => ({
  kind: attachment.kind,
  media: attachment.media,
  mimeType: attachment.mimeType,
  ...given("claimedType", attachment.claimedType),
  ...name(attachment, say),
  ...given("sizeBytes", attachment.sizeBytes),
});

const name = (from: { name?: string | undefined }, say: (text: string) => string): { name?: string } =>
  given("name", from.name === undefined ? undefined : say(from.name));

/** The key with its value, or nothing. */
const given = <Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } =>
  (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };
