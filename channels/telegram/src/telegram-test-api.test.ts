/** The same connector against telegram-test-api, a server that others wrote: what it covers is text, edits, buttons and webhooks. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRecordingHost, type RecordingHost } from "@pincer/sdk/testing";
import type { ChannelConnection, OutboundMessage } from "@pincer/sdk";
import { TelegramServer } from "telegram-test-api/lib/telegramServer.js";
import { telegramChannel } from "./index.ts";
import { freePort } from "../../../test/free-port.ts";
import { attempt } from "./testing/telegram-stage.ts";

const botToken = "666:test-api";
let server: TelegramServer;
let host: RecordingHost;
let connection: ChannelConnection;
beforeEach(async () => {
  server = new TelegramServer({ port: await freePort(), host: "127.0.0.1" });
  await server.start();
  host = createRecordingHost();
  const config = { botToken, apiRoot: server.config.apiURL, mode: "polling", linkPreviews: false };
  connection = await telegramChannel.connect(config, host);
});
afterEach(async () => {
  host.stop();
  await connection.close();
  await server.stop();
});

const answer = (text: string, actions?: OutboundMessage["response"]["actions"]): OutboundMessage => ({
  channel: "telegram",
  accountId: "default",
  target: { peerKind: "user", peerId: "1" },
  response: { text, attachments: [], ...(actions && { actions }) },
});

describe("CHAN-01 Telegram by polling (against telegram-test-api)", () => {
  it("receives a text and a command", async () => {
    const client = server.getClient(botToken);
    await client.sendMessage(client.makeMessage("hello"));
    await client.sendCommand(client.makeCommand("/start K7Q2"));
    await host.until(2);
    expect(host.received.map(({ message }) => message)).toMatchObject([
      { type: "text", text: "hello", mentioned: true },
      { type: "text", text: "/start K7Q2", mentioned: true },
    ]);
  });

  it("sends a text with a button, edits it, and hears the button", async () => {
    const client = server.getClient(botToken);
    const { messageId } = await connection.send(
      answer("**May** I?", [{ label: "Yes", send: "/yes" }]),
      attempt(),
    );
    const { result } = await client.getUpdates();
    expect(result[0]).toMatchObject({ message: { text: "<b>May</b> I?", parse_mode: "HTML" } });
    await connection.edit?.(answer("Done"), messageId ?? "", attempt());
    const stored = server.storage.botMessages.find(
      (each) => each.messageId === Number(messageId?.split("/")[1]),
    );
    expect(stored?.message.text).toBe("Done");
    const message = { message_id: stored?.messageId ?? 0 };
    await client.sendCallback(client.makeCallbackQuery("=/yes", { message } as never));
    await host.until(1);
    expect(host.received[0]?.message).toMatchObject({ type: "text", text: "/yes" });
  });
});
