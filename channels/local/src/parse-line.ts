/** One line of JSON as a message, in any of the forms that scripts write. */
import type { ReceivedMessage } from "@pincer/sdk";
import { Type, type Static } from "typebox";
import { Check, Errors } from "typebox/value";
import { messageId } from "./message-id.ts";

const Text = Type.Optional(Type.String());

const Line = Type.Object({
  /** Its own within the chat and thread: a second line with the same one is the same message. */
  id: Text,
  text: Text,
  /** Who writes; `local` when it is left out. */
  from: Type.Optional(Type.Union([Type.String(), Type.Object({ id: Type.String(), name: Text })])),
  /** Where it is written; the sender's own chat when it is left out. */
  chat: Text,
  thread: Text,
  group: Type.Optional(Type.Boolean()),
  mentioned: Type.Optional(Type.Boolean()),
  replyTo: Text,
  /** The id of the message that this line changes or takes back, in the same chat and thread. */
  edit: Text,
  delete: Text,
  timestamp: Type.Optional(Type.Number()),
  /** An older form: `requestId` is the id, `input` the text, `sessionKey` the chat. */
  requestId: Text,
  input: Text,
  sessionKey: Text,
});

export type ParsedLine =
  /** `id` is as the line gives it; the message has it together with its chat. */
  | { type: "message"; id: string; message: ReceivedMessage }
  | { type: "bad"; reason: string; id: string | undefined };

/** `fallbackId` names a line that has no id of its own. */
export function parseLine(
  line: string,
  { fallbackId, now }: { fallbackId: string; now: number },
): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { type: "bad", reason: "the line is not JSON", id: undefined };
  }
  if (!Check(Line, value)) {
    const [first] = Errors(Line, value);
    const { id } = (value ?? {}) as { id?: unknown };
    const reason = first ? `${first.instancePath} ${first.message}`.trim() : "the line has another shape";
    return { type: "bad", reason, id: typeof id === "string" ? id : undefined };
  }
  const id = value.id || value.requestId || fallbackId;
  const sender = typeof value.from === "object" ? value.from : { id: value.from || "local" };
  const place = placeOf(value, sender.id);
  const message = contentOf(value, { id, idHere: (own) => messageId(place, own) });
  if (!message) return { type: "bad", reason: "the line has no text", id };
  return {
    type: "message",
    id,
    message: { ...place, sender, message, timestamp: value.timestamp ?? now },
  };
}

function placeOf(line: Static<typeof Line>, senderId: string): Pick<ReceivedMessage, "peer" | "threadId"> {
  const chat = line.chat || line.sessionKey;
  return {
    peer:
      line.group === true ? { kind: "group", id: chat || "group" } : { kind: "user", id: chat || senderId },
    ...(line.thread ? { threadId: line.thread } : {}),
  };
}

/** Undefined when there is nothing in it to answer. */
function contentOf(
  line: Static<typeof Line>,
  { id: ownId, idHere }: { id: string; idHere(own: string): string },
): ReceivedMessage["message"] | undefined {
  const id = idHere(ownId);
  if (line.delete) return { type: "delete", id, of: idHere(line.delete) };
  const text = line.text ?? line.input;
  if (text === undefined || text.trim() === "") return undefined;
  const mentioned = line.mentioned ?? line.group !== true;
  if (line.edit) return { type: "edit", id, of: idHere(line.edit), text, attachments: [], mentioned };
  const replyTo = line.replyTo ? { replyTo: { id: line.replyTo } } : {};
  return { type: "text", id, text, attachments: [], mentioned, ...replyTo };
}
