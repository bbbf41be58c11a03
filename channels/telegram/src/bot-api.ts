/** Calls of the Bot API over grammY, with failures in the host's four words. The token is in no error and in no log. */
import { SendError } from "@pincer/sdk";
import type { Api, InputFile } from "grammy";
import { createHttpTransport, TransportError } from "./http-transport.ts";
import type { TelegramConfig } from "./telegram-config.ts";

type Methods = Api["raw"];
export type Method = keyof Methods & string;
type Payload<Name extends Method> = Parameters<Methods[Name]>[0];
type Answer<Name extends Method> = Awaited<ReturnType<Methods[Name]>>;

/** What the server said no with. */
export interface Refusal {
  status: number;
  description: string;
  migrateTo: number | undefined;
}

export class BotApiError extends SendError {
  /** Undefined where no answer of the Bot API came. */
  readonly refusal: Refusal | undefined;

  constructor(
    code: SendError["code"],
    message: string,
    options: { refusal?: Refusal; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(code, message, options);
    this.name = "BotApiError";
    this.refusal = options.refusal;
  }
}

export interface BotApi {
  /** Throws BotApiError. */
  call<Name extends Method>(name: Name, payload: Payload<Name>, signal?: AbortSignal): Promise<Answer<Name>>;
  /** The bytes of a file that `getFile` named. Throws BotApiError. */
  download(filePath: string, limit: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** A file for a payload. */
  file(content: Uint8Array, name: string): InputFile;
  /** Safe to call twice. */
  close(): void;
}

/** Throws SendError `rejected` where the proxy is no address. */
export async function openBotApi({
  botToken: token,
  apiRoot,
  proxy,
}: Pick<TelegramConfig, "botToken" | "apiRoot" | "proxy">): Promise<BotApi> {
  // What Node says about it holds the address, and that may hold a password.
  if (proxy !== undefined && !URL.canParse(proxy))
    throw new SendError("rejected", "channels.telegram.proxy is not an address");
  const transport = createHttpTransport({ proxy });
  // The build for the web is one file and brings no HTTP client: a tenth of the memory.
  const { Api: Grammy, GrammyError, HttpError, InputFile: UploadedFile } = await import("grammy/web");
  const root = apiRoot.replace(/\/+$/, "");
  const { raw } = new Grammy(token, { apiRoot: root, fetch: transport.fetch as never });

  /** What grammY throws holds the payload, and its own cause the address: neither goes on. */
  function nameFailure(error: unknown): BotApiError {
    if (error instanceof GrammyError && Number.isInteger(error.error_code)) {
      return nameRefusal({
        status: error.error_code,
        description: String(error.description),
        migrateTo: error.parameters.migrate_to_chat_id,
        retryAfter: error.parameters.retry_after,
      });
    }
    const inner = error instanceof HttpError ? error.error : error;
    if (inner instanceof TransportError) {
      const code = inner.outcome === "not-sent" ? "unavailable" : "closed";
      return new BotApiError(code, inner.message, { cause: inner });
    }
    return new BotApiError("closed", withoutToken(inner instanceof Error ? inner.message : String(inner)));
  }

  const withoutToken = (text: string) => text.replaceAll(token, "<token>");

  return {
    async call(name, payload, signal) {
      if (signal?.aborted) throw new BotApiError("unavailable", "stopped before it was sent");
      try {
        const method = raw[name] as (...given: unknown[]) => Promise<unknown>;
        // Methods that take nothing have the signal in the place of the payload.
        return (await (payload === undefined ? method(signal) : method(payload, signal))) as never;
      } catch (error) {
        throw nameFailure(error);
      }
    },
    async download(filePath, limit, signal) {
      const path = filePath.split("/").map(encodeURIComponent).join("/");
      const answer = await transport
        .fetch(`${root}/file/bot${token}/${path}`, { limit, ...(signal && { signal }) })
        .catch((error: unknown) => {
          throw nameFailure(error);
        });
      if (answer.status === 200) return answer.body;
      throw nameRefusal({
        status: answer.status,
        description: "the file was not given",
        migrateTo: undefined,
      });
    },
    file: (content, name) => new UploadedFile(content, name),
    close: () => transport.close(),
  };
}

function nameRefusal({ retryAfter, ...refusal }: Refusal & { retryAfter?: number | undefined }): BotApiError {
  const { status, description } = refusal;
  if (status === 429) {
    const retryAfterMs = Math.max(1, retryAfter ?? 1) * 1000;
    return new BotApiError("rate-limited", `Telegram wants a pause: ${description}`, {
      refusal,
      retryAfterMs,
    });
  }
  // The Bot API itself says that it did not do it; a page of whatever stands before it says nothing, and comes as no JSON.
  if (status >= 500)
    return new BotApiError("unavailable", `Telegram answered ${status}: ${description}`, { refusal });
  // A caller with the right token can still send it.
  if (status === 401 || isUnknownBot(refusal)) return new BotApiError("unavailable", badToken, { refusal });
  if (status === 403)
    return new BotApiError("rejected", `Telegram does not let the bot write there: ${description}`, {
      refusal,
    });
  return new BotApiError("rejected", `Telegram refused it: ${status} ${description}`, { refusal });
}

const isUnknownBot = ({ status, description }: Refusal): boolean =>
  status === 404 && description === "Not Found";

export const badToken =
  "Telegram does not know the bot token (any more). Ask @BotFather for it with /token, or for a new one with /revoke, and set channels.telegram.botToken";

export const isBadToken = (error: unknown): boolean =>
  error instanceof BotApiError &&
  error.refusal !== undefined &&
  (error.refusal.status === 401 || isUnknownBot(error.refusal));

export const saysOf = (error: unknown, words: string): boolean =>
  error instanceof BotApiError && (error.refusal?.description.toLowerCase().includes(words) ?? false);
