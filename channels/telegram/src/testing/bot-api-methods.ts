/** The methods of the Bot API, as its public documentation has them, with the refusals that bots meet. */
import { readHtml } from "./read-html.ts";
import type { FakeMessage, KeptChat, World } from "./bot-api-world.ts";

export class Refused extends Error {
  readonly status: number;
  readonly parameters: object | undefined;

  constructor(status: number, description: string, parameters?: object) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }
}

export type Parameters = Record<string, unknown>;

const bad = (words: string): never => {
  throw new Refused(400, `Bad Request: ${words}`);
};

/** Everything but getUpdates, which waits. Throws Refused. */
export function createMethods(world: World): Record<string, (given: Parameters) => unknown> {
  const send = (given: Parameters, content: object): FakeMessage => {
    const kept = chatOf(world, given);
    const message: FakeMessage = {
      message_id: world.nextMessage(kept),
      date: Math.floor(world.now() / 1000),
      chat: kept.chat,
      from: world.me,
      ...threadOf(kept, given),
      ...answerOf(kept, given),
      ...markupOf(given),
      ...content,
    };
    kept.messages.set(message.message_id, message);
    return message;
  };
  const sendFile = (field: string, largest: number) => (given: Parameters) => {
    const file = fileOf(world, given[field], largest);
    return send(given, { [field]: file, ...captionOf(given) });
  };
  const editable = (given: Parameters): FakeMessage => {
    const kept = chatOf(world, given);
    const message = kept.messages.get(Number(given["message_id"]));
    if (!message) return bad("message to edit not found");
    return message.from?.id === world.me.id ? message : bad("message can't be edited");
  };
  const change = (message: FakeMessage, given: Parameters, words: object): FakeMessage => {
    const { reply_markup: _, ...rest } = message;
    const changed: FakeMessage = { ...rest, ...markupOf(given), ...words };
    if (
      JSON.stringify([changed.text, changed.caption, changed["entities"], changed["reply_markup"]]) ===
      JSON.stringify([message.text, message.caption, message["entities"], message["reply_markup"]])
    )
      bad(
        "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
      );
    const withDate: FakeMessage = { ...changed, edit_date: Math.floor(world.now() / 1000) };
    world.chats.get(message.chat.id)?.messages.set(message.message_id, withDate);
    return withDate;
  };

  return {
    getMe: () => ({ ...world.me, can_join_groups: true, can_read_all_group_messages: false }),
    sendMessage: (given) => send(given, textOf(given)),
    sendPhoto: sendFile("photo", 10 * 1024 * 1024),
    sendDocument: sendFile("document", 50 * 1024 * 1024),
    sendVideo: sendFile("video", 50 * 1024 * 1024),
    sendAudio: sendFile("audio", 50 * 1024 * 1024),
    sendVoice: sendFile("voice", 50 * 1024 * 1024),
    sendAnimation: sendFile("animation", 50 * 1024 * 1024),
    sendMediaGroup(given) {
      const media = given["media"] as Array<Parameters>;
      if (!Array.isArray(media) || media.length < 2 || media.length > 10)
        bad("wrong number of media in the group: 2-10 expected");
      if (given["reply_markup"] !== undefined) bad("media groups have no reply markup");
      const kinds = new Set(media.map(({ type }) => (type === "photo" || type === "video" ? "seen" : type)));
      if (kinds.size > 1) bad("MEDIA_INVALID");
      const group = `group-${world.now()}-${world.files.size}`;
      return media.map((item) =>
        send(given, {
          media_group_id: group,
          [String(item["type"])]: fileOf(world, item["media"], 50 * 1024 * 1024),
          ...captionOf(item),
        }),
      );
    },
    editMessageText(given) {
      const message = editable(given);
      if (message.text === undefined) bad("there is no text in the message to edit");
      return change(message, given, textOf(given));
    },
    editMessageCaption(given) {
      const message = editable(given);
      if (message.text !== undefined) bad("there is no caption in the message to edit");
      return change(message, given, captionOf(given));
    },
    deleteMessage(given) {
      const kept = chatOf(world, given);
      if (!kept.messages.delete(Number(given["message_id"]))) bad("message to delete not found");
      return true;
    },
    sendChatAction(given) {
      const kept = chatOf(world, given);
      const action = String(given["action"]);
      if (!["typing", "upload_photo", "upload_document", "record_voice"].includes(action))
        bad("wrong parameter action in request");
      world.actions.push({ chat: kept.chat.id, action, thread: threadOf(kept, given).message_thread_id });
      return true;
    },
    sendMessageDraft(given) {
      const kept = chatOf(world, given);
      if (kept.chat.type !== "private") bad("PEER_ID_INVALID");
      if (!Number.isInteger(given["draft_id"]) || given["draft_id"] === 0) bad("DRAFT_ID_INVALID");
      world.drafts.set(`${kept.chat.id}`, textOf(given).text);
      return true;
    },
    setMessageReaction(given) {
      const kept = chatOf(world, given);
      const message = kept.messages.get(Number(given["message_id"])) ?? bad("message to react not found");
      const reaction = (given["reaction"] ?? []) as Array<{ type: string; emoji?: string }>;
      if (reaction.length > 1) bad("REACTIONS_TOO_MANY");
      for (const { type, emoji } of reaction)
        if (type !== "emoji" || !reactions.has(emoji ?? "")) bad("REACTION_INVALID");
      (message as FakeMessage)["reactions"] = reaction.map(({ emoji }) => emoji);
      return true;
    },
    answerCallbackQuery(given) {
      const query = world.queries.get(String(given["callback_query_id"]));
      if (!query || query.isAnswered)
        return bad("query is too old and response timeout expired or query ID is invalid");
      if (String(given["text"] ?? "").length > 200) bad("MESSAGE_TOO_LONG");
      query.isAnswered = true;
      query.text = given["text"] as string | undefined;
      return true;
    },
    setMyCommands(given) {
      const commands = given["commands"] as World["commands"];
      if (!Array.isArray(commands) || commands.length > 100) bad("BOT_COMMANDS_TOO_MUCH");
      for (const { command, description } of commands) {
        if (!/^[a-z0-9_]{1,32}$/.test(command)) bad("BOT_COMMAND_INVALID");
        if (description.length < 1 || description.length > 256) bad("BOT_COMMAND_DESCRIPTION_INVALID");
      }
      world.commands = commands;
      return true;
    },
    getMyCommands: () => world.commands,
    getFile(given) {
      const id = String(given["file_id"]);
      const file = world.files.get(id);
      if (!file) return bad("wrong file_id or the file is temporarily unavailable");
      if (file.content.byteLength > 20 * 1024 * 1024) bad("file is too big");
      return { file_id: id, file_unique_id: id, file_size: file.content.byteLength, file_path: file.path };
    },
    getChat: (given) => chatOf(world, given).chat,
    setWebhook(given) {
      const url = String(given["url"] ?? "");
      const secret = String(given["secret_token"] ?? "");
      if (secret !== "" && !/^[A-Za-z0-9_-]{1,256}$/.test(secret))
        bad("secret token contains unallowed characters");
      world.webhook = { url, secret };
      return true;
    },
    deleteWebhook() {
      world.webhook = { url: "", secret: "" };
      return true;
    },
    getWebhookInfo: () => ({
      url: world.webhook.url,
      has_custom_certificate: false,
      pending_update_count: world.updates.length,
      ...(world.webhook.lastError && {
        last_error_date: world.webhook.lastError.date,
        last_error_message: world.webhook.lastError.message,
      }),
    }),
  };
}

