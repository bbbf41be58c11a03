/** What the connector does when Telegram misbehaves, against the stand-in. Times are of the clock in the test's hand. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SendError, type OutboundMessage } from "@pincer/sdk";
import { createRecordingHost } from "@pincer/sdk/testing";
import { telegramChannel } from "./index.ts";
import type { Fault } from "./testing/bot-api-faults.ts";
import type { FakePerson } from "./testing/bot-api-world.ts";
import { attempt, createTelegramStage, type TelegramStage } from "./testing/telegram-stage.ts";

let stage: TelegramStage;
let ann: FakePerson;
/** For the tests of a group that run one after another. */
function shareStage(): void {
  beforeEach(async () => {
    stage = await createTelegramStage();
    ann = stage.fake.people.person(1001, "Ann");
  });
  afterEach(() => stage.close());
}

const say = (text: string) => stage.fake.people.dm(ann, { text });
const toAnn = (text: string): OutboundMessage => ({
  channel: "telegram",
  accountId: "default",
  target: { peerKind: "user", peerId: "1001" },
  response: { text, attachments: [] },
});

const incoming: Array<[string, Fault, { method?: string; isHeard?: true }?]> = [
  ["another poller (409)", { type: "conflict" }],
  ["a webhook set by another program (409)", { type: "webhook-conflict" }],
  ["a wish for a pause (429)", { type: "rate-limited", retryAfter: 7 }],
  ["an internal error (500)", { type: "server-error", status: 500 }],
  ["a bad gateway (502)", { type: "server-error", status: 502 }],
  ["a page instead of JSON (502)", { type: "html-page", status: 502 }],
  ["a gateway that times out (504)", { type: "html-page", status: 504 }],
  ["a connection that is taken and never answered", { type: "half-open" }],
  ["a head without a body", { type: "stalled-body" }],
  ["a body that drips and never ends", { type: "slow-body" }],
  ["connections that are reset", { type: "reset" }],
  ["connections that are reset in the body", { type: "reset-in-body" }],
  ["JSON that is cut off", { type: "truncated-json" }],
  ["an answer without end", { type: "giant", bytes: 17 * 1024 * 1024 }],
  ["null for a list", { type: "not-the-shape", result: null }],
  ["a word for a list", { type: "not-the-shape", result: "nothing" }],
  ["updates without numbers", { type: "not-the-shape", result: [{ message: {} }, 3] }],
  ["a revoked token (401)", { type: "revoked" }],
  ["a redirection", { type: "redirect" }],
  ["a refusal without sense (400)", { type: "bad-request", description: "who knows" }],
  ["updates brought twice", { type: "doubled-updates" }, { isHeard: true }],
  ["updates in the wrong order", { type: "reversed-updates" }, { isHeard: true }],
  ["confirmed updates brought again", { type: "forgotten-offset" }, { isHeard: true }],
  ["things that are no updates between them", { type: "junk-updates" }, { isHeard: true }],
  ["empty answers at once", { type: "no-long-poll" }, { isHeard: true }],
  ["every method down", { type: "server-error", status: 503 }, { method: "*" }],
  ["a deaf server that answers", { type: "deaf" }, { isHeard: true }],
];

// Side by side, each with a stand-in of its own: mostly they wait for the network of this machine.
describe.concurrent("CHAN-01 what comes in while Telegram misbehaves", () => {
  it.for(incoming)(
    "nothing is lost or doubled by %s, and half a minute after its end all is there",
    { timeout: 60_000 },
    async ([, fault, { method = "getUpdates", isHeard } = {}], { onTestFinished }) => {
      const stage = await createTelegramStage();
      onTestFinished(() => stage.close());
      const ann = stage.fake.people.person(1001, "Ann");
      const say = (text: string) => stage.fake.people.dm(ann, { text });
      say("before");
      await stage.until(() => stage.texts().length === 1);
      const trouble = stage.fake.faults.begin(fault, { method: method === "*" ? undefined : method });
      await stage.until(() => trouble.met() > 0);
      const signs = stage.host.signs;
      const calls = stage.fake.calls.length;
      say("meanwhile");
      await stage.pass(45_000);
      const heard = stage.host.signs - signs;
      expect(isHeard ? 0 : heard).toBe(0);
      // Never a tight loop: less than two questions a second on the whole.
      expect(stage.fake.calls.length - calls).toBeLessThan(90);
      trouble.end();
      say("after");
      expect(await stage.until(() => stage.texts().length >= 3, 30_000)).toBeLessThanOrEqual(30_000);
      await stage.pass(3000);
      expect(stage.texts()).toEqual(["before", "meanwhile", "after"]);
    },
  );
});

