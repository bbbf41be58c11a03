import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PincerError, SendError, type ChannelConnection } from "@pincer/sdk";
import {
  createHandClock,
  createRecordingHost,
  type HandClock,
  type RecordingHost,
} from "@pincer/sdk/testing";
import { describeChannelContract } from "@pincer/sdk/testing/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localChannel } from "./index.ts";

const json = (value: object) => `${JSON.stringify(value)}\n`;

async function linesOf(path: string): Promise<Array<Record<string, unknown>>> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describeChannelContract("the local channel over files", async () => {
  const root = await mkdtemp(join(tmpdir(), "local-"));
  const [inbox, outbox] = [join(root, "in.jsonl"), join(root, "out.jsonl")];
  return {
    channel: localChannel,
    config: { inbox, outbox },
    write: ({ id, text, chat }) => appendFile(inbox, json({ id, text, from: chat })),
    async seen(chat) {
      const seen = new Map<unknown, string>();
      for (const { id, to, text } of await linesOf(outbox)) {
        if ((to as { id: string }).id === chat) seen.set(id, String(text));
      }
      return [...seen.values()];
    },
    close: () => rm(root, { recursive: true }),
  };
});

const attempt = (idempotencyKey: string, number = 1) => ({
  idempotencyKey,
  attempt: number,
  signal: new AbortController().signal,
});
const outbound = (text: string, chat = "ann") => ({
  channel: "local",
  accountId: "default",
  target: { peerKind: "user" as const, peerId: chat },
  response: { text, attachments: [] },
});