const reactions = new Set(["👍", "👎", "❤", "🔥", "👀", "🎉", "🤔", "😁", "👌", "✍", "💯", "⚡", "🙏", "👏"]);

function chatOf(world: World, { chat_id: given }: Parameters): KeptChat {
  const id = typeof given === "string" && /^-?\d+$/.test(given) ? Number(given) : given;
  const kept =
    typeof id === "number"
      ? world.chats.get(id)
      : [...world.chats.values()].find(({ chat }) => `@${chat.title}` === id);
  if (!kept) return bad("chat not found");
  if (kept.closed === "blocked") throw new Refused(403, "Forbidden: bot was blocked by the user");
  if (kept.closed === "kicked") throw new Refused(403, "Forbidden: bot was kicked from the group chat");
  if (kept.movedTo !== undefined)
    throw new Refused(400, "Bad Request: group chat was upgraded to a supergroup chat", {
      migrate_to_chat_id: kept.movedTo,
    });
  return kept;
}

function threadOf(
  kept: KeptChat,
  { message_thread_id: thread }: Parameters,
): { message_thread_id?: number; is_topic_message?: true } {
  if (thread === undefined) return {};
  if (typeof thread !== "number" || !kept.topics.has(thread)) return bad("message thread not found");
  return { message_thread_id: thread, is_topic_message: true };
}

