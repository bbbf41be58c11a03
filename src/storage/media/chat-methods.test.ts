import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf, type Entry, type Model } from "@pincer/sdk";
import { createScriptedModel } from "@pincer/sdk/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMediaStore } from "./media-store.ts";
import { connectTo } from "../../client/testing/connect-to.ts";
import { createGateway } from "../../app/create-gateway.ts";
import { gatewayParts } from "../../app/testing/gateway-parts.ts";

async function start(model: Model, queue: object = {}) {
  const home = mkdtempSync(join(tmpdir(), "pincer-chat-"));
  writeFileSync(join(home, "config.json5"), JSON.stringify({ queue }), { mode: 0o600 });
  const gateway = await createGateway(gatewayParts(home), {}, { models: [model] });
  const client = await connectTo(gateway.socket);
  onTestFinished(async () => {
    client.close();
    await gateway.stop(1000);
    rmSync(home, { recursive: true });
  });
  return { home, gateway, client };
}

const said = (entries: Entry[]) =>
  entries.flatMap((entry) => (entry.type === "message" ? [textOf(entry.message)] : []));

/** Answers nothing before it is told to. */
function heldModel(answers: string[]) {
  const scripted = createScriptedModel(answers.map((text) => ({ text })));
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const model: Model = {
    ...scripted,
    async *stream(request) {
      asked.resolve();
      await gate.promise;
      yield* scripted.stream(request);
    },
  };
  return { model, asked: asked.promise, release: () => gate.resolve() };
}

it("GW-10 says something in a session once for one key, and pages through what was said", async () => {
  const { client, gateway } = await start(createScriptedModel([{ text: "one" }, { text: "two" }]));
  expect(await client.request("chat.history", {})).toMatchObject({
    sessionId: null,
    entries: [],
    before: null,
  });
  const sent = await client.request("chat.send", { text: "hello", idempotencyKey: "a" });
  await gateway.idle();
  const again = await client.request("chat.send", { text: "hello", idempotencyKey: "a" });
  expect(again).toEqual({ ...sent, duplicate: true });
  await expect(client.request("chat.send", { text: "other", idempotencyKey: "a" })).rejects.toMatchObject({
    code: "usage/key-used",
  });
  await client.request("chat.send", { text: "more", idempotencyKey: "b" });
  await gateway.idle();
  const newest = await client.request("chat.history", { limit: 2 });
  expect(said(newest.entries)).toEqual(["more", "two"]);
  const before = await client.request("chat.history", { limit: 100, before: newest.before ?? 0 });
  expect(said(before.entries)).toEqual(["hello", "one"]);
  expect(before.before).toBeNull();
  const byId = await client.request("chat.history", { sessionKey: newest.sessionId ?? "" });
  expect(said(byId.entries)).toHaveLength(4);
});

it("joins a run of the same conversation where the config steers, and not the question of a command", async () => {
  const { model, asked, release } = heldModel(["first", "second", "third"]);
  const { client, gateway } = await start(model, { mode: "steer" });
  const first = await client.request("chat.send", { text: "begin", idempotencyKey: "a" });
  await asked;
  const joined = await client.request("chat.send", { text: "and this", idempotencyKey: "b" });
  expect(joined).toMatchObject({ runId: first.runId, joined: true });
  const own = await client.request("agent.run", { input: "mine", idempotencyKey: "c" });
  expect(own.runId).not.toBe(first.runId);
  const behind = await client.request("chat.send", { text: "after that", idempotencyKey: "d" });
  expect(behind).toMatchObject({ joined: false });
  release();
  await gateway.idle();
  const { entries } = await client.request("chat.history", {});
  expect(said(entries)).toEqual(expect.arrayContaining(["begin", "and this", "mine", "after that"]));
});

it("queues behind where the config says so, and stops what runs and waits", async () => {
  const { model, asked, release } = heldModel(["first"]);
  const { client, gateway } = await start(model, { mode: "followup" });
  const first = await client.request("chat.send", { text: "begin", idempotencyKey: "a" });
  await asked;
  const second = await client.request("chat.send", { text: "next", idempotencyKey: "b" });
  expect(second).toMatchObject({ joined: false });
  expect(second.runId).not.toBe(first.runId);
  expect(await client.request("chat.abort", {})).toEqual({ stopped: 2 });
  release();
  await gateway.idle();
  for (const { runId } of [first, second])
    expect(await client.request("agent.wait", { runId })).toMatchObject({ error: { code: "turn/aborted" } });
  expect(await client.request("chat.abort", {})).toEqual({ stopped: 0 });
});

it("UI-01 says nothing in another session than the one that is named: one that has ended is resumed first", async () => {
  const model = createScriptedModel(["one", "two", "three"].map((text) => ({ text })));
  const { client, gateway } = await start(model);
  await client.request("chat.send", { text: "hello", idempotencyKey: "a" });
  await gateway.idle();
  const { sessionId: older } = await client.request("chat.history", {});
  await client.request("agent.run", { input: "anew", newSession: true, idempotencyKey: "b" });
  await gateway.idle();
  const sessionKey = older ?? "";
  expect(await client.request("chat.history", { sessionKey })).toMatchObject({ isEnded: true });
  const send = () => client.request("chat.send", { sessionKey, text: "more", idempotencyKey: "c" });
  await expect(send()).rejects.toMatchObject({ code: "usage/bad-argument" });
  await client.request("sessions.resume", { sessionKey, idempotencyKey: "d" });
  await send();
  await gateway.idle();
  const { entries, isEnded } = await client.request("chat.history", { sessionKey });
  expect([said(entries), isEnded]).toEqual([["hello", "one", "more", "three"], false]);
  expect(said((await client.request("chat.history", {})).entries)).toEqual(said(entries));
});

