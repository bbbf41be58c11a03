/** Messages by webhook: listens first, and then tells Telegram where. */
import { SendError } from "@pincer/sdk";
import { listenWebhook } from "./listen-webhook.ts";
import type { Intake, IntakeParts } from "./intake.ts";
import { allowedUpdates } from "./update-schema.ts";
import { withinMs } from "./within-ms.ts";

const askMs = 20_000;
/** An error that Telegram saw so recently may still be there. */
const freshMs = 90_000;
const mostConnections = 20;

/** Throws SendError `rejected` where keys are missing. */
export async function openWebhook({ api, host, taker, signal, config }: IntakeParts): Promise<Intake> {
  const { webhookUrl: url, webhookSecret: secret, webhookHost, webhookPort, webhookPath } = config;
  if (url === undefined || secret === undefined) {
    throw new SendError("rejected", "the mode webhook needs channels.telegram.webhookUrl and webhookSecret");
  }
  const address = { host: webhookHost, port: webhookPort, path: webhookPath ?? new URL(url).pathname };
  const listener = await listenWebhook({ host, taker, secret, address, signal }).catch((cause: unknown) => {
    const { code = "no reason given" } = cause as NodeJS.ErrnoException;
    const words = `the webhook cannot listen on ${webhookHost}:${webhookPort} (${code}): set channels.telegram.webhookPort to a free port`;
    throw new SendError("unavailable", words, { cause });
  });
  try {
    const payload = {
      url,
      secret_token: secret,
      allowed_updates: [...allowedUpdates],
      max_connections: mostConnections,
      drop_pending_updates: false,
    };
    await withinMs(host.clock, askMs, signal, (deadline) => api.call("setWebhook", payload, deadline));
  } catch (error) {
    await listener.close();
    throw error;
  }
  return {
    async trouble(asked) {
      const info = await withinMs(host.clock, askMs, AbortSignal.any([signal, asked]), (deadline) =>
        api.call("getWebhookInfo", undefined as never, deadline),
      );
      if (info.url !== url) return "another program has set a webhook for this bot, or taken ours away";
      const failedAt = (info.last_error_date ?? 0) * 1000;
      const isFailing = (info.pending_update_count ?? 0) > 0 && host.clock.now() - failedAt < freshMs;
      return isFailing
        ? `Telegram cannot deliver: ${info.last_error_message ?? "no reason given"}`
        : undefined;
    },
    close: () => listener.close(),
  };
}
