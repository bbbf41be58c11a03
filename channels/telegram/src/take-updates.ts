/** Hands what Telegram brings to the host. When it has resolved everything is stored, or was never to be taken. */
import { PincerError, type Attachment, type ChannelHost, type ReceivedMessage } from "@pincer/sdk";
import type { BotApi } from "./bot-api.ts";
import { pressedText } from "./buttons.ts";
import { fetchFiles } from "./fetch-files.ts";
import type { FileToFetch } from "./message-files.ts";
import { editIdOf, messageIdOf, pressIdOf } from "./message-id.ts";
import { personOf, placeOf, readMessage, type ReadMessage } from "./read-message.ts";
import type { ReadingPlace } from "./reading-place.ts";
import type { NumberedUpdate, TelegramMessage, TelegramQuery } from "./update-schema.ts";
import type { BotIdentity } from "./who-am-i.ts";

export interface UpdateTaker {
  /** One update, or those of one album. Throws where they must come again. */
  take(unit: NumberedUpdate[], signal: AbortSignal): Promise<void>;
  /** For those that wait behind one that threw. Never throws. */
  putOff(unit: NumberedUpdate[], error: unknown): void;
}

interface TakerParts {
  api: BotApi;
  host: ChannelHost;
  me: BotIdentity;
  place: ReadingPlace;
}

/** How often a failing download is retried; then the message goes on without the file. */
const mostTries = 4;

export function createTaker(parts: TakerParts): UpdateTaker {
  const { host, me } = parts;
  const tries = new Map<number, number>();
  return {
    async take(unit, signal) {
      const [first] = unit;
      if (!first) return;
      const tried = (tries.get(first.id) ?? 0) + 1;
      tries.set(first.id, tried);
      await takeUnit(first, unit, { signal, isLastTry: tried >= mostTries });
      tries.delete(first.id);
    },
    putOff(unit, error) {
      for (const { update } of unit) {
        const read = update?.message && readMessage(update.message, me);
        if (read) host.putOff?.(received(read, { text: read.text, attachments: [] }), error);
      }
    },
  };

  async function takeUnit(first: NumberedUpdate, unit: NumberedUpdate[], how: How): Promise<void> {
    if (first.update?.callback_query) return takePress(parts, first.update.callback_query);
    if (first.update?.edited_message) return takeEdit(parts, first.update.edited_message, first.id, how);
    const messages = unit.flatMap(({ update }) => update?.message ?? []);
    for (const { migrate_to_chat_id: to, chat } of messages)
      if (to !== undefined) sayMoved(host, chat.id, to);
    const read = messages.flatMap((message) => readMessage(message, me) ?? []);
    const [head] = read;
    if (head) await takeMessage(parts, asOne(head, read), how);
    else if (!first.update) host.log.warn(`update ${first.id} has an unknown shape and was skipped`);
  }
}

interface How {
  signal: AbortSignal;
  isLastTry: boolean;
}

/** The pictures of an album come one by one; its words stand under one of them. */
function asOne(head: ReadMessage, all: ReadMessage[]): ReadMessage {
  if (all.length === 1) return head;
  return {
    ...head,
    text: all
      .map(({ text }) => text)
      .filter(Boolean)
      .join("\n"),
    mentioned: all.some(({ mentioned }) => mentioned),
    forwarded: all.some(({ forwarded }) => forwarded),
    files: all.flatMap(({ files }) => files),
  };
}

async function takeMessage({ api, host }: TakerParts, read: ReadMessage, how: How): Promise<void> {
  await receive(host, received(read, await withFiles(api, host, read, how)));
}

const received = (
  { id, where, mentioned, replyTo, forwarded }: ReadMessage,
  { text, attachments }: { text: string; attachments: Attachment[] },
): ReceivedMessage => ({
  ...where,
  message: {
    type: "text",
    id,
    text,
    attachments,
    mentioned,
    ...(replyTo && { replyTo }),
    ...(forwarded && { forwarded }),
  },
});

async function takeEdit(
  { api, host, me }: TakerParts,
  edited: TelegramMessage,
  updateId: number,
  how: How,
): Promise<void> {
  const read = readMessage(edited, me);
  // Updates of a live location say nothing new.
  if (!read || edited.location) return;
  const { id: of, where, mentioned } = read;
  const id = editIdOf(of, { date: edited.edit_date ?? edited.date, updateId });
  const { text, attachments } = await withFiles(api, host, read, how);
  const timestamp = (edited.edit_date ?? edited.date) * 1000;
  await receive(host, {
    ...where,
    timestamp,
    message: { type: "edit", id, of, text, attachments, mentioned },
  });
}

async function withFiles(
  api: BotApi,
  host: ChannelHost,
  { text, files, where }: ReadMessage,
  { signal, isLastTry }: How,
) {
  const { attachments, missing } = (await isWanted(host, files, where))
    ? await fetchFiles(files, { api, host, isLastTry, signal })
    : { attachments: [], missing: files.map(({ name }) => `[The file ${name} was not fetched]`) };
  return { text: [text, ...missing].filter(Boolean).join("\n"), attachments };
}

/** Strangers must not fill the disk or displace other people's files. */
const isWanted = async (
  host: ChannelHost,
  files: FileToFetch[],
  where: ReadMessage["where"],
): Promise<boolean> => files.length === 0 || (await host.isWelcome?.(where)) !== false;

/** A press sends the button's text, which is then treated as if it had been typed. */
async function takePress({ api, host, me, place }: TakerParts, query: TelegramQuery): Promise<void> {
  const { message } = query;
  const text = pressedText(query.data, place);
  if (message && text !== undefined) {
    const of = messageIdOf(message.chat.id, message.message_id);
    const said = message.text ?? message.caption;
    await receive(host, {
      ...placeOf(message),
      sender: personOf(query.from, me),
      message: {
        type: "text",
        id: pressIdOf(of, query.id),
        text,
        attachments: [],
        mentioned: true,
        replyTo: { id: of, fromMe: true, ...(said !== undefined && { text: said }) },
      },
      timestamp: host.clock.now(),
    });
  }
  const answer = text === undefined ? { text: "This button is no longer known. Please type it." } : {};
  // Only the little clock on the button hangs on it, and a query that is too old has none any more.
  api
    .call("answerCallbackQuery", { callback_query_id: query.id, ...answer }, host.signal)
    .catch((error: unknown) => {
      host.log.debug(`a press was not answered: ${error instanceof Error ? error.message : String(error)}`);
    });
}

async function receive(host: ChannelHost, message: ReceivedMessage): Promise<void> {
  try {
    await host.receive(message);
  } catch (error) {
    if (!(error instanceof PincerError) || error.code !== "usage/bad-argument") throw error;
    host.log.warn(`message ${message.message.id} was skipped: ${error.message}`);
  }
}

const sayMoved = (host: ChannelHost, from: number, to: number): void =>
  host.log.warn(
    `the group ${from} has become ${to}: where channels.telegram.groups or a binding names the old id, put the new one`,
  );
