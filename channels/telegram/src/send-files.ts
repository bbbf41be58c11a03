/** Files on their way out: each as what it is, several of a kind as an album. */
import { SendError, type Attachment, type MediaStore } from "@pincer/sdk";
import { BotApiError, saysOf, type BotApi } from "./bot-api.ts";

export type FileKind = "photo" | "animation" | "video" | "audio" | "voice" | "document";

export interface FileItem {
  kind: FileKind;
  content: Uint8Array;
  name: string;
}

/** What goes out as one: a file, or an album of at most ten. */
export interface FilePart {
  items: FileItem[];
}

/** What Telegram takes from bots. */
const largestUpload = 50 * 1024 * 1024;
const largestPhoto = 10 * 1024 * 1024;
const mostInAlbum = 10;

/** Throws SendError `rejected` for what Telegram never takes, before anything is sent. */
export async function planFiles(
  attachments: readonly Attachment[],
  media: Pick<MediaStore, "read">,
): Promise<FilePart[]> {
  const items: FileItem[] = [];
  for (const attachment of attachments) items.push(await readItem(attachment, media));
  const parts: FilePart[] = [];
  for (const item of items) {
    const last = parts.at(-1);
    const album = albumKind(item);
    const isJoining = last && album !== undefined && last.items.every((other) => albumKind(other) === album);
    if (isJoining && last.items.length < mostInAlbum) last.items.push(item);
    else parts.push({ items: [item] });
  }
  return parts;
}

async function readItem(attachment: Attachment, media: Pick<MediaStore, "read">): Promise<FileItem> {
  const name = attachment.name ?? `file.${/\/([a-z0-9]+)$/.exec(attachment.mimeType)?.[1] ?? "bin"}`;
  refuseLarge(name, attachment.sizeBytes ?? 0);
  const content = await media.read(attachment.media).catch((cause: unknown) => {
    throw new SendError("rejected", `the file ${name} no longer exists`, { cause });
  });
  refuseLarge(name, content.byteLength);
  if (content.byteLength === 0)
    throw new SendError("rejected", `the file ${name} is empty, and Telegram accepts no empty files`);
  return { kind: kindOf(attachment.mimeType, content.byteLength), content, name };
}

function refuseLarge(name: string, bytes: number): void {
  if (bytes <= largestUpload) return;
  const megabytes = Math.ceil(bytes / 1024 / 1024);
  throw new SendError(
    "rejected",
    `the file ${name} has ${megabytes} MB, and Telegram takes at most 50 MB from bots`,
  );
}

function kindOf(mimeType: string, bytes: number): FileKind {
  if (/^image\/(?:jpeg|png|webp)$/.test(mimeType)) return bytes <= largestPhoto ? "photo" : "document";
  if (mimeType === "image/gif") return "animation";
  if (mimeType === "video/mp4") return "video";
  if (/^audio\/(?:ogg|opus)/.test(mimeType)) return "voice";
  return /^audio\/(?:mpeg|mp4|x-m4a|aac)$/.test(mimeType) ? "audio" : "document";
}

const albumKind = ({ kind }: FileItem): string | undefined => {
  if (kind === "photo" || kind === "video") return "seen";
  return kind === "document" || kind === "audio" ? kind : undefined;
};

const methods = {
  photo: "sendPhoto",
  animation: "sendAnimation",
  video: "sendVideo",
  audio: "sendAudio",
  voice: "sendVoice",
  document: "sendDocument",
} as const;

/** The number of the first message that came of it. Throws BotApiError. */
export async function sendFiles(
  api: BotApi,
  { items }: FilePart,
  { common, caption = {}, signal }: { common: object; caption?: object; signal: AbortSignal },
): Promise<number> {
  const [first] = items;
  if (!first) throw new Error("a part without files");
  if (items.length === 1) return sendOne(api, first, { payload: { ...common, ...caption }, signal });
  const media = items.map((item, index) => ({
    type: item.kind,
    media: api.file(item.content, item.name),
    ...(index === 0 && caption),
  }));
  const sent: unknown = await api.call("sendMediaGroup", { ...common, media } as never, signal);
  return numberIn(Array.isArray(sent) ? sent[0] : undefined);
}

async function sendOne(
  api: BotApi,
  { kind, content, name }: FileItem,
  { payload, signal }: { payload: object; signal: AbortSignal },
): Promise<number> {
  try {
    const file = { [kind]: api.file(content, name) };
    return numberIn(await api.call(methods[kind], { ...payload, ...file } as never, signal));
  } catch (error) {
    // Too long and thin, too many colours, voice messages not wished for: as a file everything goes.
    if (kind === "document" || !isUnfit(error)) throw error;
    const document = api.file(content, name);
    return numberIn(await api.call("sendDocument", { ...payload, document } as never, signal));
  }
}

const isUnfit = (error: unknown): boolean =>
  [
    "photo_invalid",
    "image_process_failed",
    "photo_save_file_invalid",
    "voice_messages_forbidden",
    "wrong file type",
  ].some((words) => saysOf(error, words));

/** It was taken; an answer that does not say as what is worth no repeat, only no edit. */
export function numberIn(sent: unknown): number {
  const number = (sent as { message_id?: unknown } | undefined)?.message_id;
  if (typeof number === "number") return number;
  throw new BotApiError("closed", "Telegram's answer names no message");
}
