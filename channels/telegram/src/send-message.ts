/** Sends and edits: words as HTML that never breaks, files beside them, buttons below. */
import {
  SendError,
  type ChannelConnection,
  type ChannelHost,
  type OutboundMessage,
  type Target,
} from "@pincer/sdk";
import { BotApiError, saysOf, type BotApi } from "./bot-api.ts";
import { keyboardOf } from "./buttons.ts";
import type { ChatPace } from "./chat-pace.ts";
import { captionIdOf, isCaptionId, messageIdOf, messageNumberOf } from "./message-id.ts";
import { numberIn, planFiles, sendFiles, type FilePart } from "./send-files.ts";
import type { ReadingPlace } from "./reading-place.ts";
import { renderWithin } from "./render-html.ts";

export interface SenderParts {
  api: BotApi;
  host: ChannelHost;
  place: Pick<ReadingPlace, "nameOf">;
  pace: ChatPace;
  linkPreviews: boolean;
}

const textLimit = 4096;
const captionLimit = 1024;
/** Of sends that were begun and failed in the middle, so that the next attempt goes on there. */
const mostBegun = 200;

export function createSender(parts: SenderParts): Required<Pick<ChannelConnection, "send" | "edit">> {
  const { place, pace } = parts;
  const begun = new Map<string, { done: number; messageId: string | undefined }>();
  /** Groups that have become supergroups have another id since. */
  const moved = new Map<string, string>();

  async function follow<Answer>(target: Target, work: (chat: string) => Promise<Answer>): Promise<Answer> {
    const chat = moved.get(target.peerId) ?? target.peerId;
    try {
      return await work(chat);
    } catch (error) {
      const to = error instanceof BotApiError ? error.refusal?.migrateTo : undefined;
      if (to === undefined || String(to) === chat) throw error;
      moved.set(target.peerId, String(to));
      return work(String(to));
    }
  }

  return {
    async send(message, { idempotencyKey, signal }) {
      const steps = await planSteps(message, parts);
      const progress = begun.get(idempotencyKey) ?? { done: 0, messageId: undefined };
      begun.set(idempotencyKey, progress);
      for (const oldest of [...begun.keys()].slice(0, -mostBegun)) begun.delete(oldest);
      for (const step of steps.slice(progress.done)) {
        await follow(message.target, async (chat) => {
          const number = await runStep(parts, step, { chat, message, signal });
          pace.note(chat);
          progress.messageId ??= idOf(step, messageIdOf(chat, number));
        });
        progress.done += 1;
      }
      begun.delete(idempotencyKey);
      return progress.messageId === undefined ? {} : { messageId: progress.messageId };
    },
    async edit({ target, response }, messageId, { signal }) {
      const number = messageNumberOf(messageId);
      if (number === undefined) throw new SendError("rejected", `${messageId} is not a Telegram message`);
      const keyboard = await keyboardOf(response.actions, place);
      const isCaption = isCaptionId(messageId);
      const method = isCaption ? "editMessageCaption" : "editMessageText";
      await follow(target, async (chat) => {
        await pace.turn(chat, target.peerKind, signal);
        await inWords(response.text, isCaption ? captionLimit : textLimit, async (words) => {
          const payload = {
            chat_id: chatIdOf(chat),
            message_id: number,
            ...words(isCaption),
            ...linksOf(parts, isCaption),
          };
          await parts.api
            .call(method, { ...payload, ...(keyboard && { reply_markup: keyboard }) } as never, signal)
            .catch(unlessUnchanged);
        });
      });
    },
  };
}

/** What was asked for is already so. */
function unlessUnchanged(error: unknown): void {
  if (!saysOf(error, "message is not modified")) throw error;
}

export const chatIdOf = (chat: string): number | string => (/^-?\d{1,16}$/.test(chat) ? Number(chat) : chat);

/** The first topic of a group is where messages without a topic go, and must not be named. */
export const threadOf = ({ threadId }: Target): { message_thread_id?: number } =>
  threadId === undefined || threadId === "1" || !/^\d{1,10}$/.test(threadId)
    ? {}
    : { message_thread_id: Number(threadId) };

type Keyboard = Awaited<ReturnType<typeof keyboardOf>>;

type Step =
  | { type: "text"; text: string; keyboard: Keyboard; isFirst: boolean }
  | { type: "files"; part: FilePart; caption: string; keyboard: Keyboard; isFirst: boolean };

const idOf = (step: Step, id: string): string =>
  step.type === "files" && step.caption !== "" ? captionIdOf(id) : id;

/** Words stand under the first file where they fit, and before all files otherwise. */
async function planSteps({ response }: OutboundMessage, { host, place }: SenderParts): Promise<Step[]> {
  const keyboard = await keyboardOf(response.actions, place);
  const files = await planFiles(response.attachments, host.media);
  const hasWords = response.text.trim() !== "";
  const [first] = files;
  const isCaption =
    first !== undefined &&
    hasWords &&
    renderWithin(response.text, captionLimit).length <= captionLimit &&
    // An album has no place for buttons.
    !(keyboard && first.items.length > 1);
  const steps: Step[] = [];
  if (hasWords && !isCaption) steps.push({ type: "text", text: response.text, keyboard, isFirst: true });
  for (const part of files) {
    const isFirst = steps.length === 0;
    const caption = isFirst && isCaption ? response.text : "";
    steps.push({ type: "files", part, caption, keyboard: caption === "" ? undefined : keyboard, isFirst });
  }
  if (steps.length === 0) throw new SendError("rejected", "there is nothing to send");
  return steps;
}

/** The number of the message that came of it. */
async function runStep(
  parts: SenderParts,
  step: Step,
  { chat, message, signal }: { chat: string; message: OutboundMessage; signal: AbortSignal },
): Promise<number> {
  const common = {
    chat_id: chatIdOf(chat),
    ...threadOf(message.target),
    ...(step.isFirst && answerTo(message.replyTo)),
    ...(step.keyboard && { reply_markup: step.keyboard }),
  };
  if (step.type === "text") {
    return inWords(step.text, textLimit, async (words) => {
      const payload = { ...common, ...words(false), ...linksOf(parts, false) };
      return numberIn(await parts.api.call("sendMessage", payload as never, signal));
    });
  }
  if (step.caption === "") return sendFiles(parts.api, step.part, { common, signal });
  return inWords(step.caption, captionLimit, (words) =>
    sendFiles(parts.api, step.part, { common, caption: words(true), signal }),
  );
}

function answerTo(replyTo: string | undefined) {
  const number = replyTo === undefined ? undefined : messageNumberOf(replyTo);
  return number === undefined
    ? {}
    : { reply_parameters: { message_id: number, allow_sending_without_reply: true } };
}

const linksOf = ({ linkPreviews }: SenderParts, isCaption: boolean) =>
  isCaption ? {} : { link_preview_options: { is_disabled: !linkPreviews } };

type Words = (isCaption: boolean) => Record<string, unknown>;

/** Tries the words as HTML, and as they were written where Telegram cannot read that or they have become too long by it. */
async function inWords<Answer>(
  text: string,
  limit: number,
  work: (words: Words) => Promise<Answer>,
): Promise<Answer> {
  const { html } = renderWithin(text, limit);
  try {
    return await work((isCaption) => ({ [isCaption ? "caption" : "text"]: html, parse_mode: "HTML" }));
  } catch (error) {
    if (!saysOf(error, "can't parse entities")) throw error;
    const plain = text.toWellFormed().replaceAll("\0", "").trim();
    return work((isCaption) => ({ [isCaption ? "caption" : "text"]: plain }));
  }
}
