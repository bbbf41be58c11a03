import { SendError, type ChannelConnection, type ChannelHost, type OutboundMessage } from "@pincer/sdk";
import { outboundCall, type Own } from "./call-bodies.ts";
import { openListener } from "./open-listener.ts";
import { signedHeaders } from "./signature.ts";
import type { WebhookConfig } from "./webhook-config.ts";

const largestAnswerBytes = 64 * 1024;

export async function connectWebhook(config: WebhookConfig, host: ChannelHost): Promise<ChannelConnection> {
  const { secret, port, url } = config;
  if (port === undefined && url === undefined)
    throw new SendError("rejected", "set port to receive, url to send, or both");
  const close = port === undefined ? async () => undefined : await openListener({ port, secret }, host);

  async function post(message: OutboundMessage, own: Own, key: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (url === undefined) throw new SendError("rejected", "no url is set, so nothing can be sent");
    const body = JSON.stringify(await outboundCall(message, own, host));
    const signed = signedHeaders(secret, body, host.clock.now());
    const headers = { ...signed, "content-type": "application/json", "idempotency-key": key };
    const response = await host
      .fetch(url, { method: "POST", body, headers, redirect: "manual", signal })
      .catch((cause: unknown) => {
        throw unreached(cause);
      });
    const answer = await readAnswer(response).catch(() => undefined);
    refuseUnlessTaken(response);
    return messageIdIn(answer) ?? key;
  }

  return {
    async send(message, { idempotencyKey, signal }) {
      return { messageId: await post(message, { id: idempotencyKey }, idempotencyKey, signal) };
    },
    ...(config.edits && {
      async edit(message: OutboundMessage, messageId: string, { signal }: { signal: AbortSignal }) {
        await post(message, { edit: messageId }, crypto.randomUUID(), signal);
      },
    }),
    async probe(signal) {
      if (port === undefined) return { ok: true, detail: "it only sends" };
      const response = await host.fetch(`http://127.0.0.1:${port}/health`, { signal });
      await response.body?.cancel();
      return response.ok ? { ok: true } : { ok: false, detail: `port ${port} answered ${response.status}` };
    },
    close,
  };
}

/** Without a connection nothing was sent; anything else may have arrived. */
function unreached(cause: unknown): SendError {
  const reason = cause instanceof Error ? (cause.cause ?? cause) : cause;
  const { code = "", message = String(reason) } = (reason ?? {}) as NodeJS.ErrnoException;
  const isCertain = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].includes(code);
  return new SendError(isCertain ? "unavailable" : "closed", `the url could not be reached: ${message}`, {
    cause,
  });
}

/** 409 says that it has the message already. Of other failures only 429 and 503 say for certain that it was not taken. */
function refuseUnlessTaken({ ok, status, headers }: Response): void {
  if (ok || status === 409) return;
  const words = `the url answered ${status}`;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), 3600) * 1000 : undefined;
  if (status === 429) throw new SendError("rate-limited", words, { retryAfterMs });
  if (status === 503) throw new SendError("unavailable", words, { retryAfterMs });
  throw new SendError(status >= 500 || status === 408 ? "closed" : "rejected", words);
}

/** Undefined if it is too long. Throws when the connection ends. */
async function readAnswer({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > largestAnswerBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The other side's id for it, if any. */
function messageIdIn(answer: string | undefined): string | undefined {
  try {
    const { messageId } = JSON.parse(answer ?? "") as { messageId?: unknown };
    const isId = typeof messageId === "string" && messageId !== "" && messageId.length <= 200;
    return isId ? messageId : undefined;
  } catch {
    // It need not say anything.
    return undefined;
  }
}