describe("the local channel", () => {
  let root: string;
  let host: RecordingHost;
  let clock: HandClock;
  let connection: ChannelConnection | undefined;
  const path = (name: string) => join(root, name);
  const texts = () => host.received.map(({ message }) => ("text" in message ? message.text : ""));
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "local-"));
    clock = createHandClock();
    host = createRecordingHost({ clock });
  });
  afterEach(async () => {
    await connection?.close();
    connection = undefined;
    await rm(root, { recursive: true });
  });
  const connect = async (config: object) => (connection = await localChannel.connect(config, host));
  const reconnect = async (config: object) => {
    await connection?.close();
    host.reopen();
    await connect(config);
  };

  /** Lets the time pass after which the file is looked at without a sign. */
  const lookAgain = async () => {
    while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1000);
  };

  it("CHAN-20 needs a way in or out", async () => {
    await expect(connect({})).rejects.toMatchObject({ code: "rejected" });
  });

  it("CHAN-20 reads lines once, over restarts, and only whole ones", async () => {
    const config = { inbox: path("in") };
    await writeFile(path("in"), json({ text: "one" }) + json({ text: "one" }) + '{"text":"tw');
    await connect(config);
    await host.until(2);
    await reconnect(config);
    await appendFile(path("in"), 'o"}\n');
    await host.until(3);
    expect(texts()).toEqual(["one", "one", "two"]);
    expect(host.deliveries).toHaveLength(3);
  });

  it("CHAN-20 reads nothing beyond a line that cannot be stored, and has those behind it told", async () => {
    host.refuse = new PincerError("storage/unavailable", "the disk is full");
    await writeFile(
      path("in"),
      ["one", "two", "three"].map((id) => json({ id, text: id })).join("") + "{not",
    );
    await connect({ inbox: path("in") });
    await host.untilDelivered(1);
    await expect.poll(() => new Set(host.delayed).size).toBe(2);
    host.refuse = undefined;
    await lookAgain();
    await host.until(3);
    expect(texts()).toEqual(["one", "two", "three"]);
    const behind = host.received.slice(1).map(({ message }) => message.id);
    expect(new Set(host.delayed)).toEqual(new Set(behind));
  });

  it("CHAN-20 leaves nothing behind when it cannot connect, because its place cannot be read", async () => {
    const watches = () => process.getActiveResourcesInfo().filter((name) => name === "FSEventWrap").length;
    const before = watches();
    host.cursor.load = async () => {
      throw new PincerError("storage/corrupt", "the file is damaged");
    };
    await expect(connect({ inbox: path("in") })).rejects.toMatchObject({ code: "storage/corrupt" });
    expect(watches()).toBe(before);
  });

  it("CHAN-20 recognises lines without an id when it lost its place", async () => {
    const config = { inbox: path("in") };
    await writeFile(path("in"), json({ text: "one" }) + json({ text: "two" }));
    await connect(config);
    await host.until(2);
    await connection?.close();
    await host.cursor.save("nonsense");
    await reconnect(config);
    await host.untilDelivered(4);
    expect(texts()).toEqual(["one", "two"]);
  });

  it("CHAN-20 begins anew with a file that was cut or replaced, and reads the old one to its end", async () => {
    await writeFile(path("in"), json({ text: "one" }));
    await connect({ inbox: path("in") });
    await host.until(1);
    await truncate(path("in"));
    await appendFile(path("in"), json({ text: "two" }));
    await host.until(2);
    await appendFile(path("in"), json({ text: "three" }));
    await rename(path("in"), path("in.1"));
    await writeFile(path("in"), json({ text: "two" }));
    await host.until(4);
    expect(texts()).toEqual(["one", "two", "three", "two"]);
  });

  it("CHAN-20 sees a file that comes later, by looking now and then", async () => {
    await connect({ inbox: path("not/there/yet") });
    await mkdir(path("not/there"), { recursive: true });
    await writeFile(path("not/there/yet"), json({ text: "late" }));
    await lookAgain();
    await host.until(1);
    expect(texts()).toEqual(["late"]);
  });

  it("CHAN-20 answers a bad line with an error and goes on", async () => {
    const tooLong = new PincerError("usage/bad-argument", "too long");
    await writeFile(path("in"), `{"text":\n${json({ id: "x", text: 5 })}`);
    await connect({ inbox: path("in"), outbox: path("out") });
    await appendFile(path("in"), json({ text: "good" }));
    await host.until(1);
    host.refuse = tooLong;
    await appendFile(path("in"), json({ id: "long", text: "very long" }));
    await host.untilDelivered(2);
    host.refuse = undefined;
    await appendFile(path("in"), json({ text: "good again" }));
    await host.until(2);
    expect(texts()).toEqual(["good", "good again"]);
    expect(await linesOf(path("out"))).toMatchObject([
      { error: "the line is not JSON" },
      { error: expect.stringMatching(/text/), id: "x" },
      { error: "too long", id: "long" },
    ]);
  });

  it.each([
    ["a little", 1024 * 1024 + 1],
    ["some chunks", 17 * 64 * 1024],
    ["much", 5 * 1024 * 1024 + 7],
  ])("CHAN-20 skips a line that is too long by %s up to its end, with one error", async (_what, length) => {
    const hidden = JSON.stringify({ text: "/whoami", from: "injected" });
    await writeFile(path("in"), "x".repeat(length) + hidden + "\n" + json({ text: "next" }));
    await connect({ inbox: path("in"), outbox: path("out") });
    await host.until(1);
    expect(texts()).toEqual(["next"]);
    expect(await linesOf(path("out"))).toEqual([
      expect.objectContaining({ error: expect.stringMatching(/at most 1048576 bytes/) }),
    ]);
  });

  it("CHAN-20 skips a line that is too long over restarts, while it is still being written", async () => {
    const config = { inbox: path("in"), outbox: path("out") };
    await writeFile(path("in"), "x".repeat(1024 * 1024 + 5));
    await connect(config);
    while ((await linesOf(path("out"))).length === 0) await lookAgain();
    for (const part of ["y".repeat(100_000), json({ text: "hidden" }).trimEnd()]) {
      await reconnect(config);
      await appendFile(path("in"), part);
      await lookAgain();
    }
    await reconnect(config);
    await appendFile(path("in"), json({ text: "hidden too" }) + json({ text: "next" }));
    await host.until(1);
    expect(texts()).toEqual(["next"]);
    expect(await linesOf(path("out"))).toHaveLength(1);
  });

  it("CHAN-20 takes the same id in another chat or thread for another message", async () => {
    const line = { id: "1", from: "ann", text: "one" };
    const group = { ...line, group: true, chat: "g" };
    const lines = [line, line, { ...line, from: "bob" }, { ...line, thread: "t" }, group];
    await writeFile(path("in"), lines.map(json).join(""));
    const { send } = await connect({ inbox: path("in"), outbox: path("out") });
    await host.until(4);
    await host.untilDelivered(5);
    await appendFile(
      path("in"),
      json({ ...group, id: "2", edit: "1" }) + json({ ...line, id: "3", delete: "1" }),
    );
    await host.until(6);
    const [first, , , inGroup, edit, deletion] = host.received.map(({ message }) => message);
    expect(edit).toMatchObject({ type: "edit", of: inGroup?.id });
    expect(deletion).toMatchObject({ type: "delete", of: first?.id });
    await send({ ...outbound("hi"), replyTo: inGroup?.id ?? "" }, attempt("k1"));
    expect((await linesOf(path("out")))[0]).toMatchObject({ text: "hi", replyTo: "1" });
  });

  it("CHAN-20 answers blank text with an error", async () => {
    await writeFile(path("in"), json({ id: "m1", text: " \t " }) + json({ text: "good" }));
    await connect({ inbox: path("in"), outbox: path("out") });
    await host.until(1);
    expect(host.deliveries).toHaveLength(1);
    expect(await linesOf(path("out"))).toMatchObject([{ error: "the line has no text", id: "m1" }]);
  });

  it("CHAN-26 writes to a new file when the old one was removed", async () => {
    const { send } = await connect({ outbox: path("dir/out") });
    await send(outbound("one"), attempt("k1"));
    await rm(path("dir/out"));
    await send(outbound("two"), attempt("k2"));
    expect(await linesOf(path("dir/out"))).toMatchObject([{ text: "two" }]);
    expect((await stat(path("dir/out"))).mode & 0o777).toBe(0o600);
    await rm(path("dir"), { recursive: true });
    await send(outbound("three"), attempt("k3"));
    expect(await linesOf(path("dir/out"))).toMatchObject([{ text: "three" }]);
  });

  it("CHAN-26 goes on in another file when the old one was moved away, and still knows what was sent", async () => {
    const { send, querySent } = await connect({ outbox: path("out") });
    await send(outbound("one"), attempt("k1"));
    await rename(path("out"), path("out.1"));
    await writeFile(path("out"), "");
    await send(outbound("one"), attempt("k1", 2));
    await send(outbound("two"), attempt("k2"));
    expect(await linesOf(path("out.1"))).toMatchObject([{ text: "one" }]);
    expect(await linesOf(path("out"))).toMatchObject([{ text: "two" }]);
    const { signal } = new AbortController();
    expect(await querySent?.(outbound("").target, "k1", signal)).toMatchObject({ type: "sent" });
    expect(await querySent?.(outbound("").target, "k3", signal)).toEqual({ type: "not-sent" });
  });

  it("CHAN-26 says that nothing was sent when the file is gone and cannot be made anew", async () => {
    const { send } = await connect({ outbox: path("dir/out") });
    await rm(path("dir"), { recursive: true });
    await writeFile(path("dir"), "in the way");
    await expect(send(outbound("one"), attempt("k1"))).rejects.toMatchObject({ code: "unavailable" });
    await rm(path("dir"));
    await send(outbound("one"), attempt("k1", 2));
    expect(await linesOf(path("dir/out"))).toHaveLength(1);
  });

  it("CHAN-20 tries a line again that could not be stored, and keeps the order", async () => {
    host.refuse = new Error("the disk is full");
    await writeFile(path("in"), json({ text: "one" }) + json({ text: "two" }));
    await connect({ inbox: path("in") });
    await host.untilDelivered(1);
    host.refuse = undefined;
    await lookAgain();
    await host.until(2);
    expect(texts()).toEqual(["one", "two"]);
  });

  it("CHAN-26 does not send a message twice to its file, and finds it again", async () => {
    const { send, querySent } = await connect({ outbox: path("out") });
    await send(outbound("one"), attempt("k1"));
    const sent = await send(outbound("one"), attempt("k1", 2));
    expect(await linesOf(path("out"))).toHaveLength(1);
    const { signal } = new AbortController();
    expect(await querySent?.(outbound("").target, "k1", signal)).toEqual({ type: "sent", ...sent });
    expect(await querySent?.(outbound("").target, "k", signal)).toEqual({ type: "not-sent" });
    expect((await stat(path("out"))).mode & 0o777).toBe(0o600);
    expect((await linesOf(path("out")))[0]).toMatchObject({
      id: sent.messageId,
      idempotencyKey: "k1",
      channel: "local",
      to: { kind: "user", id: "ann" },
      text: "one",
    });
  });

  it("CHAN-26 finds a message far back in a large file, also where blocks meet", async () => {
    const { send, querySent } = await connect({ outbox: path("out") });
    for (let index = 0; index < 40; index++)
      await send(outbound("中".repeat(3000 + index * 37)), attempt(`k${index}`));
    const { signal } = new AbortController();
    for (let index = 0; index < 40; index++) {
      expect(await querySent?.(outbound("").target, `k${index}`, signal)).toMatchObject({ type: "sent" });
    }
  });

  it("CHAN-26 takes a line that a crash cut short for not sent, and begins a new one", async () => {
    await writeFile(path("out"), '{"id":"m-k1","idempotencyKey":"k1","te');
    const { send, querySent } = await connect({ outbox: path("out") });
    const { signal } = new AbortController();
    expect(await querySent?.(outbound("").target, "k1", signal)).toEqual({ type: "not-sent" });
    await send(outbound("whole"), attempt("k1", 2));
    const lines = (await readFile(path("out"), "utf8")).split("\n");
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ id: "m-k1", text: "whole" });
    expect(await querySent?.(outbound("").target, "k1", signal)).toMatchObject({ type: "sent" });
  });

  describe("over a socket", () => {
    const clients: Socket[] = [];
    afterEach(() => {
      for (const client of clients.splice(0)) client.destroy();
    });
    async function client() {
      const socket = createConnection(path("sock"));
      clients.push(socket);
      await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
      const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
      return {
        write: (value: object) => void socket.write(json(value)),
        writeRaw: (text: string) => void socket.write(text),
        next: async () => JSON.parse(String((await lines.next()).value)) as object,
        end: () =>
          new Promise<void>((resolve) => {
            socket.once("close", () => resolve());
            socket.destroy();
          }),
      };
    }

    it("CHAN-20 acknowledges a line when it is stored, and says when it is not", async () => {
      await connect({ socket: path("sock") });
      expect((await stat(path("sock"))).mode & 0o777).toBe(0o600);
      const ann = await client();
      ann.write({ id: "m1", text: "one" });
      expect(await ann.next()).toEqual({ ack: "m1" });
      ann.write({ id: "m1", text: "one" });
      expect(await ann.next()).toEqual({ ack: "m1" });
      expect(texts()).toEqual(["one"]);
      ann.writeRaw("nonsense\n");
      expect(await ann.next()).toMatchObject({ error: "the line is not JSON", id: null });
      host.refuse = new Error("the disk is full");
      ann.write({ id: "m2", text: "two" });
      expect(await ann.next()).toMatchObject({ id: "m2", again: true });
      host.refuse = undefined;
      ann.write({ id: "m2", text: "two" });
      expect(await ann.next()).toEqual({ ack: "m2" });
    });

    it("CHAN-20 tells those who listen to a chat, and fails when nobody does", async () => {
      const { send } = await connect({ socket: path("sock") });
      await expect(send(outbound("one"), attempt("k1"))).rejects.toMatchObject({ code: "unavailable" });
      const [ann, all, deaf] = [await client(), await client(), await client()];
      ann.write({ hello: { chat: "ann" } });
      all.write({ hello: true });
      deaf.write({ id: "m1", text: "I only write" });
      await Promise.all([ann.next(), all.next(), deaf.next()]);
      await send(outbound("to ann"), attempt("k1"));
      await send(outbound("to bob", "bob"), attempt("k2"));
      expect(await ann.next()).toMatchObject({ text: "to ann" });
      expect([await all.next(), await all.next()]).toMatchObject([{ text: "to ann" }, { text: "to bob" }]);
      await Promise.all([ann.end(), all.end()]);
      await expect(send(outbound("gone"), attempt("k3"))).rejects.toBeInstanceOf(SendError);
    });

    it("CHAN-20 lets nobody wait for a listener that does not read, and cuts it off in the end", async () => {
      const { send } = await connect({ socket: path("sock") });
      const stuck = createConnection(path("sock"));
      clients.push(stuck);
      const heard = new Promise<void>((resolve) => stuck.once("data", () => resolve()));
      stuck.write(json({ hello: true }));
      await heard;
      stuck.pause();
      const good = await client();
      good.write({ hello: true });
      await good.next();
      const count = 100;
      const text = "x".repeat(60_000);
      for (let number = 1; number <= count; number++) {
        await send(outbound(`${number} ${text}`), attempt(`k${number}`));
        expect(await good.next()).toMatchObject({ idempotencyKey: `k${number}` });
      }
      let got = 0;
      stuck.on("data", (chunk: Buffer) => (got += chunk.length));
      const closed = new Promise<void>((resolve) => stuck.once("close", () => resolve()));
      stuck.resume();
      await closed;
      expect(got).toBeLessThan((count * text.length) / 2);
    });

    it("CHAN-20 does not wait for a listener when there is a file", async () => {
      const { send } = await connect({ outbox: path("out"), socket: path("sock") });
      const stuck = createConnection(path("sock"));
      clients.push(stuck);
      const heard = new Promise<void>((resolve) => stuck.once("data", () => resolve()));
      stuck.write(json({ hello: true }));
      await heard;
      stuck.pause();
      for (let number = 1; number <= 20; number++) {
        await send(outbound("x".repeat(60_000)), attempt(`k${number}`));
      }
      expect(await linesOf(path("out"))).toHaveLength(20);
    });

    it("refuses a place that would depend on where the gateway was started", async () => {
      await expect(connect({ inbox: "in.jsonl" })).rejects.toThrow(/inbox must be an absolute path/);
    });

    it("CHAN-20 takes the place of a socket that a crash left, and of nothing else", async () => {
      const first = await localChannel.connect({ socket: path("sock") }, host);
      await expect(connect({ socket: path("sock") })).rejects.toThrow(/another process/);
      await first.close();
      await writeFile(path("sock"), "precious");
      await expect(connect({ socket: path("sock") })).rejects.toThrow(/no socket/);
      expect(await readFile(path("sock"), "utf8")).toBe("precious");
    });
  });
});

