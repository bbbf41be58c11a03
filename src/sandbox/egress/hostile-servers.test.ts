import { once } from "node:events";
import fs from "node:fs/promises";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { Duplex } from "node:stream";
import tls from "node:tls";
import zlib from "node:zlib";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { createEgress } from "./create-egress.ts";
import { localServers, rejection, type LocalServers } from "./testing/local-servers.ts";

const signal = new AbortController().signal;
let servers: LocalServers;
beforeEach(() => {
  servers = localServers();
});
afterEach(() => servers.close());

const packers = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  // At its best it would take longer than the test.
  br: (data: string | Buffer) =>
    zlib.brotliCompressSync(data, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: zlib.zstdCompressSync,
} as const;
const packings = ["gzip", "deflate", "br", "zstd"] as const;

describe("an answer", () => {
  it.each(packings)("is unpacked from %s", async (name) => {
    const port = await servers.serve((_, response) => {
      response.writeHead(200, { "content-encoding": name }).end(packers[name]("words"));
    });
    const answer = await servers.broker().request({ url: `http://a.example:${port}/`, signal });
    expect([Buffer.from(answer.body).toString(), answer.truncated]).toEqual(["words", false]);
  });

  it.each(packings)("that unpacks from %s without end is cut where the limit is", async (name) => {
    const bomb = packers[name](Buffer.alloc(30_000_000));
    const port = await servers.serve((_, response) => {
      response.writeHead(200, { "content-encoding": name }).end(bomb);
    });
    const before = process.memoryUsage().arrayBuffers;
    const answer = await servers.broker().request({ url: `http://a.example:${port}/`, signal });
    expect([answer.body.length, answer.truncated]).toEqual([100_000, true]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(15_000_000);
  });

  it("that is packed in layers upon layers is refused", async () => {
    const port = await servers.serve((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip, gzip, gzip" }).end("x");
    });
    const error = await rejection(servers.broker().request({ url: `http://a.example:${port}/`, signal }));
    expect(error).toMatchObject({ message: expect.stringContaining("layers") });
  });

  it("without an end is cut where the limit is, and one wish can only make it narrower", async () => {
    const port = await servers.serve((_, response) => {
      const more = () => response.write(Buffer.alloc(16_384)) && setImmediate(more);
      response.on("drain", more);
      more();
    });
    const url = `http://a.example:${port}/`;
    const sizes = [];
    for (const maxBytes of [500, 1_000_000])
      sizes.push((await servers.broker().request({ url, signal, limits: { maxBytes } })).body.length);
    expect(sizes).toEqual([500, 100_000]);
  });

  it("of exactly the limit is whole", async () => {
    const port = await servers.serve((_, response) => response.end(Buffer.alloc(100_000)));
    const answer = await servers.broker().request({ url: `http://a.example:${port}/`, signal });
    expect([answer.body.length, answer.truncated]).toEqual([100_000, false]);
  });

  it("with headers without end is given up", async () => {
    const port = await servers.serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const more = () => socket.write(`x-${"a".repeat(1000)}: b\r\n`) && setImmediate(more);
      socket.on("drain", more);
      more();
    });
    const error = await rejection(servers.broker().request({ url: `http://a.example:${port}/`, signal }));
    expect(error).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("HPE_HEADER_OVERFLOW"),
    });
  });

  it("that breaks off is not taken for the whole", async () => {
    const port = await servers.serveRaw((socket) => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
    });
    const error = await rejection(servers.broker().request({ url: `http://a.example:${port}/`, signal }));
    expect(error).toMatchObject({ code: "unavailable" });
  });

  it.each([
    ["is no HTTP", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["has two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    ["wants to speak something else", "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
    ["is nothing", ""],
  ])("that %s is an error and no more", async (_, text) => {
    const port = await servers.serveRaw((socket) => socket.end(text));
    const error = await rejection(servers.broker().request({ url: `http://a.example:${port}/`, signal }));
    expect(error).toMatchObject({ code: "unavailable" });
  });

  it("joins headers that come several times, whatever they are called", async () => {
    const port = await servers.serveRaw((socket) => {
      socket.end(
        "HTTP/1.1 200 OK\r\nSet-Cookie: a\r\nset-cookie: b\r\n__proto__: c\r\ncontent-length: 0\r\n\r\n",
      );
    });
    const { headers } = await servers.broker().request({ url: `http://a.example:${port}/`, signal });
    expect(Object.entries(headers)).toEqual([
      ["set-cookie", "a, b"],
      ["__proto__", "c"],
      ["content-length", "0"],
    ]);
  });

  it("of any status is an answer", async () => {
    const port = await servers.serve((_, response) => response.writeHead(503).end("later"));
    const answer = await servers.broker().request({ url: `http://a.example:${port}/`, signal });
    expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([503, "later"]);
  });
});

