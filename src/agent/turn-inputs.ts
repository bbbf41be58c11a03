/**
 * What people wrote, as transcript messages: one user message per message, and what a group said before as a separate
 * one.
 */
import {
  joinedSpoken,
  mayHoldPaste,
  partsOf,
  slicedSpoken,
  trimmedSpoken,
  wholeOf,
  type InboundMessage,
  type Message,
  type MessageFile,
  type Origin,
  type Spoken,
  type TextBlock,
  type UserMessage,
} from "@pincer/sdk";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import type { TurnPerson, TurnRecord } from "../storage/turns/turns.ts";

/** What a program that asks says in messages of its own, labelled where it came in; kept with the wishes of the turn. */
export interface GivenMessages {
  /** What it says was said before; no part of the turn. */
  earlier: Message[];
  /** What the turn answers: what people said, or what tools of the asker came to. */
  now: Message[];
}

/** What the turn begins with: its first input as the asker gave it, where that is more than words. */
export function openingMessages(
  { person, options }: Pick<TurnRecord, "person" | "options">,
  inputs: readonly InboxRow[],
): Message[] {
  const given = givenOf(options);
  if (given) return [...given.now, ...inputMessages(inputs.slice(1), person)];
  const words = options["words"];
  return inputMessages(typeof words === "string" ? withWords(inputs, words) : inputs, person);
}

/** A command whose rest is the message, such as `/new plan a trip`: the model reads the rest. */
function withWords(inputs: readonly InboxRow[], words: string): InboxRow[] {
  const first = inputs.findIndex(({ isOverheard }) => !isOverheard);
  return inputs.map((row, index) => {
    const { message } = row.message;
    if (index !== first || message.type !== "text") return row;
    const spoken = endOf(message, words);
    return { ...row, message: { ...row.message, message: { ...message, ...spoken } } };
  });
}

/** The words at the end of what was said, with what of them was pasted. */
function endOf(said: Spoken, words: string): Pick<TextContent, "text" | "pasted"> {
  const { text, pasted } = trimmedSpoken(said);
  if (!pasted) return { text: words };
  if (!text.endsWith(words)) return { text: words, pasted: pasted.length > 0 ? wholeOf(words) : [] };
  const end = slicedSpoken({ text, pasted }, text.length - words.length);
  return { text: words, pasted: [...(end.pasted ?? [])] };
}

export const earlierOf = ({ options }: Pick<TurnRecord, "options">): Message[] =>
  givenOf(options)?.earlier ?? [];

const givenOf = (options: TurnRecord["options"]): GivenMessages | undefined =>
  options["given"] as GivenMessages | undefined;

/** Each text with whose it is: only what the owner wrote is the owner's, and not what came along with it. */
export function inputMessages(inputs: readonly InboxRow[], person: Pick<TurnPerson, "role">): UserMessage[] {
  const overheard = inputs.filter(({ isOverheard }) => isOverheard);
  const spoken = inputs.filter(({ isOverheard }) => !isOverheard);
  const messages = spoken.map(({ message }) => userMessage(message, person));
  if (overheard.length === 0) return messages;
  const lines = overheard.map(({ message }) => `${nameOf(message)}: ${wordsOf(message)}`);
  const text = `Said in the group before, not to you:\n${lines.join("\n")}`;
  return [
    { role: "user", content: [{ type: "text", text, origin: "group", from: "the group" }] },
    ...messages,
  ];
}

function userMessage(inbound: InboundMessage, person: Pick<TurnPerson, "role">): UserMessage {
  const { message, peer } = inbound;
  const attached = message.type === "delete" ? [] : message.attachments;
  const images = attached.filter(({ kind }) => kind === "image");
  const quoted = quotesOf(inbound);
  const files = filesOf(inbound);
  const isSilent = message.type === "delete" || message.text === "";
  const texts: TextBlock[] = [
    ...foreign(quoted, inbound),
    ...(isSilent && peer.kind === "user" && (quoted !== "" || files !== "") ? [] : own(inbound, person)),
    ...foreign(files, inbound),
  ];
  return {
    role: "user",
    content: [
      ...texts,
      ...images.map(({ media, mimeType }) => ({ type: "image" as const, media, mimeType })),
    ],
    ...(attached.length > 0 && { files: attached.map(fileOf) }),
  };
}