describe("CHAN-01 what comes in when Telegram is back", () => {
  shareStage();

  it("nothing is lost while nobody answers at all, and a short while after that all is there", async () => {
    await stage.fake.shut();
    await stage.pass(40_000);
    await stage.fake.reopen();
    say("at last");
    await stage.until(() => stage.texts().length === 1, 30_000);
    expect(stage.texts()).toEqual(["at last"]);
  });

  it("a clock that is wrong by years loses nothing", async () => {
    stage.fake.world.skew(-20 * 365 * 24 * 3600 * 1000);
    say("from the past");
    stage.fake.world.skew(20 * 365 * 24 * 3600 * 1000);
    say("from the future");
    await stage.until(() => stage.texts().length === 2);
    expect(stage.texts()).toEqual(["from the past", "from the future"]);
  });

  it("CHAN-01 a second poller is explained in words", async () => {
    stage.fake.faults.begin({ type: "conflict" }, { method: "getUpdates" });
    await stage.until(() => stage.host.troubles.length > 0);
    expect(stage.host.troubles[0]).toContain("another program is polling with this bot token");
  });

  it("CHAN-01 a webhook that another program has set is removed again, and what came meanwhile is read", async () => {
    await stage.until(() => stage.fake.polling() > 0);
    stage.fake.world.webhook.url = "http://127.0.0.1:9/hook";
    await stage.until(() => stage.host.troubles.length > 0);
    say("meanwhile");
    await stage.until(() => stage.texts().length === 1, 60_000);
    expect(stage.host.troubles.join()).toContain("a webhook has been set for this bot meanwhile");
    expect(stage.host.lostReasons).toEqual([]);
  });

  it("CHAN-01 where it stopped reading cannot be loaded: answers go out, nothing counts as heard, and later all is read", async () => {
    const { cursor } = stage.host;
    say("before");
    await stage.until(() => stage.texts().length === 1);
    await stage.pass(1000);
    const { load } = cursor;
    cursor.load = async () => {
      throw new Error("database disk image is malformed");
    };
    await stage.restart();
    const { signs } = stage.host;
    say("meanwhile");
    const actions = [
      { label: "Yes", send: "/approve a1" },
      { label: "Other", send: `/approve ${"long ".repeat(20)}` },
    ];
    const { response, ...to } = toAnn("your answer");
    await stage.within(stage.connection().send({ ...to, response: { ...response, actions } }, attempt("k1")));
    await stage.pass(70_000);
    expect(stage.fake.people.seen(1001)).toEqual(["your answer"]);
    const sent = stage.fake.calls.find(({ method }) => method === "sendMessage");
    expect(JSON.stringify(sent?.given)).toContain("=/approve a1");
    expect(JSON.stringify(sent?.given)).not.toContain("Other");
    expect({ signs: stage.host.signs, texts: stage.texts() }).toEqual({ signs, texts: ["before"] });
    expect(stage.host.troubles.at(-1)).toContain("database disk image is malformed");
    expect(await stage.connection().probe?.(new AbortController().signal)).toMatchObject({
      ok: false,
      canSend: true,
    });
    cursor.load = load;
    await stage.until(() => stage.texts().length === 2, 10_000);
    expect(stage.texts()).toEqual(["before", "meanwhile"]);
  });

  it("CHAN-01 a revoked token is explained, and the token itself is said nowhere", async () => {
    stage.fake.faults.begin({ type: "revoked" });
    await stage.until(() => stage.host.lostReasons.length > 1);
    expect(stage.host.lostReasons.join()).toContain("@BotFather");
    expect([...stage.host.lostReasons, ...stage.host.logged].join()).not.toContain("TEST-token");
  });

  it("goes on when a message cannot be stored, and stores it then", async () => {
    stage.host.refuse = new Error("the disk is full");
    say("keep me");
    await stage.until(() => stage.host.deliveries.length > 0);
    const { signs } = stage.host;
    await stage.until(() => stage.host.deliveries.length > 3);
    // An answer of the network is no sign of hearing while nothing can be stored.
    expect(stage.host.signs).toBe(signs);
    stage.host.refuse = undefined;
    await stage.until(() => stage.texts().length === 1, 30_000);
    expect(stage.texts()).toEqual(["keep me"]);
    await stage.until(() => stage.host.signs > signs);
  });

  it("has everybody told who waits behind a message that cannot be stored", async () => {
    stage.host.refuse = new Error("the disk is full");
    say("one");
    const bob = stage.fake.people.person(1002, "Bob");
    stage.fake.people.dm(bob, { text: "two" });
    await stage.until(() => stage.host.delayed.length > 0);
    stage.host.refuse = undefined;
    await stage.until(() => stage.texts().length === 2, 30_000);
    expect(stage.texts()).toEqual(["one", "two"]);
    expect(new Set(stage.host.delayed)).toEqual(new Set([stage.host.received[1]?.message.id]));
  });
});

