import { createHandClock } from "@pincer/sdk/testing";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hello, startTestGateway } from "./testing/test-gateway.ts";

const request = (id: string, method = "owner.list", params: object = {}) => ({
  type: "req",
  id,
  method,
  params,
});
const owners = { "owner.list": async () => ({ owners: [] }) };

describe("the gateway's socket", () => {
  it("is for its owner alone", async () => {
    const { path } = await startTestGateway({});
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("PROTO-02 PROTO-03 answers a request frame with a response frame under the same id", async () => {
    const line = await (await startTestGateway({ methods: owners })).dial();
    line.write(hello);
    expect(await line.next()).toMatchObject({
      type: "res",
      id: "hello",
      ok: true,
      payload: {
        protocol: 1,
        pid: process.pid,
        methods: ["connect", "events.subscribe", "events.unsubscribe", "owner.list"],
      },
    });
    line.write(request("7"));
    expect(await line.next()).toEqual({ type: "res", id: "7", ok: true, payload: { owners: [] } });
  });

  it("takes frames that come in pieces, several at once, and with a blank line between", async () => {
    const line = await (await startTestGateway({ methods: owners })).dial();
    const bytes = Buffer.from(
      `${JSON.stringify({ ...hello, params: { ...hello.params, client: { name: "测试", version: "0" } } })}\n\n${JSON.stringify(request("1"))}\n${JSON.stringify(request("2"))}\n`,
    );
    line.socket.setNoDelay(true);
    for (const byte of bytes) {
      line.socket.write(Buffer.from([byte]));
      if (byte > 0x7f) await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await line.next())?.type).toBe("res");
    expect([await line.next(), await line.next()]).toMatchObject([
      { id: "1", ok: true },
      { id: "2", ok: true },
    ]);
  });

  it("puts its socket back when somebody cleared it away, and does not touch what is not a socket", async () => {
    const clock = createHandClock();
    const gateway = await startTestGateway({ methods: owners, clock });
    const until = async (isSo: () => Promise<boolean>) => {
      while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
    };
    await rm(gateway.path);
    await clock.advance(2000);
    await until(async () => gateway.said.some((line) => line.includes("is back")));
    const line = await gateway.meet();
    line.write(request("1"));
    expect(await line.next()).toMatchObject({ id: "1", ok: true });

    await rm(gateway.path);
    await writeFile(gateway.path, "precious");
    await until(async () => clock.sleeping() > 0);
    await clock.advance(2000);
    await until(async () => gateway.said.length > 1);
    expect((await stat(gateway.path)).isFile()).toBe(true);
  });

  it("GW-15 leaves no socket behind that came back while it was closing", async () => {
    const clock = createHandClock();
    const gateway = await startTestGateway({ methods: owners, clock });
    await rm(gateway.path);
    const turned = clock.advance(2000);
    await Promise.all([gateway.server.close(0), turned]);
    for (let count = 0; count < 50; count++) await new Promise((resolve) => setImmediate(resolve));
    await expect(stat(gateway.path)).rejects.toMatchObject({ code: "ENOENT" });
    expect(gateway.said).toEqual([]);
  });

  it("forgets half a frame of a connection that closed", async () => {
    const gateway = await startTestGateway({ methods: owners });
    const line = await gateway.meet();
    line.socket.end('{"type":"req","id":"1","met');
    expect(await line.next()).toBeUndefined();
    const other = await gateway.meet();
    other.write(request("2"));
    expect(await other.next()).toMatchObject({ id: "2", ok: true });
  });

  it("ends a connection whose frame is too large, and says why", async () => {
    const gateway = await startTestGateway({ methods: owners });
    const line = await gateway.meet();
    line.socket.write(Buffer.alloc(10 * 1024 * 1024, "x"));
    expect(await line.next()).toMatchObject({ id: "", ok: false, error: { code: "INVALID_REQUEST" } });
    expect(await line.next()).toBeUndefined();
  });

  it("gives little room to who has not connected yet", async () => {
    const gateway = await startTestGateway({ methods: owners });
    const stranger = await gateway.dial();
    stranger.socket.write(Buffer.alloc(65 * 1024, "x"));
    expect(await stranger.next()).toMatchObject({ error: { code: "INVALID_REQUEST" } });
    expect(await stranger.next()).toBeUndefined();
    const known = await gateway.meet();
    known.write(request("1", "owner.list", { padding: "x".repeat(100_000) }));
    expect(await known.next()).toMatchObject({
      id: "1",
      error: { message: expect.stringContaining("owner.list") },
    });
  });

  it("cuts off who does not connect in time, and nobody else", async () => {
    const clock = createHandClock();
    const gateway = await startTestGateway({ methods: owners, clock });
    const silent = await gateway.dial();
    const polite = await gateway.meet();
    await clock.advance(5000);
    expect(await silent.next()).toMatchObject({ error: { code: "AUTH_REQUIRED" } });
    polite.write(request("1"));
    expect(await polite.next()).toMatchObject({ id: "1", ok: true });
  });

  it("answers what is no JSON and goes on", async () => {
    const line = await (await startTestGateway({ methods: owners })).meet();
    line.socket.write("not json\n");
    expect(await line.next()).toMatchObject({ id: "", ok: false, error: { code: "INVALID_REQUEST" } });
    line.write(request("1"));
    expect(await line.next()).toMatchObject({ id: "1", ok: true });
  });

  it("cuts off who leaves too much unread", async () => {
    const clock = createHandClock();
    const text = "x".repeat(1024 * 1024);
    let answered = 0;
    let allAnswered = () => {};
    const untilAnswered = new Promise<void>((resolve) => (allAnswered = resolve));
    const methods = {
      "owner.list": async () => {
        if (++answered === 40) allAnswered();
        return { owners: [{ channel: text, senderId: "1", claimedAt: null }] };
      },
    };
    const gateway = await startTestGateway({ methods, clock });
    const line = await gateway.meet();
    line.socket.pause();
    const gone = once(line.socket, "close");
    for (let id = 0; id < 40; id++) line.write(request(String(id)));
    await untilAnswered;
    await clock.advance(1000);
    line.socket.resume();
    await gone;
    const other = await gateway.meet();
    other.write(request("1"));
    expect(await other.next()).toMatchObject({ id: "1", ok: true });
  });

  it("has room for 64 connections and tells the 65th", async () => {
    const gateway = await startTestGateway({ methods: owners });
    const lines = await Promise.all(Array.from({ length: 64 }, () => gateway.meet()));
    const late = await gateway.dial();
    expect(await late.next()).toMatchObject({ error: { code: "FORBIDDEN" } });
    expect(await late.next()).toBeUndefined();
    lines[0]?.socket.destroy();
    await lines[0]?.next();
    lines[1]?.write(request("1"));
    expect(await lines[1]?.next()).toMatchObject({ ok: true });
    expect((await gateway.meet()).socket.destroyed).toBe(false);
  });

  it("GW-15 answers what runs before it closes, and refuses what comes then", async () => {
    let finish = () => {};
    const methods = {
      "owner.list": () => new Promise<{ owners: [] }>((resolve) => (finish = () => resolve({ owners: [] }))),
    };
    const gateway = await startTestGateway({ methods });
    const line = await gateway.meet();
    line.write(request("running"));
    const idle = await gateway.meet();
    const closing = gateway.server.close(10_000);
    expect(await idle.next()).toBeUndefined();
    line.write(request("late"));
    expect(await line.next()).toMatchObject({ id: "late", error: { reason: "gateway/stopped" } });
    finish();
    expect(await line.next()).toMatchObject({ id: "running", ok: true });
    await closing;
    await expect(stat(gateway.path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("GW-15 waits no longer than its bound for what hangs", async () => {
    const clock = createHandClock();
    const gateway = await startTestGateway({ methods: { "owner.list": () => new Promise(() => {}) }, clock });
    const line = await gateway.meet();
    line.write(request("hangs"));
    const closing = gateway.server.close(2000);
    await clock.advance(2000);
    await closing;
    expect(await line.next()).toBeUndefined();
  });
});

describe("the place of the socket", () => {
  async function place(): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), "pincer-place-"));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    return directory;
  }

  it("is taken over from a gateway that was killed", async () => {
    const directory = await place();
    const script = `require("node:net").createServer().listen(${JSON.stringify(join(directory, "gateway.sock"))}, () => console.log("up"))`;
    const old = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    await once(old.stdout, "data");
    old.kill("SIGKILL");
    await once(old, "exit");
    const gateway = await startTestGateway({ methods: owners, directory });
    expect((await gateway.meet()).socket.destroyed).toBe(false);
  });

  it("is refused when something else stands there, which is left alone", async () => {
    const directory = await place();
    await writeFile(join(directory, "gateway.sock"), "precious");
    await expect(startTestGateway({ directory })).rejects.toMatchObject({ code: "storage/unavailable" });
    expect((await stat(join(directory, "gateway.sock"))).size).toBe(8);
  });

  it("is refused when its name is too long, with what to do", async () => {
    const directory = join(await place(), "x".repeat(100));
    await expect(startTestGateway({ directory })).rejects.toMatchObject({
      code: "storage/unavailable",
      hint: expect.stringContaining("PINCER_HOME"),
    });
  });
});