describe("whether the local channel hears", () => {
  let root: string;
  let host: RecordingHost;
  let clock: HandClock;
  let connection: ChannelConnection | undefined;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "local-"));
    clock = createHandClock();
    host = createRecordingHost({ clock });
  });
  afterEach(async () => {
    host.stop();
    await connection?.close();
    await rm(root, { recursive: true });
  });
  const asked = new AbortController().signal;

  it("OBS-01 says so each time that it has looked at its file, also while there is none", async () => {
    connection = await localChannel.connect({ inbox: join(root, "in.jsonl") }, host);
    expect(connection.heartbeatSeconds).toBe(5);
    await expect.poll(() => host.signs).toBeGreaterThan(0);
    const before = host.signs;
    await expect.poll(() => clock.sleeping()).toBeGreaterThan(0);
    await clock.advance(1000);
    await expect.poll(() => host.signs).toBeGreaterThan(before);
  });

  it("OBS-01 is silent while its file cannot be read", async () => {
    await mkdir(join(root, "in.jsonl"));
    connection = await localChannel.connect({ inbox: join(root, "in.jsonl") }, host);
    await expect.poll(() => host.logged.length).toBeGreaterThan(0);
    expect(host.signs).toBe(0);
  });

  it("OBS-01 tries its socket when it is asked, and says when nobody could connect", async () => {
    const path = join(root, "s.sock");
    connection = await localChannel.connect({ socket: path }, host);
    expect(connection.heartbeatSeconds).toBeUndefined();
    expect(await connection.probe?.(asked)).toEqual({ ok: true });
    await rm(path);
    expect(await connection.probe?.(asked)).toMatchObject({ ok: false });
  });

  it("OBS-01 has nothing to hear where it only sends", async () => {
    connection = await localChannel.connect({ outbox: join(root, "out.jsonl") }, host);
    expect(await connection.probe?.(asked)).toMatchObject({ ok: true });
  });
});
