/** For any program that speaks HTTP: it calls us with what people write, and we call it with the answers. Both sign what they say. */
import { defineChannel } from "@pincer/sdk";
import { webhookConfig } from "./webhook-config.ts";

export const webhookChannel = defineChannel({
  id: "webhook",
  name: "Webhook",
  config: webhookConfig,
  traits: { textLimit: 16_000, idempotentSend: true },
  setUp: { steps: { en: ["Make a secret: openssl rand -hex 24"], zh: ["生成密钥：openssl rand -hex 24"] } },
  connect: async (settings, host) => (await import("./connect-webhook.ts")).connectWebhook(settings, host),
});
