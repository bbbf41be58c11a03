/** Converts a Telegram message: who wrote what, where, to whom, and with which files. */
import type { ReceivedMessage } from "@pincer/sdk";
import { filesOf, type FileToFetch } from "./message-files.ts";
import { messageIdOf } from "./message-id.ts";
import { wordsOf } from "./message-words.ts";
import type { TelegramMessage, TelegramQuery, TelegramUser } from "./update-schema.ts";
import type { BotIdentity } from "./who-am-i.ts";

/** A message whose files are still at Telegram. */
export interface ReadMessage {
  id: string;
  where: Pick<ReceivedMessage, "peer" | "threadId" | "sender" | "timestamp">;
  text: string;
  mentioned: boolean;
  replyTo: { id: string; text?: string; fromMe?: boolean } | undefined;
  forwarded: boolean;
  files: FileToFetch[];
}

/** Undefined for service messages: a member joined, a title changed, a message was pinned. Pure; never throws. */
export function readMessage(message: TelegramMessage, me: BotIdentity): ReadMessage | undefined {
  const text = wordsOf(message, me);
  const files = filesOf(message);
  if (text.trim() === "" && files.length === 0) return undefined;
  return {
    id: messageIdOf(message.chat.id, message.message_id),
    where: {
      ...placeOf(message),
      sender: senderOf(message, me),
      timestamp: message.date * 1000,
    },
    text,
    mentioned: isMentioned(message, me),
    replyTo: answeredBy(message, me),
    forwarded: isForwarded(message),
    files,
  };
}

/** Words that their sender did not write. Through another bot they are that bot's words. */
function isForwarded(message: TelegramMessage): boolean {
  return forwardMarks.some((mark) => message[mark] !== undefined);
}

const forwardMarks = [
  "forward_origin",
  "forward_from",
  "forward_from_chat",
  "forward_sender_name",
  "forward_date",
  "via_bot",
] as const satisfies ReadonlyArray<keyof TelegramMessage>;

export function placeOf({
  chat,
  message_thread_id: thread,
  is_topic_message: isTopic,
}: NonNullable<TelegramQuery["message"]>): Pick<ReceivedMessage, "peer" | "threadId"> {
  const kind = chat.type === "private" ? "user" : chat.type === "channel" ? "room" : "group";
  // In groups without topics the same field counts answers, which are no places of their own.
  const threadId = isTopic && thread !== undefined ? String(thread) : undefined;
  return {
    peer: { kind, id: String(chat.id), ...(chat.title !== undefined && { name: chat.title }) },
    ...(threadId !== undefined && { threadId }),
  };
}

export function personOf(user: TelegramUser, me: BotIdentity): ReceivedMessage["sender"] {
  const name = nameOf(user);
  return {
    id: String(user.id),
    ...(name !== "" && { name }),
    ...(user.id === me.id && { isSelf: true }),
  };
}

/** People who write as a group or channel share one user id: the name identifies them. */
function senderOf(
  { from, sender_chat: as, chat }: TelegramMessage,
  me: BotIdentity,
): ReceivedMessage["sender"] {
  if (as) return { id: String(as.id), ...(as.title !== undefined && { name: as.title }) };
  return from ? personOf(from, me) : { id: String(chat.id) };
}

const nameOf = ({ first_name: first, last_name: last, username }: TelegramUser): string =>
  [first, last].filter(Boolean).join(" ") || (username ?? "");

function isMentioned(message: TelegramMessage, me: BotIdentity): boolean {
  if (message.chat.type === "private") return true;
  return isNamed(message, me) || isAnswered(message, me);
}

function isNamed(message: TelegramMessage, me: BotIdentity): boolean {
  const text = message.text ?? message.caption ?? "";
  const name = `@${me.username}`.toLowerCase();
  return (message.entities ?? message.caption_entities ?? []).some(({ type, offset, length, user }) => {
    const part = text.slice(offset, offset + length).toLowerCase();
    if (type === "mention") return part === name;
    if (type === "bot_command") return part.endsWith(name);
    return type === "text_mention" && user?.id === me.id;
  });
}

/**
 * Every message of a topic replies to the notice that opened it, which may be the bot's own: that addresses nobody.
 */
function isAnswered({ reply_to_message: answered }: TelegramMessage, me: BotIdentity): boolean {
  return answered?.from?.id === me.id && answered.forum_topic_created === undefined;
}

const longestQuote = 4096;

function answeredBy(message: TelegramMessage, me: BotIdentity): ReadMessage["replyTo"] {
  const { reply_to_message: answered, external_reply: external, quote, chat } = message;
  if (!answered || answered.forum_topic_created !== undefined) {
    if (!external) return undefined;
    const id = messageIdOf(external.chat?.id ?? "elsewhere", external.message_id ?? 0);
    return { id, ...(quote && { text: quote.text.slice(0, longestQuote) }) };
  }
  const fromMe = answered.from?.id === me.id;
  const words = (quote?.text ?? wordsOf(answered, me)).slice(0, longestQuote);
  const name = answered.sender_chat?.title ?? (answered.from && nameOf(answered.from));
  const text = chat.type === "private" || fromMe || !name ? words : `${name}: ${words}`;
  return {
    id: messageIdOf(chat.id, answered.message_id),
    ...(words !== "" && { text }),
    ...(fromMe && { fromMe }),
  };
}
