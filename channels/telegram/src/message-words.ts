/** The text of a message, with addresses that are hidden behind words, or a description of what replaces a text. */
import type { TelegramEntity, TelegramMessage } from "./update-schema.ts";

type Spoken = Pick<
  TelegramMessage,
  | "text"
  | "caption"
  | "entities"
  | "caption_entities"
  | "sticker"
  | "venue"
  | "location"
  | "contact"
  | "poll"
  | "dice"
>;

export function wordsOf(message: Spoken, me: { username: string }): string {
  const text = message.text ?? message.caption;
  if (text !== undefined) {
    const entities = message.entities ?? message.caption_entities ?? [];
    return withoutOwnName(withAddresses(text, entities), entities, me.username);
  }
  return wordsInstead(message);
}

/** The bot's name behind a command only says who is meant. */
function withoutOwnName(text: string, entities: TelegramEntity[], username: string): string {
  const first = entities.find(({ type, offset }) => type === "bot_command" && offset === 0);
  const name = `@${username}`.toLowerCase();
  if (!first || !text.slice(0, first.length).toLowerCase().endsWith(name)) return text;
  return text.slice(0, first.length - name.length) + text.slice(first.length);
}

function withAddresses(text: string, entities: TelegramEntity[]): string {
  let grown = text;
  const links = entities.filter(({ type, url }) => type === "text_link" && url !== undefined);
  for (const { offset, length, url } of links.sort((a, b) => b.offset - a.offset)) {
    const end = Math.min(offset + length, text.length);
    const words = text.slice(offset, end);
    if (words !== url) grown = `${grown.slice(0, end)} (${url})${grown.slice(end)}`;
  }
  return grown;
}

function wordsInstead({ sticker, venue, location, contact, poll, dice }: Spoken): string {
  if (sticker) return `[Sticker${sticker.emoji === undefined ? "" : ` ${sticker.emoji}`}]`;
  if (venue) return `[Place: ${venue.title}, ${venue.address} (${pointOf(venue.location)})]`;
  if (location) return `[Location: ${pointOf(location)}]`;
  if (contact) {
    const name = [contact.first_name, contact.last_name].filter(Boolean).join(" ");
    return `[Contact: ${name}, ${contact.phone_number}]`;
  }
  if (poll) return `[Poll: ${poll.question} (${poll.options.map(({ text }) => text).join(" / ")})]`;
  return dice ? `[${dice.emoji} ${dice.value}]` : "";
}

const pointOf = ({ latitude, longitude }: { latitude: number; longitude: number }): string =>
  `${latitude}, ${longitude}`;
