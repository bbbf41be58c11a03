/** What strangers and broken programs do to a server that listens: nothing of it ends the process, keeps anything, or keeps an honest caller waiting. */
import { createHandClock } from "@pincer/sdk/testing";
import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HttpCall, HttpReply, HttpRoute } from "./http/http-route.ts";
import {
  hello,
  startTestServer,
  type BareLine,
  type TestServer,
  type TestServerParts,
} from "./testing/test-server.ts";

const crashes: unknown[] = [];
const note = (error: unknown) => void crashes.push(error);
beforeAll(() => void process.on("unhandledRejection", note).on("uncaughtException", note));
afterAll(() => {
  process.off("unhandledRejection", note).off("uncaughtException", note);
  if (crashes.length > 0) throw new AggregateError(crashes, "nobody caught these");
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function storm(given: TestServerParts = {}) {
  const reached: string[] = [];
  const hi: HttpRoute = {
    method: "GET",
    path: "/hi",
    access: { type: "open" },
    async handle(call: HttpCall, reply: HttpReply) {
      reached.push(call.path);
      reply.text(200, "hi");
    },
  };
  const take: HttpRoute = {
    method: "POST",
    path: "/take",
    access: { type: "open" },
    async handle(call: HttpCall, reply: HttpReply) {
      reached.push(String(await call.body()));
      reply.text(200, "taken");
    },
  };
  const methods = { "owner.list": async () => ({ owners: [] }) };
  return startTestServer({ routes: [hi, take], methods, ...given }).then((server) => ({ server, reached }));
}

/** Somebody honest is answered over both ways. */
async function isWell(server: TestServer): Promise<void> {
  expect(await server.ask("/hi")).toMatchObject({ status: 200 });
  const line = await server.meet();
  expect(await line.ask("owner.list")).toMatchObject({ ok: true });
  line.webSocket.close();
  await line.closed;
}

async function send(server: TestServer, text: string | Buffer): Promise<BareLine> {
  const line = await server.dial();
  line.socket.write(text);
  return line;
}

const host = (server: TestServer) => `host: 127.0.0.1:${server.port}\r\n`;
const upgrade = (server: TestServer, changes: Record<string, string> = {}) => {
  const headers = {
    host: `127.0.0.1:${server.port}`,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-version": "13",
    ...changes,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET /ws HTTP/1.1\r\n${lines.join("")}\r\n`;
};

/** A frame as it goes over the wire, with every bit as it is given. */
function wire(
  payload: Buffer | string,
  { first = 0x81, isMasked = true, length }: { first?: number; isMasked?: boolean; length?: number } = {},
): Buffer {
  const bytes = Buffer.from(payload);
  const size = length ?? bytes.length;
  const mark = isMasked ? 0x80 : 0;
  const head =
    size < 126
      ? Buffer.from([first, mark | size])
      : size < 65_536
        ? Buffer.from([first, mark | 126, size >> 8, size & 255])
        : Buffer.concat([Buffer.from([first, mark | 127, 0, 0, 0, 0]), uint32(size)]);
  return Buffer.concat([head, isMasked ? Buffer.alloc(4) : Buffer.alloc(0), bytes]);
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

describe("requests that mean two things", () => {
  const inner = "GET /hi HTTP/1.1\r\nhost: x\r\n\r\n";
  it.each([
    ["a length and chunks", `content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${inner}`],
    ["chunks and a length", `transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n${inner}`],
    ["two lengths", `content-length: 0\r\ncontent-length: ${inner.length}\r\n\r\n${inner}`],
    ["two lengths in one", `content-length: 0, ${inner.length}\r\n\r\n${inner}`],
    ["a length with a sign", `content-length: +0\r\n\r\n${inner}`],
    ["a negative length", `content-length: -1\r\n\r\n${inner}`],
    ["a length in hexadecimal", `content-length: 0x10\r\n\r\n${inner}`],
    ["a length beyond every number", `content-length: 99999999999999999999\r\n\r\n${inner}`],
    ["chunks, twice", `transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n${inner}`],
    ["chunks in a strange spelling", `transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`],
    ["chunks that are not last", `transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n${inner}`],
    ["a space before the colon", `content-length : 0\r\n\r\n${inner}`],
    ["a folded header", `x-a: 1\r\n content-length: ${inner.length}\r\n\r\n${inner}`],
    ["a folded first header", ` x-a: 1\r\ncontent-length: 0\r\n\r\n${inner}`],
    ["a header without a name", `: x\r\n\r\n${inner}`],
    ["NUL in a header", `x-a: a\u0000b\r\n\r\n${inner}`],
    ["a bare carriage return in a header", `x-a: a\rcontent-length: 4\r\n\r\n${inner}`],
    ["a chunk size that is none", `transfer-encoding: chunked\r\n\r\nzz\r\n\r\n${inner}`],
    [
      "a chunk size beyond every number",
      `transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n\r\n${inner}`,
    ],
    ["a chunk longer than it says", `transfer-encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n${inner}`],
  ])("GW-11 by %s are refused, and what hides behind them is not reached", async (_what, rest) => {
    const { server, reached } = await storm();
    const line = await send(server, `POST /take HTTP/1.1\r\n${host(server)}${rest}`);
    const text = await line.rest();
    expect(text.match(/HTTP\/1\.1 \d+/g) ?? []).toEqual(["HTTP/1.1 400"]);
    expect(reached).toEqual([]);
    await isWell(server);
  });

  it.each([
    ["no host", "GET /hi HTTP/1.1\r\n\r\n"],
    ["two hosts", "GET /hi HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\nconnection: close\r\n\r\n"],
    ["no method", "/hi HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    ["a method of its own", "PINCH /hi HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    ["another version", "GET /hi HTTP/9.9\r\nhost: localhost\r\n\r\n"],
    ["the beginning of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["TLS", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000"],
    ["bytes", "\u0000\u0001\u0002\u0003\u0000\u0000\u0000\u0000"],
    ["SSH", "SSH-2.0-OpenSSH_9.0\r\n"],
    ["a tunnel", "CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n"],
  ])("GW-11 with %s are refused", async (_what, text) => {
    const { server, reached } = await storm();
    const line = await send(server, text);
    expect(await line.rest()).not.toContain("200 OK");
    expect(reached).toEqual([]);
    await isWell(server);
  });

  it("GW-11 two names of ours are one too many", async () => {
    const { server, reached } = await storm();
    const line = await send(
      server,
      `GET /hi HTTP/1.1\r\n${host(server)}${host(server)}connection: close\r\n\r\n`,
    );
    expect(await line.rest()).toMatch(/^HTTP\/1\.1 403 /);
    expect(reached).toEqual([]);
  });

  it("GW-11 a flood of headers is refused", async () => {
    const { server, reached } = await storm();
    const many = Array.from({ length: 5000 }, (_each, index) => `x-${index}: y\r\n`).join("");
    for (const headers of [
      many,
      `x-long: ${"y".repeat(100_000)}\r\n`,
      `cookie: ${"a=b; ".repeat(20_000)}\r\n`,
    ]) {
      const line = await send(server, `GET /hi HTTP/1.1\r\n${host(server)}${headers}\r\n`);
      expect(await line.rest()).not.toContain("200 OK");
    }
    const path = await send(server, `GET /${"a".repeat(100_000)} HTTP/1.1\r\n${host(server)}\r\n`);
    expect(await path.rest()).not.toContain("200 OK");
    expect(reached).toEqual([]);
    await isWell(server);
  });

  it("requests behind one another are answered in their order", async () => {
    const { server } = await storm();
    const one = `GET /hi HTTP/1.1\r\n${host(server)}\r\n`;
    const line = await send(
      server,
      `${one.repeat(999)}GET /nowhere HTTP/1.1\r\n${host(server)}connection: close\r\n\r\n`,
    );
    const codes = (await line.rest()).match(/HTTP\/1\.1 \d+/g) ?? [];
    expect(codes.filter((code) => code.endsWith("200"))).toHaveLength(999);
    expect(codes.at(-1)).toBe("HTTP/1.1 404");
  });
});

describe("requests that take their time", () => {
  it.each([
    ["nothing at all", () => ""],
    ["half a first line", () => "GET /h"],
    ["headers that do not end", (server: TestServer) => `GET /hi HTTP/1.1\r\n${host(server)}x-a: `],
    [
      "a body that does not come",
      (server: TestServer) => `POST /take HTTP/1.1\r\n${host(server)}content-length: 9\r\n\r\nx`,
    ],
    [
      "a chunk that does not end",
      (server: TestServer) =>
        `POST /take HTTP/1.1\r\n${host(server)}transfer-encoding: chunked\r\n\r\n5\r\nx`,
    ],
    [
      "a body for nobody",
      (server: TestServer) => `POST /nowhere HTTP/1.1\r\n${host(server)}content-length: 9\r\n\r\nx`,
    ],
  ])("GW-11 with %s are not waited for", async (_what, text) => {
    const { server, reached } = await storm({ limits: { arriveWithinMs: 200 } });
    const line = await send(server, text(server));
    const answer = await line.rest();
    expect(answer).toMatch(/^(HTTP\/1\.1 (400|404|408) [^]*)?$/);
    expect(reached).toEqual([]);
    await isWell(server);
  });

  it("GW-11 a body that comes a byte at a time is cut off by the clock, and the other end learns why", async () => {
    const clock = createHandClock();
    const { server, reached } = await storm({ clock, limits: { arriveWithinMs: 60_000 } });
    const line = await send(server, `POST /take HTTP/1.1\r\n${host(server)}content-length: 1000\r\n\r\n`);
    // The first answer to somebody else shows that the request has been taken up.
    await server.ask("/hi");
    for (let second = 0; second < 60; second++) {
      line.socket.write("x");
      await clock.advance(1000);
    }
    expect(await line.rest()).toMatch(/^HTTP\/1\.1 408 /);
    expect(reached).toEqual(["/hi"]);
  });
});

describe("upgrades and frames", () => {
  it.each([
    ["no key", { "sec-websocket-key": "" }],
    ["a short key", { "sec-websocket-key": "abc" }],
    ["another version", { "sec-websocket-version": "7" }],
    ["another protocol", { upgrade: "h2c" }],
    ["another page's place", { origin: "http://evil.example" }],
    ["a name that is not ours", { host: "evil.example" }],
  ])("GW-11 an upgrade with %s is refused", async (_what, changes) => {
    const { server } = await storm();
    const line = await send(server, upgrade(server, changes));
    line.socket.end();
    expect(await line.rest()).not.toContain("101 Switching");
    expect(server.webSockets()).toBe(0);
    await isWell(server);
  });

  it("an upgrade elsewhere, or with another method, is refused", async () => {
    const { server } = await storm();
    for (const first of ["GET /hi", "GET /nowhere", "POST /ws", "GET //ws", "GET /ws/", "GET /%77s"]) {
      const line = await send(server, upgrade(server).replace("GET /ws", first));
      line.socket.end();
      expect(await line.rest()).not.toContain("101 Switching");
    }
    expect(server.webSockets()).toBe(0);
  });

  it.each([
    ["that is not masked", wire("{}", { isMasked: false })],
    ["with a reserved bit", wire("{}", { first: 0xc1 })],
    ["with all reserved bits", wire("{}", { first: 0xf1 })],
    ["of a kind that there is none of", wire("{}", { first: 0x83 })],
    ["of a control kind that there is none of", wire("", { first: 0x8b })],
    ["that goes on from nothing", wire("{}", { first: 0x80 })],
    [
      "that begins anew in the middle",
      Buffer.concat([wire("a", { first: 0x01 }), wire("b", { first: 0x01 })]),
    ],
    ["with a long ping", wire("x".repeat(126), { first: 0x89 })],
    ["with a ping in pieces", wire("x", { first: 0x09 })],
    ["with a close of one byte", wire("x", { first: 0x88 })],
    ["with a close that nobody may use", wire(Buffer.from([0x03, 0xed]), { first: 0x88 })],
    ["with a close whose reason is no text", wire(Buffer.from([0x03, 0xe8, 0xff]), { first: 0x88 })],
    ["with a text that is none", wire(Buffer.from([0xff, 0xfe]))],
    ["with a length that is none", Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])],
    ["that is binary", wire("{}", { first: 0x82 })],
    ["that announces 10 MB", wire("", { length: 10 * 1024 * 1024 })],
    ["that announces 4 GB", wire("", { length: 0xffffffff })],
    ["and then garbage", Buffer.alloc(5000, 0xa5)],
  ])("GW-11 a frame %s ends the connection and nothing else", async (_what, bytes) => {
    const { server } = await storm();
    const line = await send(server, Buffer.concat([Buffer.from(upgrade(server)), bytes]));
    expect(await line.rest()).toMatch(/^(HTTP\/1\.1 101 |$)/);
    await isWell(server);
    expect(server.webSockets()).toBe(0);
  });

  it("GW-11 a frame in pieces that never ends is cut off, before connect by its bytes and after it by its pieces", async () => {
    const { server } = await storm({ bounds: { strangerBytes: 10_000 } });
    const stranger = await send(server, upgrade(server));
    const piece = wire("x", { first: 0x00 });
    stranger.socket.write(
      Buffer.concat([wire("x", { first: 0x01 }), ...Array.from({ length: 3000 }, () => piece)]),
    );
    await stranger.rest();
    const met = await server.open();
    await met.ask("connect", { ...hello, auth: { token: "token-owner" } });
    for (let index = 0; index < 20_000; index++) met.webSocket.send("x", { fin: false });
    expect((await met.closed).code).not.toBe(1000);
    await isWell(server);
  });

  it("GW-11 a frame of 10 MB ends its connection before it is read", async () => {
    const { server } = await storm();
    const line = await server.meet();
    line.webSocket.send("x".repeat(10 * 1024 * 1024));
    expect((await line.closed).code).toBe(1009);
    await isWell(server);
  });

  it("GW-11 pings are answered, however many, and others beside them", async () => {
    const { server } = await storm();
    const line = await server.meet();
    let pongs = 0;
    const all = Promise.withResolvers<void>();
    line.webSocket.on("pong", () => {
      if (++pongs === 20_000) all.resolve();
    });
    for (let index = 0; index < 20_000; index++) line.webSocket.ping();
    await isWell(server);
    await all.promise;
    expect(await line.ask("owner.list")).toMatchObject({ ok: true });
  });

  it("GW-11 a connection has one try to show who it is", async () => {
    let tries = 0;
    const { server } = await storm({
      doors: {
        async admit({ bearer }) {
          if (bearer !== undefined) tries++;
          return bearer === undefined ? { type: "nothing-shown" } : { type: "refused" };
        },
        isStillIn: async () => false,
        makeChallenge: async () => ({ challenge: "c", gatewayId: "g" }),
      },
    });
    const line = await server.open();
    for (let index = 0; index < 200; index++) {
      line.write({
        type: "req",
        id: String(index),
        method: "connect",
        params: { ...hello, auth: { token: `${index}` } },
      });
    }
    expect(await line.closed).toMatchObject({ code: 4003 });
    expect(tries).toBe(1);
  });

  it("GW-11 more requests at once than there may be are refused, and the rest is answered", async () => {
    const begun: Array<() => void> = [];
    const { server } = await storm({
      methods: {
        "owner.list": () => new Promise((resolve) => begun.push(() => resolve({ owners: [] }))),
        "notices.list": async () => ({ notices: [] }),
      },
    });
    const line = await server.meet();
    for (let index = 0; index < 300; index++) {
      line.write({ type: "req", id: `r${index}`, method: "owner.list", params: {} });
    }
    for (let index = 0; index < 300 - 256; index++) {
      expect(await line.next()).toMatchObject({ error: { message: "Too many requests at once." } });
    }
    for (const finish of begun) finish();
    for (let index = 0; index < 256; index++) expect(await line.next()).toMatchObject({ ok: true });
    expect(await line.ask("notices.list")).toMatchObject({ ok: true });
  });
});

describe("floods", () => {
  it("GW-11 two thousand connections at once that say nothing, half of them WebSockets, leave nothing behind", async () => {
    const clock = createHandClock();
    const { server } = await storm({ clock });
    await isWell(server);
    collect();
    const before = process.memoryUsage().heapUsed;
    const lines: BareLine[] = [];
    // As many at a time as the system queues for a listener.
    while (lines.length < 2000) {
      const more = await Promise.all(Array.from({ length: 200 }, () => server.dial()));
      for (const line of more.slice(0, 100)) line.socket.write(upgrade(server));
      await Promise.all(more.slice(0, 100).map((line) => once(line.socket, "data")));
      lines.push(...more);
    }
    await isWell(server);
    expect(server.webSockets()).toBe(1000);
    // Those that did not say who they are in time are sent away; the others leave by themselves.
    await clock.advance(5000);
    await clock.advance(1000);
    for (const line of lines) line.socket.destroy();
    while (server.connections() > 0) await new Promise((resolve) => setImmediate(resolve));
    await isWell(server);
    collect();
    expect(server.webSockets()).toBe(0);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * 1024 * 1024);
  }, 60_000);

  it("GW-11 connections beyond the number that there may be are not taken, and those that are there are served", async () => {
    const { server } = await storm({ limits: { connections: 20 } });
    const honest = await server.meet();
    const lines = await Promise.all(Array.from({ length: 200 }, () => server.dial()));
    expect(await honest.ask("owner.list")).toMatchObject({ ok: true });
    expect(server.connections()).toBeLessThanOrEqual(20);
    for (const line of lines) line.socket.destroy();
    while (server.connections() > 1) await new Promise((resolve) => setImmediate(resolve));
    await isWell(server);
  });
});
