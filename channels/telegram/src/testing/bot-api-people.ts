/** The people of the stand-in: they write, edit, press, send files, and see what the bot says. */
import type { FakeChat, FakeMessage, FakePerson, FakeUpdate, KeptChat, World } from "./bot-api-world.ts";

/** Fields of a message, as Telegram names them. */
interface Content {
  message_id?: number;
  [field: string]: unknown;
}

export interface People {
  person(id: number, name: string, username?: string): FakePerson;
  group(chat: { id: number; title: string; type?: "group" | "supergroup"; topics?: number[] }): FakeChat;
  /** Writes in the private chat with the bot. */
  dm(person: FakePerson, content: Content): FakeMessage;
  /** Writes in a group; `thread` is a topic. */
  say(chat: FakeChat, person: FakePerson, content: Content & { thread?: number }): FakeMessage;
  edit(message: FakeMessage, text: string): FakeUpdate;
  /** Presses the button with that label, or sends that data as a forged client may. */
  press(person: FakePerson, message: FakeMessage, button: { label: string } | { data: string }): string;
  /** Puts a file on the server and answers with what a message says about it. */
  upload(content: Uint8Array, path: string): { file_id: string; file_unique_id: string; file_size: number };
  block(chatId: number, how: "blocked" | "kicked" | undefined): void;
  /** The group becomes a supergroup with another id. */
  migrate(chat: FakeChat, to: number): FakeChat;
  remove(chatId: number, messageId: number): void;
  /** What the bot said there, in order, as it reads now. */
  seen(chatId: number): string[];
  /** The bot's messages there, in order. */
  said(chatId: number): FakeMessage[];
}

export function createPeople(world: World): People {
  const keep = (chat: FakeChat): KeptChat => {
    const kept = world.chats.get(chat.id) ?? { chat, messages: new Map(), topics: new Set() };
    world.chats.set(chat.id, kept);
    return kept;
  };
  function put(kept: KeptChat, from: FakePerson, content: Content): FakeMessage {
    const message: FakeMessage = {
      message_id: content.message_id ?? world.nextMessage(kept),
      date: Math.floor(world.now() / 1000),
      chat: kept.chat,
      from,
      ...content,
    };
    kept.messages.set(message.message_id, message);
    world.push("message", message);
    return message;
  }
  const said = (chatId: number) =>
    [...(world.chats.get(chatId)?.messages.values() ?? [])].filter(({ from }) => from?.id === world.me.id);

  return {
    person(id, name, username) {
      const person = { id, is_bot: false, first_name: name, ...(username !== undefined && { username }) };
      keep({ id, type: "private", first_name: name });
      return person;
    },
    group({ id, title, type = "supergroup", topics = [] }) {
      const kept = keep({ id, type, title, ...(topics.length > 0 && { is_forum: true }) });
      for (const topic of topics) kept.topics.add(topic);
      return kept.chat;
    },
    dm: (person, content) => put(keep({ id: person.id, type: "private" }), person, content),
    say(chat, person, { thread, ...content }) {
      const topic = thread === undefined ? {} : { message_thread_id: thread, is_topic_message: true };
      return put(keep(chat), person, { ...topic, ...content });
    },
    edit(message, text) {
      const edited = { ...message, text, edit_date: Math.floor(world.now() / 1000) };
      world.chats.get(message.chat.id)?.messages.set(message.message_id, edited);
      return world.push("edited_message", edited);
    },
    press(from, message, button) {
      const id = String(9000 + world.queries.size);
      const data = "data" in button ? button.data : dataOf(message, button.label);
      world.queries.set(id, { isAnswered: false });
      world.push("callback_query", { id, from, message, chat_instance: "1", data });
      return id;
    },
    upload(content, path) {
      const id = `file-${world.files.size + 1}`;
      world.files.set(id, { path, content });
      return { file_id: id, file_unique_id: id, file_size: content.byteLength };
    },
    block(chatId, how) {
      const kept = world.chats.get(chatId);
      if (kept) kept.closed = how;
    },
    migrate(chat, to) {
      const kept = keep(chat);
      kept.movedTo = to;
      put(kept, { ...world.me }, { migrate_to_chat_id: to });
      return keep({ id: to, type: "supergroup", ...(chat.title !== undefined && { title: chat.title }) })
        .chat;
    },
    remove: (chatId, messageId) => void world.chats.get(chatId)?.messages.delete(messageId),
    seen: (chatId) => said(chatId).map(({ text, caption }) => text ?? caption ?? ""),
    said,
  };
}

function dataOf(message: FakeMessage, label: string): string {
  const markup = message["reply_markup"] as {
    inline_keyboard?: Array<Array<{ text: string; callback_data: string }>>;
  };
  const button = markup?.inline_keyboard?.flat().find(({ text }) => text === label);
  if (!button) throw new Error(`there is no button ${label}`);
  return button.callback_data;
}
