/** What the connector reads of an update, checked at the edge; anything else in it is left alone. */
import { Type, type Static, type TProperties } from "typebox";
import { Check } from "typebox/value";

const text = Type.String({ maxLength: 65_536 });
const name = Type.String({ maxLength: 1024 });
const whole = Type.Integer();
const flag = Type.Boolean();
/** Every field may be missing. */
const some = <Properties extends TProperties>(properties: Properties) =>
  Type.Partial(Type.Object(properties));

const User = Type.Object({
  id: whole,
  is_bot: Type.Optional(flag),
  first_name: Type.Optional(name),
  last_name: Type.Optional(name),
  username: Type.Optional(name),
});

const Chat = Type.Object({
  id: whole,
  type: Type.Enum(["private", "group", "supergroup", "channel"]),
  title: Type.Optional(name),
});

const Entity = Type.Object({
  type: name,
  offset: Type.Integer({ minimum: 0 }),
  length: Type.Integer({ minimum: 0 }),
  url: Type.Optional(Type.String({ maxLength: 4096 })),
  user: Type.Optional(Type.Object({ id: whole })),
});

const Size = { file_id: name, file_size: Type.Optional(whole) };
const File = Type.Object({
  ...Size,
  file_name: Type.Optional(name),
  mime_type: Type.Optional(name),
  duration: Type.Optional(whole),
});
const Photo = Type.Array(Type.Object({ ...Size, width: whole, height: whole }), { maxItems: 32 });
const Sticker = Type.Object({
  ...Size,
  emoji: Type.Optional(name),
  is_animated: Type.Optional(flag),
  is_video: Type.Optional(flag),
  thumbnail: Type.Optional(Type.Object(Size)),
});
const Place = Type.Object({ latitude: Type.Number(), longitude: Type.Number() });

const content = {
  text,
  caption: text,
  entities: Type.Array(Entity, { maxItems: 1000 }),
  caption_entities: Type.Array(Entity, { maxItems: 1000 }),
  photo: Photo,
  document: File,
  animation: File,
  audio: File,
  video: File,
  video_note: File,
  voice: File,
  sticker: Sticker,
  location: Place,
  venue: Type.Object({ title: name, address: name, location: Place }),
  contact: Type.Object({ phone_number: name, first_name: name, last_name: Type.Optional(name) }),
  poll: Type.Object({
    question: name,
    options: Type.Array(Type.Object({ text: name }), { maxItems: 64 }),
  }),
  dice: Type.Object({ emoji: name, value: whole }),
};

const Answered = Type.Object({
  message_id: whole,
  from: Type.Optional(User),
  sender_chat: Type.Optional(Chat),
  ...some(content).properties,
  forum_topic_created: Type.Optional(Type.Unknown()),
});

const ExternalReply = Type.Object({
  chat: Type.Optional(Chat),
  message_id: Type.Optional(whole),
});

export const TelegramMessage = Type.Object({
  message_id: whole,
  date: whole,
  chat: Chat,
  from: Type.Optional(User),
  sender_chat: Type.Optional(Chat),
  edit_date: Type.Optional(whole),
  message_thread_id: Type.Optional(whole),
  is_topic_message: Type.Optional(flag),
  media_group_id: Type.Optional(name),
  reply_to_message: Type.Optional(Answered),
  external_reply: Type.Optional(ExternalReply),
  quote: Type.Optional(Type.Object({ text })),
  forward_origin: Type.Optional(Type.Unknown()),
  // What servers before version 7.0 of the Bot API say instead.
  forward_from: Type.Optional(Type.Unknown()),
  forward_from_chat: Type.Optional(Type.Unknown()),
  forward_sender_name: Type.Optional(Type.Unknown()),
  forward_date: Type.Optional(Type.Unknown()),
  via_bot: Type.Optional(User),
  migrate_to_chat_id: Type.Optional(whole),
  ...some(content).properties,
});

const CallbackQuery = Type.Object({
  id: name,
  from: User,
  data: Type.Optional(Type.String({ maxLength: 256 })),
  message: Type.Optional(
    Type.Object({
      message_id: whole,
      chat: Chat,
      message_thread_id: Type.Optional(whole),
      is_topic_message: Type.Optional(flag),
      text: Type.Optional(text),
      caption: Type.Optional(text),
    }),
  ),
});

export const TelegramUpdate = Type.Object({
  update_id: whole,
  message: Type.Optional(TelegramMessage),
  edited_message: Type.Optional(TelegramMessage),
  callback_query: Type.Optional(CallbackQuery),
});

export type TelegramUser = Static<typeof User>;
export type TelegramEntity = Static<typeof Entity>;
export type TelegramMessage = Static<typeof TelegramMessage>;
export type TelegramQuery = Static<typeof CallbackQuery>;
export type TelegramUpdate = Static<typeof TelegramUpdate>;

/** An update with its number, and its content if that has a known shape. Undefined without a number. */
export interface NumberedUpdate {
  id: number;
  update: TelegramUpdate | undefined;
}

export function readUpdate(given: unknown): NumberedUpdate | undefined {
  const id = Check(Numbered, given) ? given.update_id : undefined;
  if (id === undefined) return undefined;
  return { id, update: Check(TelegramUpdate, given) ? given : undefined };
}

const Numbered = Type.Object({ update_id: Type.Integer({ minimum: 0 }) });

export const allowedUpdates = ["message", "edited_message", "callback_query"] as const;
