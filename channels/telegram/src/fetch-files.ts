/** Brings the files of a message into the media store. One that cannot be had is a line in words, never a lost message. */
import { PincerError, type Attachment, type ChannelHost } from "@pincer/sdk";
import { BotApiError, saysOf, type BotApi } from "./bot-api.ts";
import type { FileToFetch } from "./message-files.ts";
import { withinMs } from "./within-ms.ts";

/** What Telegram gives to bots at most. */
const largestDownload = 20 * 1024 * 1024;
/** Nothing else comes in meanwhile. */
const fetchMs = 25_000;

interface FetchParts {
  api: BotApi;
  host: Pick<ChannelHost, "media" | "clock">;
  signal: AbortSignal;
}

export interface FetchedFiles {
  attachments: Attachment[];
  /** In words, for those that are not there. */
  missing: string[];
}

/** Throws where a later try may bring it: the network failed, or the disk is full. `isLastTry` says that there will be none. */
export async function fetchFiles(
  files: FileToFetch[],
  { isLastTry, ...parts }: FetchParts & { isLastTry: boolean },
): Promise<FetchedFiles> {
  const attachments: Attachment[] = [];
  const missing: string[] = [];
  for (const file of files) {
    try {
      attachments.push(await fetchOne(file, parts));
    } catch (error) {
      const reason = reasonNotTo(error) ?? (isLastTry ? "Telegram did not give it" : undefined);
      if (reason === undefined || parts.signal.aborted) throw error;
      missing.push(`[The file ${file.name} was not fetched: ${reason}]`);
    }
  }
  return { attachments, missing };
}

class TooLarge extends Error {}

async function fetchOne(file: FileToFetch, { api, host, signal }: FetchParts): Promise<Attachment> {
  if ((file.sizeBytes ?? 0) > largestDownload) throw new TooLarge();
  const content = await withinMs(host.clock, fetchMs, signal, async (deadline) => {
    const { file_path: path } = await api.call("getFile", { file_id: file.fileId }, deadline);
    if (typeof path !== "string" || path === "")
      throw new BotApiError("unavailable", "the file has no path yet");
    return api.download(path, largestDownload, deadline);
  });
  return host.media.store(content, { mimeType: file.mimeType, name: file.name });
}

function reasonNotTo(error: unknown): string | undefined {
  if (error instanceof TooLarge || saysOf(error, "file is too big")) {
    return "Telegram gives bots at most 20 MB. Send a smaller one, or a link";
  }
  if (error instanceof BotApiError)
    return error.code === "rejected" ? "Telegram does not have it any more" : undefined;
  return error instanceof PincerError && error.code === "usage/bad-argument" ? error.message : undefined;
}
