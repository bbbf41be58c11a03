import { getEventListeners, once } from "node:events";
import fs from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo, type Socket } from "node:net";
import { Duplex } from "node:stream";
import zlib from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpFetch, HttpAnswer } from "./http-fetch.ts";

const open: Array<{ close(): void; closeAllConnections(): void }> = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler);
  open.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const causeOf = (error: unknown): unknown => (error as Error).cause;
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a fetch over node:http", () => {
  it("sends method, headers and body, and answers with status, headers and text", async () => {
    const url = await serve((request, response) => {
      request.setEncoding("utf8");
      let body = "";
      request.on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        response.writeHead(201, "Made", { "x-two": ["a", "b"] });
        response.end(
          `${request.method} ${request.headers["x-key"]} ${request.headers["content-length"]} ${body}`,
        );
      });
    });
    const fetch = createHttpFetch();
    const answer = await fetch(`${url}/path?x=1`, {
      method: "post",
      headers: { "X-Key": "k" },
      body: "grüß",
    });
    expect([answer.status, answer.statusText, answer.ok, answer.headers.get("x-two")]).toEqual([
      201,
      "Made",
      true,
      "a, b",
    ]);
    expect(await answer.text()).toBe("POST k 6 grüß");
    const bytes = await fetch(url, { method: "POST", body: new Uint8Array([65, 66]) });
    expect(await bytes.text()).toContain("2 AB");
    const form = await fetch(url, { method: "POST", body: new URLSearchParams({ a: "1" }) });
    expect(await form.text()).toContain("a=1");
    const parts = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from("in "));
        controller.enqueue(Buffer.from("parts"));
        controller.close();
      },
    });
    const streamed = await fetch(url, { method: "POST", body: parts, duplex: "half" });
    expect(await streamed.text()).toContain("in parts");
  });

  it("uses a connection again, and opens another when the server had closed it", async () => {
    const sockets = new Set<Socket>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      response.end("ok");
    });
    const fetch = createHttpFetch();
    await (await fetch(url)).text();
    await (await fetch(url)).text();
    expect(sockets.size).toBe(1);
    for (const socket of sockets) socket.destroy();
    expect(await (await fetch(url)).text()).toBe("ok");
  });

  it.each([
    { read: "at once", takesMs: 100, sends: 2 },
    { read: "later", takesMs: 101, sends: 1 },
  ])(
    "sends a request again once at most, and only where the connection broke $read",
    async ({ takesMs, sends }) => {
      let time = 0;
      let broken: number | undefined;
      const url = await serve((request, response) => {
        request.resume().on("end", () => {
          if (broken === undefined) return void setImmediate(() => response.end("ok"));
          broken++;
          time += takesMs;
          return request.socket.resetAndDestroy();
        });
      });
      const fetch = createHttpFetch({ now: () => time });
      const post = () => fetch(url, { method: "POST", body: "x" });
      // Several connections are kept, each of which the server would read from.
      const kept = await Promise.all(Array.from({ length: 5 }, post));
      for (const answer of kept) await answer.text();
      broken = 0;
      expect(causeOf(await rejection(post()))).toMatchObject({ code: "ECONNRESET" });
      expect(broken).toBe(sends);
    },
  );

  it("does not send again what the server had begun to answer", async () => {
    let posts = 0;
    const server = net.createServer((socket) => {
      let count = 0;
      socket.on("error", () => undefined);
      socket.on("data", () => {
        if (++count === 1) return void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        posts++;
        return socket.end("HTTP/1.1 2");
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const fetch = createHttpFetch({ now: () => 0 });
    await (await fetch(url)).text();
    expect(String(await rejection(fetch(url, { method: "POST", body: "x" })))).toBe(
      "TypeError: fetch failed",
    );
    expect(posts).toBe(1);
    server.close();
  });

  it.each(["101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other", "600 Odd", "999 Odd"])(
    "refuses the answer %j, and lets the connection go",
    async (head) => {
      const closed = Promise.withResolvers<void>();
      const server = net.createServer((socket) => {
        socket.on("error", () => undefined);
        socket.on("close", () => closed.resolve());
        socket.on("data", () => socket.write(`HTTP/1.1 ${head}\r\nX-A: b\r\n\r\nhello`));
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const refusal = await rejection(createHttpFetch()(url, { method: "POST", body: "x" }));
      expect(String(refusal)).toBe("TypeError: fetch failed");
      await closed.promise;
      server.close();
    },
  );

  it("tells a request that nobody can have read from one that somebody may have", async () => {
    const fetch = createHttpFetch();
    const url = await serve((request, response) => {
      if (request.url === "/away") response.writeHead(307, { location: "http://127.0.0.1:1/" }).end();
      else request.socket.resetAndDestroy();
    });
    for (const address of ["http://127.0.0.1:1/", "http://nobody.invalid/", "ftp://x/"])
      expect(await rejection(fetch(address))).toMatchObject({ isUnsent: true });
    const away = fetch(`${url}/away`, { method: "POST", body: "x" });
    expect(await rejection(away)).toMatchObject({ isUnsent: true });
    expect(await rejection(fetch(url))).not.toHaveProperty("isUnsent");
  });

  it("ends at once when it is aborted while waiting for headers, and in mid-body", async () => {
    let reached: () => void = () => undefined;
    const url = await serve((request, response) => {
      if (request.url === "/body") response.write("some");
      reached();
    });
    const fetch = createHttpFetch();
    const waiting = new AbortController();
    const arrived = new Promise<void>((resolve) => (reached = resolve));
    const pending = rejection(fetch(url, { signal: waiting.signal }));
    await arrived;
    waiting.abort(new Error("enough"));
    expect(await pending).toEqual(new Error("enough"));
    expect(await rejection(fetch(url, { signal: waiting.signal }))).toEqual(new Error("enough"));

    const reading = new AbortController();
    const answer = await fetch(`${url}/body`, { signal: reading.signal });
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("some");
    const next = rejection(reader?.read() ?? Promise.resolve());
    reading.abort(new Error("enough"));
    expect(await next).toEqual(new Error("enough"));
  });

  it("leaves nothing on the signal, however it ends", async () => {
    const url = await serve(({ url: path = "" }, response) => {
      if (path === "/moved") response.writeHead(302, { location: "http://localhost:1/" }).end();
      else if (path === "/moved-here") response.writeHead(302, { location: "/whole" }).end();
      else if (path === "/broken") response.writeHead(200, { "content-length": "9" }).write("half");
      else if (path === "/none") response.writeHead(204).end();
      else response.end("whole");
      if (path === "/broken") setImmediate(() => response.destroy());
    });
    const { signal } = new AbortController();
    const fetch = createHttpFetch();
    const read = async (address: string) => (await fetch(address, { signal })).text();
    const left = fetch(url, { signal }).then((answer) => answer.body?.cancel());
    const whole = ["/whole", "/moved-here", "/none"].map((path) => read(url + path));
    const failing = [`${url}/moved`, `${url}/broken`, "http://127.0.0.1:1/"].map(read);
    const outcomes = await Promise.allSettled([left, ...whole, ...failing]);
    expect(outcomes.map(({ status }) => status).join(" ")).toBe(
      "fulfilled fulfilled fulfilled fulfilled rejected rejected rejected",
    );
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("says what went wrong: nobody there, no such host, reset, closed half-way, a header too large", async () => {
    const fetch = createHttpFetch();
    const url = await serve((request, response) => {
      if (request.url === "/reset") request.socket.resetAndDestroy();
      else if (request.url === "/header") response.writeHead(200, { "x-long": "x".repeat(100_000) }).end();
      else {
        response.writeHead(200, { "content-length": "100" });
        response.write("half");
        setImmediate(() => request.socket.destroy());
      }
    });
    const refused = await rejection(fetch("http://127.0.0.1:1/"));
    expect([String(refused), causeOf(refused)]).toEqual([
      "TypeError: fetch failed",
      expect.objectContaining({ code: "ECONNREFUSED" }),
    ]);
    expect(causeOf(await rejection(fetch("http://nobody.invalid/")))).toMatchObject({
      syscall: "getaddrinfo",
    });
    expect(causeOf(await rejection(fetch(`${url}/reset`)))).toMatchObject({ code: "ECONNRESET" });
    expect(causeOf(await rejection(fetch(`${url}/header`)))).toMatchObject({ code: "HPE_HEADER_OVERFLOW" });
    const half = await rejection((await fetch(`${url}/half`)).text());
    expect(String(half)).toBe("TypeError: terminated");
    expect(String(await rejection(fetch("ftp://x/")))).toBe("TypeError: fetch failed");
    expect(String(await rejection(fetch("http://user:word@x/")))).toBe("TypeError: fetch failed");
  });

  it.each([
    ["gzip", zlib.gzipSync],
    ["deflate", zlib.deflateSync],
    ["br", zlib.brotliCompressSync],
    ["zstd", zlib.zstdCompressSync],
  ] as const)("unpacks %s", async (encoding, pack) => {
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(pack(Buffer.from("words ".repeat(1000))));
    });
    const answer = await createHttpFetch()(url);
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(await answer.text()).toBe("words ".repeat(1000));
  });

  it("passes on a packed event as soon as it is flushed, and fails on a broken pack", async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      if (request.url === "/broken") return response.end("no gzip");
      const pack = zlib.createGzip();
      pack.pipe(response);
      pack.write("data: 1\n\n");
      return pack.flush();
    });
    const fetch = createHttpFetch();
    const reader = (await fetch(url)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("data: 1\n\n");
    await reader?.cancel();
    expect(String(await rejection((await fetch(`${url}/broken`)).text()))).toBe("TypeError: terminated");
  });

  const piecesOf = (answer: Response) => {
    if (!(answer instanceof HttpAnswer)) throw new Error("an answer with a body was expected");
    return answer.pieces;
  };

  it("is read in pieces, and tells when everything has come", async () => {
    const begun = Promise.withResolvers<http.ServerResponse>();
    const url = await serve((_, response) => {
      response.write("first ");
      begun.resolve(response);
    });
    const pieces = piecesOf(await createHttpFetch()(url));
    expect(Buffer.from((await pieces.read()).value ?? []).toString()).toBe("first ");
    expect(pieces.isComplete?.()).toBe(false);
    (await begun.promise).end("last");
    expect(Buffer.from((await pieces.read()).value ?? []).toString()).toBe("last");
    expect([await pieces.read(), await pieces.read()]).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect(pieces.isComplete?.()).toBe(true);
  });

  it.each(["aborted", "cancelled", "broken"])(
    "ends a piece that is waited for at once when it is %s, and gives up the connection",
    async (how) => {
      const closed = Promise.withResolvers<void>();
      const url = await serve((request, response) => {
        response.write("some");
        response.on("close", () => closed.resolve());
        if (how === "broken") setImmediate(() => request.socket.destroy());
      });
      const over = new AbortController();
      const pieces = piecesOf(await createHttpFetch()(url, { signal: over.signal }));
      await pieces.read();
      const waited = pieces.read().catch((error: unknown) => String(error));
      if (how === "aborted") over.abort("enough");
      if (how === "cancelled") await pieces.cancel("enough");
      const expected = { aborted: "enough", broken: "TypeError: terminated" }[how] ?? { done: true };
      expect(await waited).toEqual(expected);
      await closed.promise;
      const again = pieces.read().catch((error: unknown) => String(error));
      expect(await again).toEqual(expected);
    },
  );

  it("does not hand out what had come before it was aborted", async () => {
    const url = await serve((_, response) => void response.write("waits to be read"));
    const over = new AbortController();
    const pieces = piecesOf(await createHttpFetch()(url, { signal: over.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    over.abort("enough");
    await expect(pieces.read()).rejects.toBe("enough");
  });

  it.each(["http://[::1]:1/a?b=c", "http://127.0.0.1:1/a?b=c"])("asks %s for what it names", async (url) => {
    const seen: string[] = [];
    const asked = createHttpFetch({
      connect: () => {
        const socket = new Duplex({
          read() {},
          write(chunk: Buffer, _, taken) {
            seen.push(chunk.toString());
            taken();
            this.push("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
          },
        });
        return socket;
      },
    })(url);
    await (await asked).text();
    const { host } = new URL(url);
    expect(seen.join("").toLowerCase()).toMatch(/^get \/a\?b=c http\/1\.1\r\n/);
    expect(seen.join("").toLowerCase()).toContain(`host: ${host}\r\n`);
  });

  it("does not read faster than it is read from", async () => {
    let written = 0;
    const url = await serve((_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(64 * 1024))) written += 64 * 1024;
        response.once("drain", more);
      };
      more();
    });
    const answer = await createHttpFetch()(url);
    const reader = answer.body?.getReader();
    await reader?.read();
    let before = -1;
    // Until the buffers of both ends are full and nothing moves any more.
    while (before !== written) {
      before = written;
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toBeLessThan(64 * 1024 * 1024);
    await reader?.cancel();
  });

  it("follows a redirect for reading within one origin, and refuses every other", async () => {
    const elsewhere = await serve((_, response) => response.end("elsewhere"));
    const url = await serve((request, response) => {
      if (request.url === "/here") response.writeHead(302, { location: "/there" }).end();
      else if (request.url === "/away") response.writeHead(307, { location: elsewhere }).end();
      else if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
      else response.end("there");
    });
    const fetch = createHttpFetch();
    expect(await (await fetch(`${url}/here`)).text()).toBe("there");
    expect((await fetch(`${url}/here`, { redirect: "manual" })).status).toBe(302);
    const refusals = [
      fetch(`${url}/here`, { method: "POST", body: "x" }),
      fetch(`${url}/away`, { headers: { authorization: "Bearer secret" } }),
      fetch(`${url}/here`, { redirect: "error" }),
    ];
    for (const refusal of refusals)
      expect(String(causeOf(await rejection(refusal)))).toContain("refused to follow a redirect");
    expect(String(causeOf(await rejection(fetch(`${url}/loop`))))).toContain("more than 5 redirects");
  });

  it("refuses a certificate that nobody vouches for", async () => {
    const fixture = (name: string) => fs.readFile(new URL(`fixtures/${name}`, import.meta.url));
    const [key, cert] = [await fixture("self-signed-key.pem"), await fixture("self-signed-certificate.pem")];
    const server = https.createServer({ key, cert });
    open.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(causeOf(await rejection(createHttpFetch()(url)))).toMatchObject({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
  });
});
