/**
 * What people wrote, as transcript messages: one user message per message, and what a group said before as a separate
 * one.
 */
import type { InboundMessage, Message, MessageFile, Origin, TextBlock, UserMessage } from "@pincer/sdk";
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
    return { ...row, message: { ...row.message, message: { ...message, text: words } } };
  });
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
  const said = message.type === "delete" ? "" : message.text;
  const words = peer.kind === "user" ? said : `${nameOf(inbound)}: ${said}`;
  const texts: TextBlock[] = [
    ...foreign(quoted, inbound),
    ...(words === "" && (quoted !== "" || files !== "") ? [] : [own(words, inbound, person)]),
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

function own(text: string, inbound: InboundMessage, { role }: Pick<TurnPerson, "role">): TextBlock {
  const isForwarded = inbound.message.type === "text" && inbound.message.forwarded === true;
  const origin = isForwarded ? "quoted" : originOf(inbound, role);
  const isTyped = inbound.message.type !== "text" || inbound.message.typed !== false;
  return {
    type: "text",
    text,
    origin,
    from: nameOf(inbound),
    ...(isTyped ? {} : { typed: false as const }),
  };
}

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