function answerOf(kept: KeptChat, { reply_parameters: given }: Parameters): object {
  if (given === undefined) return {};
  const { message_id: id, allow_sending_without_reply: isAllowed } = given as {
    message_id?: number;
    allow_sending_without_reply?: boolean;
  };
  if (typeof id !== "number") return bad("can't parse reply parameters JSON object");
  const answered = kept.messages.get(id);
  if (answered) return { reply_to_message: answered };
  return isAllowed ? {} : bad("message to be replied not found");
}

function markupOf({ reply_markup: given }: Parameters): object {
  if (given === undefined) return {};
  const { inline_keyboard: rows } = given as {
    inline_keyboard?: Array<Array<{ text: string; callback_data: string }>>;
  };
  if (!Array.isArray(rows)) return bad("can't parse reply keyboard markup JSON object");
  for (const { text, callback_data: data } of rows.flat()) {
    if (typeof text !== "string" || text.trim() === "")
      bad("text buttons are unallowed in the inline keyboard");
    if (typeof data !== "string" || data === "" || Buffer.byteLength(data) > 64) bad("BUTTON_DATA_INVALID");
  }
  if (rows.flat().length > 100) bad("REPLY_MARKUP_TOO_LONG");
  return { reply_markup: given };
}

function wordsOf(given: unknown, mode: unknown): { text: string; entities: unknown[] } {
  if (typeof given !== "string") return bad("message text is empty");
  if (!given.isWellFormed()) throw new Refused(400, "Bad Request: strings must be encoded in UTF-8");
  if (mode === undefined) return { text: given.trim(), entities: [] };
  if (mode !== "HTML") return bad("unsupported parse_mode");
  const read = readHtml(given);
  if (!read.ok) throw new Refused(400, read.description);
  return read;
}

function textOf(given: Parameters): { text: string; entities?: unknown[] } {
  const { text, entities } = wordsOf(given["text"], given["parse_mode"]);
  if (text === "") bad("message text is empty");
  if (text.length > 4096) bad("message is too long");
  return { text, ...(entities.length > 0 && { entities }) };
}

function captionOf(given: Parameters): object {
  if (given["caption"] === undefined) return {};
  const { text, entities } = wordsOf(given["caption"], given["parse_mode"]);
  if (text.length > 1024) bad("message caption is too long");
  return { caption: text, ...(entities.length > 0 && { caption_entities: entities }) };
}

function fileOf(world: World, given: unknown, largest: number): object {
  if (given instanceof Uint8Array) {
    if (given.byteLength === 0) bad("file must be non-empty");
    if (given.byteLength > largest) throw new Refused(413, "Request Entity Too Large");
    const id = `sent-${world.files.size + 1}`;
    world.files.set(id, { path: `sent/${id}`, content: given });
    return { file_id: id, file_size: given.byteLength };
  }
  return typeof given === "string" && world.files.has(given)
    ? { file_id: given }
    : bad("wrong remote file identifier specified: Wrong string length");
}