describe("time", () => {
  it("is over for a server that says nothing", async () => {
    const clock = createHandClock();
    const heard = Promise.withResolvers<void>();
    const port = await servers.serveRaw((socket) => void socket.once("data", () => heard.resolve()));
    const asked = rejection(servers.broker({ clock }).request({ url: `http://a.example:${port}/`, signal }));
    await heard.promise;
    await clock.advance(10_001);
    expect(await asked).toMatchObject({ code: "timed-out" });
  });

  it("is over for a body that falls silent, long before the whole time is", async () => {
    const clock = createHandClock();
    const { promise: half, resolve } = Promise.withResolvers<unknown>();
    const port = await servers.serveRaw((socket) => {
      socket.once("data", () =>
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", () => setImmediate(resolve)),
      );
    });
    const broker = servers.broker({ clock, limits: { timeoutMs: 600_000 } });
    const asked = rejection(broker.request({ url: `http://a.example:${port}/`, signal }));
    const over = new AbortController();
    asked.then(() => over.abort());
    for (let minutes = 0; minutes < 3 && !over.signal.aborted; minutes++) {
      await half;
      await clock.advance(31_000);
    }
    expect(await asked).toMatchObject({ code: "timed-out" });
    expect(clock.now() - createHandClock().now()).toBeLessThan(100_000);
  });

  it("is over for a body that drips", async () => {
    const port = await servers.serve((_, response) => {
      const drip = setInterval(() => response.write("a"), 20);
      response.on("close", () => clearInterval(drip));
    });
    const broker = servers.broker({ limits: { timeoutMs: 300 } });
    const error = await rejection(broker.request({ url: `http://a.example:${port}/`, signal }));
    expect(error).toMatchObject({ code: "timed-out" });
  });

  it("is over for a name server that does not answer", async () => {
    const clock = createHandClock();
    const egress = createEgress({
      rules: { allow: [], deny: [], allowPrivate: [] },
      limits: { maxBytes: 1000, timeoutMs: 600_000, maxRedirects: 5 },
      clock,
      lookup: () => new Promise(() => {}),
    });
    const asked = rejection(egress.request({ url: "http://a.example/", signal }));
    while (clock.sleeping() < 2) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(10_001);
    expect(await asked).toMatchObject({ code: "timed-out", message: expect.stringContaining("resolved") });
  });

  it("is over for a connection that nobody takes", async () => {
    const clock = createHandClock();
    const egress = createEgress({
      rules: { allow: [], deny: [], allowPrivate: [] },
      limits: { maxBytes: 1000, timeoutMs: 600_000, maxRedirects: 5 },
      clock,
      lookup: async () => ["93.184.216.34"],
      connect: () => new Duplex({ read() {} }),
    });
    const asked = rejection(egress.dial({ host: "a.example", port: 80 }, { allow: ["*"] }, signal));
    while (clock.sleeping() < 1) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(8001);
    expect(await asked).toMatchObject({ code: "timed-out", message: expect.stringContaining("connection") });
  });

  it("ends when the caller aborts, with the caller's reason", async () => {
    const control = new AbortController();
    const port = await servers.serveRaw((socket) => {
      socket.once("data", () => control.abort(new Error("enough")));
    });
    const request = { url: `http://a.example:${port}/`, signal: control.signal };
    expect(await rejection(servers.broker().request(request))).toMatchObject({ message: "enough" });
    expect(await rejection(servers.broker().request(request))).toMatchObject({ message: "enough" });
  });
});

