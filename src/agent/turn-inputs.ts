/** What people wrote, as it stands in the transcript: one user message per message, and what a group said before as one of its own. */
import type { InboundMessage, UserMessage } from "@pincer/sdk";
import type { InboxRow } from "../storage/inbox.ts";

export function inputMessages(inputs: readonly InboxRow[]): UserMessage[] {
  const overheard = inputs.filter(({ isOverheard }) => isOverheard);
  const spoken = inputs.filter(({ isOverheard }) => !isOverheard);
  const messages = spoken.map(({ message }) => userMessage(message));
  if (overheard.length === 0) return messages;
  const lines = overheard.map(({ message }) => `${nameOf(message)}: ${textOf(message)}`);
  const text = `Said in the group before, not to you:\n${lines.join("\n")}`;
  return [{ role: "user", content: [{ type: "text", text }] }, ...messages];
}

function userMessage(inbound: InboundMessage): UserMessage {
  const { message, peer } = inbound;
  const images = message.type === "delete" ? [] : message.attachments.filter(({ kind }) => kind === "image");
  const said = textOf(inbound);
  const text = peer.kind === "user" ? said : `${nameOf(inbound)}: ${said}`;
  return {
    role: "user",
    content: [
      { type: "text", text },
      ...images.map(({ media, mimeType }) => ({ type: "image" as const, media, mimeType })),
    ],
  };
}

function textOf({ message }: InboundMessage): string {
  if (message.type === "delete") return "";
  const quoted = message.type === "text" ? message.replyTo?.text : undefined;
  const files = message.attachments
    .filter(({ kind }) => kind !== "image")
    .map(({ kind, name, mimeType }) => `[${kind}: ${name ?? mimeType}]`);
  const quote = quoted ? quoted.split("\n").map((line) => `> ${line}`) : [];
  return [...quote, message.text, ...files].filter(Boolean).join("\n");
}

/** With the id beside it: a name is what anybody may call themselves. */
const nameOf = ({ sender }: InboundMessage): string =>
  sender.name ? `${plain(sender.name)} (${plain(sender.id)})` : plain(sender.id);

/** A name must not look like the end of a name, like another line, or like a call of a tool. */
function plain(name: string): string {
  const line = name.replaceAll(/\s+/g, " ");
  return line.includes(":") ? JSON.stringify(line) : line;
}
