/** Calls the webhook of the bot with each update until it answers 200, as Telegram does. */
import { request } from "node:http";
import type { Faults } from "./bot-api-faults.ts";
import type { FakeUpdate, World } from "./bot-api-world.ts";

export function startWebhookCalls({
  world,
  faults,
  clock,
}: {
  world: World;
  faults: Faults;
  clock: { sleep(ms: number, signal?: AbortSignal): Promise<void> };
}): { close(): void } {
  const closing = new AbortController();
  const carried = new Set<number>();
  const forget = world.onUpdate(() => {
    for (const update of world.updates) if (!carried.has(update.update_id)) void carry(update);
  });

  async function carry(update: FakeUpdate): Promise<void> {
    carried.add(update.update_id);
    while (world.webhook.url !== "" && !closing.signal.aborted) {
      const { url, secret } = world.webhook;
      const isDoubled = faults.meet("webhook")?.type === "doubled-updates";
      const status = await callWebhook(url, secret, update);
      if (status === 200 && isDoubled) await callWebhook(url, secret, update);
      if (status === 200) {
        const at = world.updates.indexOf(update);
        if (at >= 0) world.updates.splice(at, 1);
        return;
      }
      const message = `Wrong response from the webhook: ${status}`;
      world.webhook.lastError = { date: Math.floor(world.now() / 1000), message };
      // Aborted when the stand-in closes.
      await clock.sleep(1000, closing.signal).catch(() => undefined);
    }
    carried.delete(update.update_id);
  }

  return {
    close() {
      forget();
      closing.abort();
    },
  };
}

/** The status, or 0 without an answer. */
export function callWebhook(url: string, secret: string | undefined, body: unknown): Promise<number> {
  return new Promise((resolve) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const headers = {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
      ...(secret !== undefined && { "x-telegram-bot-api-secret-token": secret }),
    };
    const call = request(url, { method: "POST", headers, agent: false }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", () => resolve(0));
    });
    call.on("error", () => resolve(0));
    call.end(text);
  });
}