const outgoing: Array<[string, Fault, string, number]> = [
  ["a wish for a pause", { type: "rate-limited", retryAfter: 9 }, "rate-limited", 0],
  ["an internal error", { type: "server-error", status: 500 }, "unavailable", 0],
  ["a revoked token", { type: "revoked" }, "unavailable", 0],
  ["a person who has blocked the bot", { type: "blocked" }, "rejected", 0],
  ["a chat that is not there", { type: "chat-not-found" }, "rejected", 0],
  ["a page of a gateway", { type: "html-page", status: 502 }, "closed", 0],
  ["a page of a gateway after it was sent", { type: "html-page", status: 504, after: true }, "closed", 1],
  ["an answer that is lost after it was sent", { type: "lost-answer" }, "closed", 1],
  ["a reset connection", { type: "reset" }, "closed", 0],
  ["a reset in the answer", { type: "reset-in-body" }, "closed", 0],
  ["an answer that is cut off", { type: "truncated-json" }, "closed", 0],
  ["an answer without a message", { type: "not-the-shape", result: true }, "closed", 0],
  ["an answer without end", { type: "giant", bytes: 17 * 1024 * 1024 }, "closed", 0],
  ["a redirection", { type: "redirect" }, "closed", 0],
];

const deafness: Array<[string, Fault]> = [
  ["another poller (409)", { type: "conflict" }],
  ["a bad gateway (502)", { type: "server-error", status: 502 }],
  ["a connection that is taken and never answered", { type: "half-open" }],
  ["a refusal without sense (400)", { type: "bad-request", description: "who knows" }],
];

describe("CHAN-01 what goes out while nothing comes in", () => {
  shareStage();

  it.each(deafness)("goes out at once, from the first connection on, with %s", async (_, fault) => {
    const trouble = stage.fake.faults.begin(fault, { method: "getUpdates" });
    await stage.restart();
    await stage.within(stage.connection().send(toAnn("one"), attempt("k1")), 5000);
    await stage.until(() => stage.host.troubles.length > 0, 30_000);
    const { signs } = stage.host;
    await stage.pass(60_000);
    await stage.within(stage.connection().send(toAnn("two"), attempt("k2")), 5000);
    expect(stage.fake.people.seen(1001)).toEqual(["one", "two"]);
    expect({ signs: stage.host.signs, lost: stage.host.lostReasons }).toEqual({ signs, lost: [] });
    // What is said often enough to count as asking.
    expect(stage.host.troubles.length).toBeGreaterThan(1);
    trouble.end();
    await stage.until(() => stage.host.signs > signs, 30_000);
  });
});