describe("what is sent", () => {
  it.each([
    ["a line of its own", { "x-a": "b\r\nhost: inside" }],
    ["a line of its own in a name", { "x-a\r\nhost": "b" }],
    ["a line feed", { "x-a": "b\nc" }],
    ["a zero", { "x-a": "b\0c" }],
    ["no name", { "": "b" }],
    ["a blank in its name", { "x a": "b" }],
    ["letters that become a line", { "x-a": "b\u560d\u560ahost: c" }],
    ["another host", { Host: "inside.example" }],
    ["a length of its own", { "Content-Length": "5" }],
    ["another way to send", { "Transfer-Encoding": "chunked" }],
    ["a wish for the connection", { Connection: "upgrade" }],
    ["a wish for another protocol", { Upgrade: "websocket" }],
    ["something for a proxy", { "Proxy-Authorization": "Basic a" }],
    ["something else for a proxy", { "proxy-anything": "a" }],
    ["an expectation", { Expect: "100-continue" }],
  ])("never has a header with %s", async (_, headers) => {
    let asked = 0;
    const port = await servers.serve((_request, response) => {
      asked += 1;
      response.end();
    });
    const request = { url: `http://a.example:${port}/`, headers: headers as Record<string, string>, signal };
    expect(await rejection(servers.broker().request(request))).toMatchObject({ code: "refused" });
    expect(asked).toBe(0);
  });

  it.each(["CONNECT", "TRACE", "track", "GET /x HTTP/1.1\r\nx:", "", "GE T"])(
    "never has the method %j",
    async (method) => {
      const port = await servers.serve((_, response) => response.end());
      const request = { url: `http://a.example:${port}/`, method, signal };
      expect(await rejection(servers.broker().request(request))).toMatchObject({ code: "refused" });
    },
  );

  it("is the method, the headers, the body and the name of the host", async () => {
    const port = await servers.serve((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const { host, "x-key": key, "content-length": length } = request.headers;
        response.end([request.method, request.url, host, key, length, body].join(" "));
      });
    });
    const answer = await servers.broker().request({
      url: `http://A.example:${port}/path?x=1#part`,
      method: "patch",
      headers: { "X-Key": "k" },
      body: "grüß",
      signal,
    });
    expect(Buffer.from(answer.body).toString()).toBe(`PATCH /path?x=1 a.example:${port} k 6 grüß`);
  });
});

describe("a secure connection", () => {
  const fixture = (name: string) =>
    fs.readFile(new URL(`../../models/wire/fixtures/self-signed-${name}.pem`, import.meta.url));
  const known = tls.getCACertificates("default");
  afterEach(() => tls.setDefaultCACertificates(known));

  async function secure(): Promise<{ port: number; names: string[]; close(): void }> {
    const names: string[] = [];
    const [key, cert] = await Promise.all([fixture("key"), fixture("certificate")]);
    const server = https.createServer({ key, cert }, (_, response) => response.end("sealed"));
    server.on("secureConnection", (socket) => names.push(String(socket.servername)));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return { port: (server.address() as AddressInfo).port, names, close: () => server.close() };
  }
  const reach = (port: number) =>
    createEgress({
      rules: { allow: [], deny: [], allowPrivate: [`127.0.0.1:${port}`] },
      limits: { maxBytes: 1000, timeoutMs: 10_000, maxRedirects: 5 },
      clock: systemClock,
      lookup: async () => ["127.0.0.1"],
    });

  it("asks for the name that stood in the address", async () => {
    const server = await secure();
    tls.setDefaultCACertificates([...known, String(await fixture("certificate"))]);
    const { body } = await reach(server.port).request({ url: `https://localhost:${server.port}/`, signal });
    expect([Buffer.from(body).toString(), server.names]).toEqual(["sealed", ["localhost"]]);
    server.close();
  });

  it("is not made with a certificate that nobody vouches for, whatever the environment says", async () => {
    const server = await secure();
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      const asked = reach(server.port).request({ url: `https://localhost:${server.port}/`, signal });
      expect(await rejection(asked)).toMatchObject({ code: "unavailable" });
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    }
    server.close();
  });

  it("is not made with somebody who has another name", async () => {
    const server = await secure();
    tls.setDefaultCACertificates([...known, String(await fixture("certificate"))]);
    const asked = reach(server.port).request({ url: `https://a.example:${server.port}/`, signal });
    expect(await rejection(asked)).toMatchObject({
      message: expect.stringContaining("ERR_TLS_CERT_ALTNAME_INVALID"),
    });
    server.close();
  });
});
