/** The promises of a connector, kept against the stand-in that speaks the documented Bot API. */
import { describeChannelContract } from "@pincer/sdk/testing/contracts";
import { telegramChannel } from "./index.ts";
import { createFakeBotApi } from "./testing/fake-bot-api.ts";
import { callWebhook } from "./testing/webhook-calls.ts";
import { freePort } from "../../../test/free-port.ts";
import type { Fault } from "./testing/bot-api-faults.ts";

const names = { ann: "1001", bob: "1002", a1: "11", a2: "12" };

const faults: Record<string, Fault> = {
  "rate-limited": { type: "rate-limited", retryAfter: 3 },
  unavailable: { type: "server-error", status: 502 },
  rejected: { type: "blocked" },
  closed: { type: "reset" },
};

const settings = { linkPreviews: false, webhookHost: "127.0.0.1", webhookPort: 0 };

describeChannelContract("Telegram by polling (against the stand-in)", async () => {
  const fake = await createFakeBotApi();
  const people = new Map([1001, 1002].map((id) => [String(id), fake.people.person(id, `P${id}`)]));
  return {
    channel: telegramChannel,
    config: { ...settings, botToken: fake.token, apiRoot: fake.apiRoot, mode: "polling" },
    names,
    async write({ id, text, chat }) {
      const person = people.get(chat);
      if (person) fake.people.dm(person, { message_id: Number(id), text });
    },
    seen: async (chat) => fake.people.seen(Number(chat)),
    failNextSend: (code) => {
      const fault = faults[code];
      if (fault) fake.faults.begin(fault, { method: "sendMessage", times: 1 });
    },
    close: () => fake.close(),
  };
});

describeChannelContract("Telegram by webhook (against the stand-in)", async () => {
  const fake = await createFakeBotApi();
  const people = new Map([1001, 1002].map((id) => [String(id), fake.people.person(id, `P${id}`)]));
  const port = await freePort();
  const webhookSecret = "a-secret-of-the-test";
  const webhookUrl = `http://127.0.0.1:${port}/telegram`;
  return {
    channel: telegramChannel,
    config: {
      ...settings,
      botToken: fake.token,
      apiRoot: fake.apiRoot,
      mode: "webhook",
      webhookUrl,
      webhookSecret,
      webhookPort: port,
    },
    names,
    async write({ id, text, chat }) {
      const person = people.get(chat);
      if (person) fake.people.dm(person, { message_id: Number(id), text });
      await callWebhook(webhookUrl, "a-wrong-secret", { update_id: 1 });
    },
    seen: async (chat) => fake.people.seen(Number(chat)),
    failNextSend: (code) => {
      const fault = faults[code];
      if (fault) fake.faults.begin(fault, { method: "sendMessage", times: 1 });
    },
    close: () => fake.close(),
  };
});