describe("CHAN-01 a long pause that Telegram wants", () => {
  shareStage();

  it("is kept, and said again and again, so that nobody takes it for silence", async () => {
    await stage.until(() => stage.fake.polling() > 0);
    const fault: Fault = { type: "rate-limited", retryAfter: 300 };
    stage.fake.faults.begin(fault, { method: "getUpdates", times: 1 });
    await stage.until(() => stage.host.troubles.length > 0);
    const asked = () => stage.fake.calls.filter(({ method }) => method === "getUpdates").length;
    const before = asked();
    await stage.pass(290_000);
    expect(asked()).toBe(before);
    expect(stage.host.troubles.length).toBeGreaterThan(10);
    await stage.pass(15_000);
    expect(asked()).toBeGreaterThan(before);
  });
});

describe("CHAN-01 what goes out while Telegram misbehaves", () => {
  shareStage();

  it.each(outgoing)("%s is named, and the next one works", async (_, fault, code, shown) => {
    stage.fake.faults.begin(fault, { method: "sendMessage", times: 1 });
    const failure = await stage
      .connection()
      .send(toAnn("hello"), attempt("k1"))
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SendError);
    expect(failure).toMatchObject({ code });
    expect(String((failure as Error).message)).not.toContain("TEST-token");
    expect(stage.fake.people.seen(1001)).toHaveLength(shown);
    await stage.connection().send(toAnn("again"), attempt("k2"));
    expect(stage.fake.people.seen(1001).at(-1)).toBe("again");
  });

  it("says how long Telegram wants to be left alone", async () => {
    stage.fake.faults.begin({ type: "rate-limited", retryAfter: 9 }, { method: "sendMessage", times: 1 });
    await expect(stage.connection().send(toAnn("x"), attempt())).rejects.toMatchObject({
      retryAfterMs: 9000,
    });
  });

  it("a send that hangs ends with its signal, and nobody knows whether it arrived", async () => {
    stage.fake.faults.begin({ type: "half-open" }, { method: "sendMessage", times: 1 });
    const stopping = new AbortController();
    const sending = stage.connection().send(toAnn("x"), { ...attempt(), signal: stopping.signal });
    await stage.fake.until(() => stage.fake.calls.some(({ method }) => method === "sendMessage"));
    stopping.abort();
    await expect(sending).rejects.toMatchObject({ code: "closed" });
  });

  it("certainly nothing was sent where nobody answers, or nobody with a certificate", async () => {
    const { apiRoot, token } = stage.fake;
    const secure = apiRoot.replace("http:", "https:");
    const config = { botToken: token, apiRoot: secure, mode: "polling", linkPreviews: false };
    const connecting = telegramChannel.connect(config, createRecordingHost({ clock: stage.clock }));
    await expect(connecting).rejects.toMatchObject({ code: "unavailable" });
    await stage.fake.shut();
    await expect(stage.connection().send(toAnn("x"), attempt())).rejects.toMatchObject({
      code: "unavailable",
    });
    await stage.fake.reopen();
  });

  it("CHAN-01 a certificate that nobody vouches for is no server, and never sees the token", async () => {
    const fixtures = new URL("../../../src/models/wire/fixtures/", import.meta.url);
    const [key, cert] = await Promise.all(
      ["self-signed-key.pem", "self-signed-certificate.pem"].map((name) => readFile(new URL(name, fixtures))),
    );
    const asked: Array<string | undefined> = [];
    const impostor = createServer({ key, cert }, (request, response) => {
      asked.push(request.url);
      response.end('{"ok":true,"result":{"id":1,"username":"impostor_bot"}}');
    });
    await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
    const { port } = impostor.address() as AddressInfo;
    const config = { botToken: stage.fake.token, apiRoot: `https://localhost:${port}`, mode: "polling" };
    const connecting = telegramChannel.connect(config, createRecordingHost({ clock: stage.clock }));
    await expect(connecting).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("certificate"),
    });
    expect(asked).toEqual([]);
    impostor.closeAllConnections();
    impostor.close();
  });

  it("a token that was never one breaks the account", async () => {
    const config = { botToken: "1:wrong", apiRoot: stage.fake.apiRoot, mode: "polling", linkPreviews: false };
    const connecting = telegramChannel.connect(config, createRecordingHost({ clock: stage.clock }));
    await expect(connecting).rejects.toMatchObject({
      code: "rejected",
      message: expect.stringContaining("@BotFather"),
    });
  });
});
