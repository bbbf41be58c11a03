/** The webhook against forged, doubled and broken calls; the stand-in plays Telegram. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { request } from "node:http";
import { freePort } from "../../../test/free-port.ts";
import { createTelegramStage, type TelegramStage } from "./testing/telegram-stage.ts";
import type { FakePerson } from "./testing/bot-api-world.ts";
import { callWebhook } from "./testing/webhook-calls.ts";

let stage: TelegramStage;
let ann: FakePerson;
let url: string;
const secret = "a-secret-of-the-test";
beforeEach(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/hook`;
  stage = await createTelegramStage({
    mode: "webhook",
    webhookUrl: url,
    webhookSecret: secret,
    webhookPort: port,
  });
  ann = stage.fake.people.person(1001, "Ann");
});
afterEach(() => stage.close());

const update = (id: number, text: string) => ({
  update_id: id,
  message: { message_id: id, date: 1, chat: { id: 1001, type: "private" }, from: ann, text },
});
const status = (method: string, path: string) =>
  new Promise<number>((resolve) => {
    const headers = { "x-telegram-bot-api-secret-token": secret };
    request(new URL(path, url), { method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).end();
  });

describe("CHAN-01 the webhook", () => {
  it("tells Telegram its address, its secret and what it wants to hear of", () => {
    expect(stage.fake.calls.find(({ method }) => method === "setWebhook")?.given).toMatchObject({
      url,
      secret_token: secret,
      allowed_updates: ["message", "edited_message", "callback_query"],
      drop_pending_updates: false,
    });
  });

  it.each([
    ["none", undefined],
    ["a wrong one", "a-secret-of-the-tesT"],
    ["a longer one", `${secret}x`],
    ["an empty one", ""],
  ])("accepts nothing from a caller that shows %s for a secret", async (_, shown) => {
    expect(await callWebhook(url, shown, update(1, "forged"))).toBe(401);
    expect(stage.host.deliveries).toEqual([]);
    expect(stage.host.signs).toBe(0);
  });

  it("refuses other paths, other methods, what is no update, and what is too long", async () => {
    expect(await status("POST", "/elsewhere")).toBe(404);
    expect(await status("GET", "/hook")).toBe(405);
    expect(await callWebhook(url, secret, "no JSON {")).toBe(400);
    expect(await callWebhook(url, secret, { nothing: 1 })).toBe(400);
    expect([413, 0]).toContain(await callWebhook(url, secret, update(1, "x".repeat(2 * 1024 * 1024))));
    expect(stage.host.deliveries).toEqual([]);
  });

  it("lets strangers write nothing into the log, whatever they ask for", async () => {
    for (const path of ["//", "///hook", "http://", "/hook/../x", "*", "/%"]) {
      const { port } = new URL(url);
      const answered = await new Promise<number>((resolve) => {
        request({ port, path, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        }).end();
      });
      expect(answered).toBe(404);
    }
    expect(stage.host.logged).toEqual([]);
  });

  it("answers 200 only when it is stored", async () => {
    stage.host.refuse = new Error("the disk is full");
    expect(await callWebhook(url, secret, update(1, "keep me"))).toBe(503);
    stage.host.refuse = undefined;
    expect(await callWebhook(url, secret, update(1, "keep me"))).toBe(200);
    expect(stage.texts()).toEqual(["keep me"]);
  });

  it("takes what is delivered twice once", async () => {
    stage.fake.faults.begin({ type: "doubled-updates" }, { method: "webhook" });
    stage.fake.people.dm(ann, { text: "once" });
    await stage.until(() => stage.host.deliveries.length === 2);
    expect(stage.texts()).toEqual(["once"]);
  });

  it("MEDIA-04 gathers an album whose pictures are delivered one by one", async () => {
    for (const name of ["one", "two", "three"]) {
      const photo = { ...stage.fake.people.upload(Buffer.from(name), `p/${name}`), width: 1, height: 1 };
      stage.fake.people.dm(ann, { photo: [photo], media_group_id: "g" });
    }
    await stage.until(() => stage.fake.world.updates.length === 0);
    expect(stage.host.received).toHaveLength(1);
    expect(stage.last()?.message).toMatchObject({ attachments: [{}, {}, {}] });
  });

  it("counts what Telegram brings as a sign of life, and is asked where nothing comes", async () => {
    const probe = () =>
      stage.within(Promise.resolve(stage.connection().probe?.(new AbortController().signal)));
    expect(stage.connection().heartbeatSeconds).toBeUndefined();
    expect(await probe()).toMatchObject({ ok: true });
    stage.fake.world.webhook.url = "https://somebody.else/";
    expect(await probe()).toMatchObject({ ok: false, detail: expect.stringContaining("another program") });
    stage.fake.world.webhook.url = url;
    stage.fake.world.webhook.lastError = {
      date: Math.floor(stage.clock.now() / 1000),
      message: "Connection refused",
    };
    stage.host.refuse = new Error("the disk is full");
    stage.fake.people.dm(ann, { text: "waits" });
    expect(await probe()).toMatchObject({ ok: false, detail: expect.stringContaining("cannot deliver") });
    stage.host.refuse = undefined;
    await stage.until(() => stage.texts().length === 1);
  });

  it("says which port is taken", async () => {
    const { telegramChannel } = await import("./index.ts");
    const { token, apiRoot } = stage.fake;
    const { port } = new URL(url);
    const more = {
      webhookUrl: url,
      webhookSecret: secret,
      webhookHost: "127.0.0.1",
      webhookPort: Number(port),
    };
    const connecting = telegramChannel.connect(
      { botToken: token, apiRoot, mode: "webhook", ...more },
      stage.host,
    );
    await expect(connecting).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("webhookPort"),
    });
  });

  it("needs an address and a secret", async () => {
    const { telegramChannel } = await import("./index.ts");
    const config = {
      botToken: stage.fake.token,
      apiRoot: stage.fake.apiRoot,
      mode: "webhook",
      webhookPort: 0,
    };
    await expect(telegramChannel.connect(config, stage.host)).rejects.toMatchObject({
      code: "rejected",
      message: expect.stringContaining("webhookSecret"),
    });
  });
});
