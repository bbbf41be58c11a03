import { createHmac } from "node:crypto";
import { readFile, writeFile, mkdtemp, rm } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { createConnection, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { PincerError, type ChannelConnection, type OutboundMessage } from "@pincer/sdk";
import { createRecordingHost, type RecordingHost } from "@pincer/sdk/testing";
import { describeChannelContract } from "@pincer/sdk/testing/contracts";
import { Check, Default } from "typebox/value";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../test/free-port.ts";
import { openListener } from "./open-listener.ts";
import { webhookChannel } from "./webhook-channel.ts";

const secret = "0123456789abcdef01234567";

const sign = (body: string, stamp: string, key = secret) =>
  `sha256=${createHmac("sha256", key).update(`${stamp}.${body}`).digest("hex")}`;

const nowStamp = () => String(Math.floor(Date.now() / 1000));

function signed(body: string, { stamp = nowStamp(), key = secret } = {}): RequestInit {
  const headers = { "x-pincer-timestamp": stamp, "x-pincer-signature": sign(body, stamp, key) };
  return { method: "POST", body, headers };
}

interface Heard {
  headers: IncomingHttpHeaders;
  body: string;
}

/** The other side: a program that shows what it is posted, each key once. */
async function startApp() {
  const heard: Heard[] = [];
  const shown = new Map<string, { chat: string; text: string }>();
  const failures: Array<
    number | "endless" | { status: number; headers?: Record<string, string>; body?: string }
  > = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    heard.push({ headers: request.headers, body });
    const next = failures.shift();
    if (next === 0) return void request.socket.destroy();
    if (next === "endless") {
      response.writeHead(200);
      const writing = setInterval(() => response.write("x".repeat(100_000)), 10);
      return void response.on("close", () => clearInterval(writing));
    }
    if (next !== undefined) {
      const { status, headers = {}, body: words = "" } = typeof next === "number" ? { status: next } : next;
      return void response.writeHead(status, headers).end(words);
    }
    const call = JSON.parse(body) as { id?: string; edit?: string; chat: string; text: string };
    const id = call.edit ?? call.id ?? "";
    if (call.edit !== undefined || !shown.has(id)) shown.set(id, call);
    response.end(JSON.stringify({ messageId: id }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/answers`,
    heard,
    failures,
    seen: (chat: string) => [...shown.values()].filter((each) => each.chat === chat).map(({ text }) => text),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Calls until it is taken, as the guide asks for. */
function createCaller(port: number) {
  const closing = new AbortController();
  const work: Array<Promise<void>> = [];
  async function callUntilTaken(body: string): Promise<void> {
    while (!closing.signal.aborted) {
      const response = await fetch(`http://127.0.0.1:${port}/messages`, signed(body)).catch(() => undefined);
      if (response && response.status < 500) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  let last: Promise<void> = Promise.resolve();
  return {
    write(message: object) {
      last = last.then(() => callUntilTaken(JSON.stringify(message)));
      work.push(last);
    },
    async close() {
      closing.abort();
      await Promise.all(work);
    },
  };
}

describeChannelContract("the webhook channel", async () => {
  const port = await freePort();
  const app = await startApp();
  const caller = createCaller(port);
  return {
    channel: webhookChannel,
    config: { secret, port, url: app.url, edits: true },
    write: async ({ id, text, chat }) => caller.write({ id, text, from: chat }),
    seen: async (chat) => app.seen(chat),
    failNextSend: (code) => {
      app.failures.push({ "rate-limited": 429, unavailable: 503, rejected: 422, closed: 0 }[code]);
    },
    close: async () => {
      await caller.close();
      await app.close();
    },
  };
});

describe("the webhook channel", () => {
  let host: RecordingHost;
  let port: number;
  let app: Awaited<ReturnType<typeof startApp>>;
  let connection: ChannelConnection;
  beforeEach(async () => {
    host = createRecordingHost();
    port = await freePort();
    app = await startApp();
    connection = await webhookChannel.connect({ secret, port, url: app.url, edits: false }, host);
  });
  afterEach(async () => {
    host.stop();
    await connection.close();
    await app.close();
  });
  const call = (body: unknown, more: Parameters<typeof signed>[1] = {}) =>
    fetch(
      `http://127.0.0.1:${port}/messages`,
      signed(typeof body === "string" ? body : JSON.stringify(body), more),
    );
  const outbound = (more: Partial<OutboundMessage> = {}): OutboundMessage => ({
    channel: "webhook",
    accountId: "default",
    target: { peerKind: "user", peerId: "ann" },
    response: { text: "hello", attachments: [] },
    ...more,
  });
  const attempt = { idempotencyKey: "k1", attempt: 1, signal: new AbortController().signal };

  it("takes a message with everything that one can have", async () => {
    const file = { name: "a.txt", type: "text/plain", content: Buffer.from("hi").toString("base64") };
    const body = {
      id: "1",
      from: "ann",
      name: "Ann",
      text: "look",
      chat: "team/a",
      group: true,
      mentioned: true,
      thread: "t1",
      replyTo: { id: "0", text: "before" },
      timestamp: 5,
      files: [file],
    };
    const response = await call(body);
    expect([response.status, await response.json()]).toEqual([202, { duplicate: false }]);
    expect(await (await call(body)).json()).toEqual({ duplicate: true });
    expect(host.received).toMatchObject([
      {
        peer: { kind: "group", id: "team/a" },
        threadId: "t1",
        sender: { id: "ann", name: "Ann" },
        message: {
          id: "group:team%2fa:t1/1",
          text: "look",
          mentioned: true,
          replyTo: { id: "group:team%2fa:t1/0", text: "before" },
          attachments: [{ mimeType: "text/plain", name: "a.txt", sizeBytes: 2 }],
        },
        timestamp: 5,
      },
    ]);
  });

  it("PROTO-11 keeps equal ids of two chats apart", async () => {
    await call({ id: "1", from: "ann", text: "x" });
    await call({ id: "1", from: "bob", text: "x" });
    await call({ id: "1", from: "ann", chat: "ann", group: true, text: "x" });
    expect(host.received.map(({ message }) => message.id)).toEqual([
      "user:ann/1",
      "user:bob/1",
      "group:ann/1",
    ]);
    expect(host.received[2]?.message).toMatchObject({ mentioned: false });
  });

  const good = { id: "1", from: "ann", text: "x" };
  it.each([
    ["no JSON", "{"],
    ["no object", []],
    ["no id", { from: "ann", text: "x" }],
    ["an empty id", { ...good, id: "" }],
    ["no sender", { id: "1", text: "x" }],
    ["an empty sender", { ...good, from: "" }],
    ["an unknown key", { ...good, txet: "x" }],
    ["a text that is none", { ...good, text: 5 }],
    ["a long id", { ...good, id: "x".repeat(201) }],
    ["a file that is no base64", { ...good, files: [{ type: "text/plain", content: "%%" }] }],
    [
      "too many files",
      { ...good, files: Array.from({ length: 11 }, () => ({ type: "a/b", content: "aaaa" })) },
    ],
    ["a time that is none", { ...good, timestamp: -1 }],
  ])("refuses a call with %s", async (_what, body) => {
    expect((await call(body)).status).toBe(400);
    expect(host.deliveries).toEqual([]);
  });

  it("says when a message is never taken, and when it should come again", async () => {
    host.refuse = new PincerError("usage/bad-argument", "too long");
    expect((await call(good)).status).toBe(400);
    host.refuse = new Error("the disk is full");
    const response = await call(good);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  });

  it.each([
    ["another secret", () => signed(JSON.stringify(good), { key: "another secret of good length" })],
    [
      "no signature",
      () => ({ method: "POST", body: JSON.stringify(good), headers: { "x-pincer-timestamp": nowStamp() } }),
    ],
    ["no time", () => ({ method: "POST", body: JSON.stringify(good) })],
    ["a time that is none", () => signed(JSON.stringify(good), { stamp: "soon" })],
    [
      "an old time",
      () => signed(JSON.stringify(good), { stamp: String(Math.floor(Date.now() / 1000) - 400) }),
    ],
    [
      "a time to come",
      () => signed(JSON.stringify(good), { stamp: String(Math.floor(Date.now() / 1000) + 400) }),
    ],
    [
      "another body",
      () => ({ ...signed(JSON.stringify(good)), body: JSON.stringify({ ...good, text: "y" }) }),
    ],
  ])("PROTO-11 refuses a call with %s", async (_what, make) => {
    expect((await fetch(`http://127.0.0.1:${port}/messages`, make())).status).toBe(401);
    expect(host.deliveries).toEqual([]);
  });

  it("reads nothing that says it is too long, and stops where more comes than was said", async () => {
    const tell = (headers: Record<string, string>, write: (to: NodeJS.WritableStream) => void) =>
      new Promise<number | undefined>((resolve) => {
        const stamped = { "x-pincer-timestamp": nowStamp(), ...headers };
        const outgoing = httpRequest({ port, path: "/messages", method: "POST", headers: stamped });
        outgoing.on("response", (response) => resolve(response.statusCode));
        outgoing.on("error", () => resolve(undefined));
        write(outgoing);
      });
    expect(await tell({ "content-length": "999999999" }, (to) => void to.write("x"))).toBe(413);
    const endless = await tell({ "transfer-encoding": "chunked" }, (to) => {
      const chunk = Buffer.alloc(1024 * 1024);
      for (let count = 0; count < 20; count++) to.write(chunk);
    });
    expect([413, undefined]).toContain(endless);
    expect((await call(good)).status).toBe(202);
  });

  it("gives up a call that does not come to its end", async () => {
    const other = await freePort();
    const close = await openListener({ port: other, secret, patienceMs: 100 }, host);
    const socket = createConnection(other, "127.0.0.1");
    const answered = new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
    socket.write(
      `POST /messages HTTP/1.1\r\nhost: x\r\nx-pincer-timestamp: ${nowStamp()}\r\ncontent-length: 10\r\n\r\nab`,
    );
    expect(await answered).toMatch(/^HTTP\/1.1 408/);
    socket.destroy();
    await close();
  });

  it("has no other path and no other method", async () => {
    const status = async (path: string, method: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status;
    expect(await status("/", "POST")).toBe(404);
    expect(await status("/messages", "GET")).toBe(405);
    expect(await status("/messages?x", "POST")).toBe(404);
  });

  it("signs what it posts, with the key that is the same for every attempt", async () => {
    app.failures.push(500);
    await expect(connection.send(outbound(), attempt)).rejects.toMatchObject({ code: "closed" });
    await connection.send(outbound(), { ...attempt, attempt: 2 });
    const [first, second] = app.heard;
    expect([first?.headers["idempotency-key"], second?.headers["idempotency-key"]]).toEqual(["k1", "k1"]);
    const stamp = String(second?.headers["x-pincer-timestamp"]);
    expect(second?.headers["x-pincer-signature"]).toBe(sign(second?.body ?? "", stamp));
    expect(JSON.parse(second?.body ?? "")).toEqual({ id: "k1", chat: "ann", text: "hello" });
  });

  it("posts everything that an answer can have", async () => {
    const media = await host.media.store(Buffer.from("hi"), { mimeType: "text/plain", name: "a.txt" });
    const message = outbound({
      target: { peerKind: "group", peerId: "team", threadId: "t1" },
      response: { text: "hello", attachments: [media], actions: [{ label: "Yes", send: "/yes" }] },
      replyTo: "group:team:t1/7/8",
    });
    await connection.send(message, attempt);
    expect(JSON.parse(app.heard[0]?.body ?? "")).toEqual({
      id: "k1",
      chat: "team",
      group: true,
      thread: "t1",
      replyTo: "7/8",
      text: "hello",
      actions: [{ label: "Yes", send: "/yes" }],
      files: [{ name: "a.txt", type: "text/plain", content: "aGk=" }],
    });
  });

  it.each([
    [
      { status: 429, headers: { "retry-after": "7" } },
      { code: "rate-limited", retryAfterMs: 7000 },
    ],
    [
      { status: 429, headers: { "retry-after": "soon" } },
      { code: "rate-limited", retryAfterMs: undefined },
    ],
    [{ status: 503 }, { code: "unavailable" }],
    [{ status: 502 }, { code: "closed" }],
    [{ status: 408 }, { code: "closed" }],
    [{ status: 404 }, { code: "rejected" }],
    [{ status: 302, headers: { location: "http://127.0.0.1:9/" } }, { code: "rejected" }],
  ])("PLUG-06 reads the answer %j", async (answer, failure) => {
    app.failures.push(answer);
    await expect(connection.send(outbound(), attempt)).rejects.toMatchObject(failure);
  });

  it("takes 409 for yes, and any body for none", async () => {
    app.failures.push({ status: 409 }, { status: 200, body: "ok" }, "endless");
    for (let count = 0; count < 3; count++)
      expect(await connection.send(outbound(), attempt)).toEqual({ messageId: "k1" });
  });

  it("knows that nothing was sent where nobody listens", async () => {
    await app.close();
    await expect(connection.send(outbound(), attempt)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("CHAN-19 asks itself whether messages could come in", async () => {
    const asked = new AbortController().signal;
    expect(connection.heartbeatSeconds).toBeUndefined();
    expect(await connection.probe?.(asked)).toEqual({ ok: true });
    await connection.close();
    await expect(connection.probe?.(asked)).rejects.toThrow(/fetch failed/);
  });

  it("says that a port is taken, and that there is nothing to do", async () => {
    await expect(webhookChannel.connect({ secret, port, edits: false }, host)).rejects.toMatchObject({
      code: "unavailable",
    });
    await expect(webhookChannel.connect({ secret, edits: false }, host)).rejects.toMatchObject({
      code: "rejected",
    });
    const deaf = await webhookChannel.connect({ secret, url: app.url, edits: false }, host);
    expect(await deaf.probe?.(host.signal)).toMatchObject({ ok: true });
    expect(deaf.edit).toBeUndefined();
    await deaf.close();
    const mute = await webhookChannel.connect({ secret, port: await freePort(), edits: false }, host);
    await expect(mute.send(outbound(), attempt)).rejects.toMatchObject({ code: "rejected" });
    await mute.close();
  });

  it.each([{ secret: "short" }, { port: 0 }, { url: "ftp://x" }, { url: "javascript:1" }])(
    "CFG-11 refuses the config %j",
    (more) => {
      const whole = (given: object) => Default(webhookChannel.config, { secret, port: 18_700, ...given });
      expect(Check(webhookChannel.config, whole(more))).toBe(false);
      expect(Check(webhookChannel.config, whole({}))).toBe(true);
    },
  );

  describe("as the guide shows it", () => {
    let directory: string;
    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), "webhook-"));
    });
    afterEach(() => rm(directory, { recursive: true }));
    const guide = readFile(new URL("../../../docs/guides/webhook-channel.md", import.meta.url), "utf8");
    const blockOf = async (kind: string, having: string): Promise<string> => {
      const blocks = [...(await guide).matchAll(/^```(\w+)\n(.*?)^```$/gms)];
      const found = blocks.find(([, name, text]) => name === kind && text?.includes(having));
      return found?.[2] ?? "";
    };

    it("a call by curl is taken", async () => {
      const script = (await blockOf("sh", "curl")).replaceAll("18700", String(port));
      const { stdout } = await promisify(execFile)("bash", ["-c", script], {
        env: { ...process.env, SECRET: secret },
      });
      expect(stdout).toBe('{"duplicate":false}');
      expect(host.received[0]).toMatchObject({
        sender: { id: "ann" },
        message: { text: "What is for lunch?" },
      });
    });

    it("the example server shows what it is sent, once, and nothing of strangers", async () => {
      const path = join(directory, "server.mjs");
      await writeFile(path, await blockOf("js", "createServer"));
      const appPort = await freePort();
      const env = { ...process.env, SECRET: secret, PORT: String(appPort) };
      const child = spawn(process.execPath, [path], { env, stdio: ["ignore", "pipe", "inherit"] });
      let printed = "";
      child.stdout.on("data", (data) => (printed += String(data)));
      await expect.poll(() => printed).toContain("listening");
      const url = `http://127.0.0.1:${appPort}/`;
      const example = await webhookChannel.connect({ secret, url, edits: false }, host);
      await example.send(outbound(), attempt);
      await example.send(outbound(), attempt);
      const stranger = await webhookChannel.connect({ secret: `${secret}x`, url, edits: false }, host);
      await expect(
        stranger.send(outbound({ response: { text: "evil", attachments: [] } }), attempt),
      ).rejects.toMatchObject({
        code: "rejected",
      });
      await example.send(outbound({ response: { text: "bye", attachments: [] } }), {
        ...attempt,
        idempotencyKey: "k2",
      });
      await expect.poll(() => printed).toContain("bye");
      expect(printed.split("\n").filter((line) => line.startsWith("ann: "))).toEqual([
        "ann: hello",
        "ann: bye",
      ]);
      child.kill();
    });
  });
});
