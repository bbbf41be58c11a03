import { PincerError } from "@pincer/sdk";
import { once } from "node:events";
import { connect, type Server, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createHandClock } from "@pincer/sdk/testing";
import { systemClock } from "../../infra/clock.ts";
import { createStrangerSeats } from "../limits/stranger-seats.ts";
import { startTestServer, tokenOf } from "../testing/test-server.ts";
import type { AdmittedCall, HttpCall, HttpReply, HttpRoute } from "./http-route.ts";

const open = (
  path: string,
  handle: (call: HttpCall, reply: HttpReply) => Promise<void>,
  method: HttpRoute["method"] = "GET",
): HttpRoute => ({ method, path, access: { type: "open" }, handle });

const guarded = (handle: (call: AdmittedCall, reply: HttpReply) => Promise<void>): HttpRoute => ({
  method: "POST",
  path: "/guarded",
  access: { type: "permission", point: "config.write" },
  handle,
});

const hi = open("/hi", async (_call, reply) => reply.json(200, { hi: true }));

describe("a request over HTTP", () => {
  it("GW-09 is answered by its route, with nothing to run, frame, guess at or keep", async () => {
    const server = await startTestServer({ routes: [hi] });
    const { status, headers, text } = await server.ask("/hi?x=1");
    expect([status, text]).toEqual([200, '{"hi":true}']);
    expect(headers).toMatchObject({
      "content-security-policy": expect.stringContaining("default-src 'none'; frame-ancestors 'none'"),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-store",
    });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  it("is told when there is nothing, or nothing for its method", async () => {
    const server = await startTestServer({ routes: [hi] });
    expect(await server.ask("/nowhere")).toMatchObject({ status: 404 });
    expect(await server.ask("/hi", { method: "DELETE" })).toMatchObject({
      status: 405,
      headers: { allow: "GET" },
    });
    expect(await server.ask("/hi", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
    expect(await server.ask("http://127.0.0.1/hi")).toMatchObject({ status: 404 });
  });

  it.each([
    ["for a name that is not ours", { host: "evil.example" }],
    ["for our name with another port", { host: "127.0.0.1:1" }],
    ["that a page of another place sent", { origin: "http://evil.example" }],
    ["that a page without a place sent", { origin: "null" }],
    [
      "that a browser marks as another site's",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
    ],
    ["of another port of this machine", { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" }],
  ])("GW-11 %s is refused before anything is looked up", async (_what, headers) => {
    let asked = 0;
    const server = await startTestServer({ routes: [open("/hi", async () => void asked++)] });
    expect(await server.ask("/hi", { headers })).toMatchObject({ status: 403 });
    expect(await server.ask("/nowhere", { headers })).toMatchObject({ status: 403 });
    expect(asked).toBe(0);
  });

  it("GW-11 needs somebody whose role holds the permission, and the route learns who it is", async () => {
    const callers: string[] = [];
    const route = guarded(async ({ caller }, reply) => {
      callers.push(`${caller.id} ${caller.role} ${caller.way}`);
      reply.json(200, {});
    });
    const server = await startTestServer({ routes: [route] });
    const as = (headers: Record<string, string>) => server.ask("/guarded", { method: "POST", headers });
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect(await as({})).toMatchObject({ status: 401, text: expect.stringContaining("access code") });
    expect(await as(bearer("wrong"))).toMatchObject({ status: 401 });
    expect(await as({ authorization: "Basic dDp0" })).toMatchObject({ status: 401 });
    expect(await as({ cookie: "pincer_session=wrong" })).toMatchObject({ status: 401 });
    expect(await as({ cookie: "pincer_session=session; pincer_session=session" })).toMatchObject({
      status: 401,
    });
    expect(await as(bearer(tokenOf("viewer")))).toMatchObject({
      status: 403,
      text: expect.stringContaining("config.write"),
    });
    expect(await as(bearer("too-often"))).toMatchObject({ status: 429, headers: { "retry-after": "7" } });
    expect(callers).toEqual([]);
    expect(await as(bearer(tokenOf("admin")))).toMatchObject({ status: 200 });
    expect(await as({ cookie: "a=b; pincer_session=session" })).toMatchObject({ status: 200 });
    expect(callers).toEqual(["token:admin admin token", "owner owner code"]);
  });

  it("TEN-06 is refused for a while where somebody asks too much, with when to go on", async () => {
    const taken: unknown[] = [];
    const server = await startTestServer({
      routes: [hi, guarded(async (_call, reply) => reply.json(200, {}))],
      takeRate(who) {
        taken.push("caller" in who ? who.caller.id : who.address);
        return 12;
      },
    });
    const text = expect.stringContaining('"code":"RATE_LIMITED"');
    const refused = { status: 429, headers: { "retry-after": "12" }, text };
    expect(await server.ask("/hi")).toMatchObject(refused);
    expect(await server.ask("/nowhere")).toMatchObject(refused);
    const headers = { authorization: `Bearer ${tokenOf("owner")}` };
    expect(await server.ask("/guarded", { method: "POST", headers })).toMatchObject(refused);
    expect(await server.ask("/guarded", { method: "POST" })).toMatchObject(refused);
    expect(taken).toEqual(["127.0.0.1", "127.0.0.1", "owner", "127.0.0.1"]);
  });

  it("has its body read within its bounds, as JSON and nothing else", async () => {
    const echo = open("/echo", async (call, reply) => reply.json(200, await call.json()), "POST");
    const server = await startTestServer({ routes: [echo], limits: { bodyBytes: 100 } });
    const send = (body: string, type = "application/json") =>
      server.ask("/echo", { method: "POST", body, headers: { "content-type": type } });
    expect(await send('{"a":1}')).toMatchObject({ status: 200, text: '{"a":1}' });
    expect(await send('{"a":1}', "text/plain")).toMatchObject({ status: 415 });
    expect(await send('{"a":')).toMatchObject({ status: 400 });
    expect(await send(`"${"x".repeat(200)}"`)).toMatchObject({
      status: 413,
      headers: { connection: "close" },
    });
  });

  it("is answered in words of the route's own where the route has some", async () => {
    const route: HttpRoute = {
      ...open("/own", () => Promise.reject(new PincerError("session/not-found", "There is none."))),
      failure: ({ status, message }) => ({ oh: `${status} ${message}` }),
    };
    const server = await startTestServer({ routes: [route] });
    expect(await server.ask("/own")).toMatchObject({ status: 404, text: '{"oh":"404 There is none."}' });
  });

  it("that meets a bug learns nothing of the inside, and the log does", async () => {
    const server = await startTestServer({
      routes: [
        open("/bug", () => Promise.reject(new TypeError("at /root/secret"))),
        open("/silent", async () => {}),
      ],
    });
    expect(await server.ask("/bug")).toMatchObject({
      status: 500,
      text: expect.not.stringContaining("secret"),
    });
    expect(await server.ask("/silent")).toMatchObject({ status: 500 });
    expect(server.said.join()).toContain("/root/secret");
  });

  it("that nobody waits for any longer fills no log", async () => {
    const begun = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const wait = open("/wait", async ({ signal }) => {
      begun.resolve();
      await once(signal, "abort").finally(over.resolve);
      signal.throwIfAborted();
    });
    const server = await startTestServer({ routes: [wait] });
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`GET /wait HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\n\r\n`);
    await begun.promise;
    socket.destroy();
    await over.promise;
    // Another request comes after it.
    expect(await server.ask("/nowhere")).toMatchObject({ status: 404 });
    expect(server.said).toEqual([]);
  });

  it("that breaks off in the middle of its answer is cut, so that nobody takes it for whole", async () => {
    const half = open("/half", async (_call, reply) => {
      reply.events().send("half");
      throw new Error("broken");
    });
    const server = await startTestServer({ routes: [half] });
    const line = await server.dial();
    line.socket.write(`GET /half HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\n\r\n`);
    const text = await line.rest();
    expect(text).not.toContain("\r\n0\r\n\r\n");
    expect(server.said.join()).toContain("broken");
  });

  it("is answered although nobody reads its body, and the rest of it is no request of its own", async () => {
    const server = await startTestServer({ routes: [hi] });
    const line = await server.dial();
    const inner = `GET /hi HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\n\r\n`;
    line.socket.write(
      `POST /nowhere HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\ncontent-length: 5000\r\n\r\n${inner}`,
    );
    const text = await line.rest();
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it("GW-11 that is none is refused, and its connection ends", async () => {
    const server = await startTestServer({ routes: [hi] });
    const line = await server.dial();
    line.socket.write("no HTTP\r\n\r\n");
    expect(await line.rest()).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("GW-11 that does not arrive is told so, and a connection on which nothing arrived is closed without a word", async () => {
    const server = await startTestServer({ routes: [hi], limits: { arriveWithinMs: 200 } });
    const [silent, half] = await Promise.all([server.dial(), server.dial()]);
    half.socket.write("GET /hi HTTP/1.1\r\nhost: 127");
    expect(await half.rest()).toMatch(/^HTTP\/1\.1 408 /);
    expect(await silent.rest()).toBe("");
  });

  it("that has too much before its body is told so", async () => {
    const server = await startTestServer({ routes: [hi] });
    const line = await server.dial();
    line.socket.write(`GET /hi HTTP/1.1\r\nx: ${"x".repeat(40_000)}`);
    expect(await line.rest()).toMatch(/^HTTP\/1\.1 431 /);
  });

  it("is aborted when the caller has gone", async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const slow = open("/slow", async ({ signal }) => {
      begun.resolve(signal);
      await once(signal, "abort");
    });
    const server = await startTestServer({ routes: [slow] });
    const line = await server.dial();
    line.socket.write(`GET /slow HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\n\r\n`);
    const signal = await begun.promise;
    expect(signal.aborted).toBe(false);
    line.socket.destroy();
    if (!signal.aborted) await once(signal, "abort");
    expect(signal.aborted).toBe(true);
  });
});

describe("a connection that is one too many of its address", () => {
  const bearer = { authorization: `Bearer ${tokenOf("owner")}` };
  const routes = [hi, guarded(async (_call, reply) => reply.json(200, {}))];
  const one = () => createStrangerSeats({ most: () => 1, isExempt: () => false });

  it("TEN-06 is told so when it asks for something, and ends", async () => {
    const server = await startTestServer({ routes, seats: one() });
    const first = await server.dial();
    const second = await server.dial();
    const request = `GET /hi HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\n\r\n`;
    second.socket.write(request);
    expect(await second.rest()).toMatch(
      /^HTTP\/1\.1 429 .*retry-after: 5\r\n.*"RATE_LIMITED".*from your address/is,
    );
    first.socket.write(request.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"));
    expect(await first.rest()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await server.ask("/hi")).toMatchObject({ status: 200 });
  });

  it("TEN-06 is answered all the same where somebody proves who they are, and takes no seat then", async () => {
    const server = await startTestServer({ routes, seats: one() });
    await server.dial();
    const asked = { method: "POST", headers: bearer };
    expect(await server.ask("/guarded", asked)).toMatchObject({ status: 200 });
    expect(await server.ask("/guarded", { method: "POST" })).toMatchObject({ status: 401 });
    const wrong = { authorization: "Bearer wrong" };
    expect(await server.ask("/guarded", { method: "POST", headers: wrong })).toMatchObject({ status: 401 });
  });

  it("a connection on which somebody has signed in leaves its seat to others", async () => {
    const server = await startTestServer({ routes, seats: one() });
    const known = await server.dial();
    known.socket.write(
      `POST /guarded HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: ${bearer.authorization}\r\ncontent-length: 0\r\n\r\n`,
    );
    await once(known.socket, "data");
    expect(await server.ask("/hi")).toMatchObject({ status: 200 });
  });

  it("TEN-06 is cut where it says nothing", async () => {
    const clock = createHandClock();
    const server = await startTestServer({ routes, clock, seats: one() });
    await server.dial();
    const silent = await server.dial();
    // The server has seen it when it answers another one.
    expect(await server.ask("/hi")).toMatchObject({ status: 429 });
    await clock.advance(2000);
    expect(await silent.rest()).toBe("");
  });
});

describe("the HTTP server", () => {
  it("answers what runs before it ends, and takes nothing new", async () => {
    const begun = Promise.withResolvers<() => void>();
    const slow = open("/slow", async (_call, reply) => {
      await new Promise<void>((resolve) => begun.resolve(resolve));
      reply.json(200, { done: true });
    });
    const server = await startTestServer({ routes: [slow] });
    const asked = server.ask("/slow");
    const finish = await begun.promise;
    const closed = server.close(60_000);
    finish();
    expect(await asked).toMatchObject({ status: 200, text: '{"done":true}' });
    await closed;
    await expect(server.ask("/slow")).rejects.toThrow("ECONNREFUSED");
  });

  it("keeps no connection for another request while it ends", async () => {
    const begun = Promise.withResolvers<() => void>();
    const slow = open("/slow", async (_call, reply) => {
      await new Promise<void>((resolve) => begun.resolve(resolve));
      reply.json(200, { done: true });
    });
    const server = await startTestServer({ routes: [slow, hi] });
    const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\n\r\n`;
    const late = await server.dial();
    late.socket.write("GET /hi HTTP/1.1\r\n");
    // By the time that the second one is there and has been heard, the beginning of the first request has been read.
    const kept = await server.dial();
    kept.socket.write(request("/slow"));
    const finish = await begun.promise;
    const closed = server.close(600_000);
    late.socket.write(`host: 127.0.0.1:${server.port}\r\n\r\n`);
    expect(await late.rest()).toMatch(/^HTTP\/1\.1 503 .*\r\nconnection: close\r\n/is);
    finish();
    expect(await kept.rest()).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n.*\{"done":true\}$/is);
    await closed;
  });

  it("goes on when the system has no room for another connection", async () => {
    const { listenOnHttp } = await import("./http-server.ts");
    const said: string[] = [];
    const reached = Promise.withResolvers<Server>();
    const server = await listenOnHttp({
      addresses: [{ host: "127.0.0.1", port: 0 }],
      routes: [],
      doors: { admit: async () => ({ type: "refused" }), isStillIn: async () => false },
      checks: { addressOf: () => "", refusal: () => undefined },
      limits: () => ({ connections: 10, bodyBytes: 1, arriveWithinMs: 60_000 }),
      takeRate: () => undefined,
      upgrade(_request, socket) {
        reached.resolve((socket as Socket & { server: Server }).server);
        socket.destroy();
      },
      clock: systemClock,
      log: { warn: () => {}, error: (line) => void said.push(line) },
    });
    const socket = connect(server.addresses[0]?.port ?? 0, "127.0.0.1");
    socket.write("GET /ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
    (await reached.promise).emit("error", new Error("accept EMFILE"));
    expect(said).toEqual(["http: accept EMFILE"]);
    await server.close(0);
  });

  it("ends within its time whatever runs", async () => {
    const begun = Promise.withResolvers<void>();
    const never = open("/never", () => {
      begun.resolve();
      return new Promise(() => {});
    });
    const server = await startTestServer({ routes: [never] });
    const asked = server.ask("/never");
    await begun.promise;
    await server.close(0);
    expect(await asked).toMatchObject({ status: 0 });
  });

  it("says which port is taken", async () => {
    const { listenOnHttp } = await import("./http-server.ts");
    const server = await startTestServer();
    const again = listenOnHttp({
      addresses: [{ host: "127.0.0.1", port: server.port }],
      routes: [],
      doors: { admit: async () => ({ type: "refused" }), isStillIn: async () => false },
      checks: { addressOf: () => "", refusal: () => undefined },
      limits: () => ({ connections: 1, bodyBytes: 1, arriveWithinMs: 1 }),
      takeRate: () => undefined,
      clock: createHandClock(),
      log: { warn: () => {}, error: () => {} },
    });
    await expect(again).rejects.toMatchObject({
      code: "gateway/running",
      message: expect.stringContaining(String(server.port)),
    });
  });
});