const fileOf = ({ media, mimeType, name, sizeBytes }: MessageFile): MessageFile => ({
  media,
  mimeType,
  ...(name === undefined ? {} : { name }),
  ...(sizeBytes === undefined ? {} : { sizeBytes }),
});

const foreign = (text: string, inbound: InboundMessage): TextBlock[] => {
  const origin = isOfHook(inbound) ? "web" : "quoted";
  return text === "" ? [] : [{ type: "text", text, origin, from: `with a message of ${nameOf(inbound)}` }];
};

/** What a hook says is what the owner wrote into the config for it; what came with the call comes along with that. */
const isOfHook = ({ channel, sender }: InboundMessage): boolean =>
  channel === "system" && sender.id.startsWith("hook:");

/** What the sender said: what they typed is theirs, what they pasted is data. */
function own(inbound: InboundMessage, { role }: Pick<TurnPerson, "role">): TextBlock[] {
  const { message, peer, channel } = inbound;
  const { text, pasted, typed, forwarded }: SaidContent =
    message.type === "text" ? message : { text: message.type === "edit" ? message.text : "" };
  const from = nameOf(inbound);
  const name = peer.kind === "user" ? "" : `${from}: `;
  const origin = forwarded ? "quoted" : originOf(inbound, role);
  const isTyped = typed !== false;
  const block: TextBlock = { type: "text", text: name + text, origin, from, ...(!isTyped && { typed }) };
  // What is passed on is somebody else's altogether, and what we say ourselves nobody pastes.
  if (forwarded || channel === "system") return [block];
  if (pasted === undefined) return [isTyped && mayHoldPaste(text) ? { ...block, pasted: "possible" } : block];
  const parts = partsOf(
    joinedSpoken([
      { text: name, pasted: [] },
      { text, pasted },
    ]),
  );
  if (parts.length === 0) return [block];
  return parts.map((part): TextBlock =>
    part.isPasted
      ? {
          type: "text",
          text: part.text,
          origin: "quoted",
          from: role === "owner" ? "pasted" : `pasted by ${from}`,
          pasted: "certain",
        }
      : { ...block, text: part.text },
  );
}

type SaidContent = Pick<TextContent, "text"> & Partial<Pick<TextContent, "pasted" | "typed" | "forwarded">>;
type TextContent = Extract<InboundMessage["message"], { type: "text" }>;

function originOf(inbound: InboundMessage, role: TurnPerson["role"]): Origin {
  const { peer, sender } = inbound;
  if (role === "owner" || isOfHook(inbound)) return "owner";
  if (role === "system") return sender.id.startsWith("session:") ? "session" : "program";
  return peer.kind === "user" ? "peer" : "group";
}

const wordsOf = (inbound: InboundMessage): string =>
  [quotesOf(inbound), inbound.message.type === "delete" ? "" : inbound.message.text, filesOf(inbound)]
    .filter(Boolean)
    .join("\n");

function quotesOf({ message }: InboundMessage): string {
  const quoted = message.type === "text" ? message.replyTo?.text : undefined;
  return quoted
    ? quoted
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n")
    : "";
}

const filesOf = ({ message }: InboundMessage): string =>
  message.type === "delete"
    ? ""
    : message.attachments
        .filter(({ kind }) => kind !== "image")
        .map(({ kind, name, mimeType }) => `[${kind}: ${name ?? mimeType}]`)
        .join("\n");

/** With the id beside it: a name is what anybody may call themselves. */
const nameOf = ({ sender }: InboundMessage): string =>
  sender.name ? `${plain(sender.name)} (${plain(sender.id)})` : plain(sender.id);

/** A name must not look like the end of a name, like another line, or like a call of a tool. */
function plain(name: string): string {
  const line = name.replaceAll(/\s+/g, " ");
  return line.includes(":") ? JSON.stringify(line) : line;
}