it("refuses too many, and files that are not there", async () => {
  const { model, asked, release } = heldModel(["first", "second"]);
  const { client, gateway } = await start(model, { mode: "followup", cap: 1 });
  await client.request("chat.send", { text: "one", idempotencyKey: "a" });
  await asked;
  await client.request("chat.send", { text: "two", idempotencyKey: "b" });
  await expect(client.request("chat.send", { text: "three", idempotencyKey: "c" })).rejects.toMatchObject({
    code: "session/busy",
  });
  await expect(
    client.request("chat.send", { text: "look", attachments: ["sha256:none"], idempotencyKey: "d" }),
  ).rejects.toMatchObject({ code: "usage/not-found" });
  release();
  await gateway.idle();
});

it("UI-01 goes back to before a message and says other words: what came after is kept and shown to no model", async () => {
  const model = createScriptedModel([{ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" }]);
  const { client, gateway } = await start(model);
  for (const [key, text] of Object.entries({ a: "first words", b: "second words" })) {
    await client.request("chat.send", { text, idempotencyKey: key });
    await gateway.idle();
  }
  const { entries } = await client.request("chat.history", {});
  const second = entries.find(
    (entry) => entry.type === "message" && textOf(entry.message) === "second words",
  );
  const seq = second?.seq ?? 0;
  const edited = { seq, text: "other words", idempotencyKey: "c" };
  const sent = await client.request("chat.resend", edited);
  await gateway.idle();
  expect(await client.request("chat.resend", edited)).toEqual({ ...sent, duplicate: true });
  const shown = () => model.requests.at(-1)?.messages.map(textOf);
  expect(shown()).toEqual(["first words", "one", "other words"]);
  const after = (await client.request("chat.history", {})).entries;
  expect(said(after)).toEqual(["first words", "one", "second words", "two", "other words", "three"]);
  const mark = after.find((entry) => entry.type === "event" && entry.name === "set-aside");
  expect(mark).toMatchObject({
    seq: 6 + (entries[0]?.seq ?? 1) - 1,
    data: { from: seq, turnId: sent.runId },
  });
  const last = after.findLast((entry) => entry.type === "message" && entry.message.role === "user");
  await client.request("chat.resend", { seq: last?.seq ?? 0, idempotencyKey: "d" });
  await gateway.idle();
  expect(shown()).toEqual(["first words", "one", "other words"]);
});

it("UI-01 says nothing again that is no message of the asker's", async () => {
  const { client, gateway } = await start(createScriptedModel([{ text: "one" }]));
  const again = (seq: number) => client.request("chat.resend", { seq, idempotencyKey: `k${seq}` });
  await expect(again(2)).rejects.toMatchObject({ code: "usage/not-found" });
  await client.request("chat.send", { text: "hello", idempotencyKey: "a" });
  await gateway.idle();
  const { entries } = await client.request("chat.history", {});
  for (const entry of entries.filter(({ seq }) => seq > 1)) {
    if (entry.type === "message" && entry.message.role === "user") continue;
    await expect(again(entry.seq)).rejects.toMatchObject({ code: "usage/not-found" });
  }
  await expect(again(999)).rejects.toMatchObject({ code: "usage/not-found" });
});

describe("a file and its words", () => {
  /** The two are said; `seq` is where. */
  async function sayWithFile(text: string) {
    const model = createScriptedModel([{ text: "one" }, { text: "two" }]);
    const { home, client, gateway } = await start(model);
    const store = createMediaStore({ directory: join(home, "media") });
    const { media } = await store.store(Buffer.from("words"), { mimeType: "text/plain", name: "a.txt" });
    const attachments = [{ id: media, name: "a.txt" }];
    await client.request("chat.send", { text, attachments, idempotencyKey: "a" });
    await gateway.idle();
    const users = async () =>
      (await client.request("chat.history", {})).entries.flatMap((entry) =>
        entry.type === "message" && entry.message.role === "user" ? [{ ...entry, ...entry.message }] : [],
      );
    const [asked] = await users();
    const shown = () => model.requests.at(-1)?.messages.map(textOf);
    const files = async () =>
      (await users()).map((message) => message.files?.map(({ media: id, name }) => ({ id, name })));
    return { client, gateway, seq: asked?.seq ?? 0, attachments, shown, files };
  }

  it("UI-01 a file that came without words is answered again in its place, and stays with it", async () => {
    const { client, gateway, seq, attachments, shown, files } = await sayWithFile("");
    await client.request("chat.resend", { seq, idempotencyKey: "b" });
    await gateway.idle();
    expect(shown()).toEqual(["[file: a.txt]"]);
    expect(await files()).toEqual([attachments, attachments]);
    const { entries } = await client.request("chat.history", {});
    expect(entries).toContainEqual(
      expect.objectContaining({
        type: "event",
        name: "set-aside",
        data: expect.objectContaining({ from: seq }),
      }),
    );
  });

  it("UI-01 all words may go where a file stays, and not where nothing would be left", async () => {
    const { client, gateway, seq, shown } = await sayWithFile("look at this");
    const nothing = { seq, text: "", attachments: [], idempotencyKey: "b" };
    await expect(client.request("chat.resend", nothing)).rejects.toMatchObject({
      code: "usage/bad-argument",
      message: "The message has no text and no file.",
    });
    expect(shown()).toEqual(["look at this\n[file: a.txt]"]);
    await client.request("chat.resend", { seq, text: "", idempotencyKey: "c" });
    await gateway.idle();
    expect(shown()).toEqual(["[file: a.txt]"]);
  });
});
