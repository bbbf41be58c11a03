import type http from "node:http";
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

const to =
  (location: string, status = 302): http.RequestListener =>
  (_, response) =>
    response.writeHead(status, { location }).end();

/** Answers with what it was asked. */
const echo: http.RequestListener = (request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => (body += chunk));
  request.on("end", () =>
    response.end(JSON.stringify({ method: request.method, headers: request.headers, body })),
  );
};
const read = (body: Uint8Array) =>
  JSON.parse(Buffer.from(body).toString()) as {
    method: string;
    body: string;
    headers: Record<string, string | undefined>;
  };

describe("a redirect", () => {
  it("is followed, and the answer says where it came from", async () => {
    const port = await servers.serve((request, response) => {
      if (request.url === "/a") response.writeHead(301, { location: "b/../c?d=1" }).end();
      else response.end(request.url);
    });
    const answer = await servers.broker().request({ url: `http://a.example:${port}/a`, signal });
    expect([answer.status, Buffer.from(answer.body).toString(), answer.url]).toEqual([
      200,
      "/c?d=1",
      `http://a.example:${port}/c?d=1`,
    ]);
  });

  it.each([
    "http://127.0.0.1:1/",
    "http://169.254.169.254/latest/meta-data/",
    "//10.0.0.1/",
    "//[::1]/",
    "http://[::ffff:7f00:1]/",
    "http://2130706433/",
    "\\\\127.1/",
    "http://localhost/",
    "https://user:password@example.org/",
    "file:///etc/passwd",
    "ftp://example.org/",
    "javascript:alert(1)",
    "http://[",
  ])("is refused where it leads to %j", async (location) => {
    const first = await servers.serve(to(location));
    const error = await rejection(servers.broker().request({ url: `http://a.example:${first}/`, signal }));
    expect(error).toMatchObject({ code: "refused" });
  });

  it("is checked at the end of a chain as at its beginning", async () => {
    let asked = 0;
    const inside = await servers.serve((_, response) => {
      asked += 1;
      response.end("secret");
    });
    const last = await servers.serve(to(`http://inside.example:${inside}/`));
    const first = await servers.serve(to(`http://b.example:${last}/`));
    const broker = servers.broker({
      rules: { allowPrivate: [`127.0.0.1:${first}`, `127.0.0.1:${last}`] },
    });
    const error = await rejection(broker.request({ url: `http://a.example:${first}/`, signal }));
    expect(error).toMatchObject({ code: "refused", message: expect.stringContaining("inside.example") });
    expect(asked).toBe(0);
  });

  it("is refused where it brings a user and a password, even for a host that may be reached", async () => {
    const there = await servers.serve(echo);
    const first = await servers.serve(to(`http://user:password@b.example:${there}/`));
    const error = await rejection(servers.broker().request({ url: `http://a.example:${first}/`, signal }));
    expect(error).toMatchObject({ code: "refused" });
  });

  it("is held to the lists of hosts", async () => {
    const port = await servers.serve(to("http://other.example/"));
    for (const rules of [{ allow: ["a.example"] }, { deny: ["other.example"] }]) {
      const error = await rejection(
        servers.broker({ rules }).request({ url: `http://a.example:${port}/`, signal }),
      );
      expect(error).toMatchObject({ code: "refused", message: expect.stringContaining("other.example") });
    }
  });

  it("SAFE-01 leads from a host that may be asked anything to no other one", async () => {
    let asked = 0;
    const there = await servers.serve((_, response) => {
      asked += 1;
      response.end("there");
    });
    const first = await servers.serve((request, response) => {
      const onward =
        request.url === "/own" ? `http://b.docs.example:${there}/` : `http://evil.example:${there}/`;
      response.writeHead(302, { location: onward }).end();
    });
    const ask = (path: string, staysOn: string[]) =>
      servers.broker().request({ url: `http://a.docs.example:${first}/${path}`, signal, staysOn });
    expect(await rejection(ask("", ["*.docs.example"]))).toMatchObject({
      code: "refused",
      message: expect.stringContaining("http://evil.example"),
    });
    expect(asked).toBe(0);
    expect((await ask("own", ["*.docs.example"])).status).toBe(200);
    expect((await ask("", ["other.example"])).status).toBe(200);
  });

  it("is followed a limited number of times", async () => {
    let asked = 0;
    const port = await servers.serve((_, response) => {
      asked += 1;
      response.writeHead(302, { location: `/${asked}` }).end();
    });
    const url = `http://a.example:${port}/`;
    expect(await rejection(servers.broker().request({ url, signal }))).toMatchObject({
      code: "too-many-redirects",
    });
    expect(asked).toBe(6);
    const none = servers.broker().request({ url, signal, limits: { maxRedirects: 0 } });
    expect(await rejection(none)).toMatchObject({ code: "too-many-redirects" });
    expect(asked).toBe(7);
  });
});

describe("what is known before a request", () => {
  it("SAFE-01 is told without asking any name server", async () => {
    const looked: string[] = [];
    const lookup = async (host: string) => {
      looked.push(host);
      return ["127.0.0.1"];
    };
    const broker = createEgress({
      rules: { allow: [], deny: ["denied.example"], allowPrivate: [] },
      limits: { maxBytes: 100, timeoutMs: 100, maxRedirects: 0 },
      clock: systemClock,
      lookup,
    });
    await broker.check?.("https://secret-words.evil.example/?d=secret");
    for (const url of [
      "http://127.0.0.1/",
      "http://localhost/",
      "http://denied.example/",
      "ftp://a.example/",
    ])
      expect(await rejection(broker.check?.(url) ?? Promise.resolve())).toMatchObject({
        code: "refused",
      });
    expect(looked).toEqual([]);
    expect(await rejection(broker.request({ url: "http://inside.example/", signal }))).toMatchObject({
      code: "refused",
    });
    expect(looked).toEqual(["inside.example"]);
  });
});

describe("what goes along with a redirect", () => {
  const secrets = {
    Authorization: "Bearer a",
    Cookie: "session=b",
    "X-Api-Key": "c",
    "X-Anything": "d",
    Accept: "text/plain",
    "User-Agent": "test",
  };

  it("is everything within the same host and port", async () => {
    const port = await servers.serve((request, response) => {
      if (request.url === "/") response.writeHead(302, { location: "/there" }).end();
      else echo(request, response);
    });
    const { body } = await servers
      .broker()
      .request({ url: `http://a.example:${port}/`, headers: secrets, signal });
    expect(read(body).headers).toMatchObject({
      authorization: "Bearer a",
      cookie: "session=b",
      "x-api-key": "c",
      host: `a.example:${port}`,
    });
  });

  it.each([["another host"], ["another port"]])("is nothing that may be a key, to %s", async (where) => {
    const echoing = await servers.serve(echo);
    const first = await servers.serve((request, response) => {
      if (request.url === "/there") return echo(request, response);
      const location =
        where === "another host" ? `http://b.example:${first}/there` : `http://a.example:${echoing}/`;
      response.writeHead(302, { location }).end();
    });
    const { body } = await servers
      .broker()
      .request({ url: `http://a.example:${first}/`, headers: secrets, signal });
    const { headers } = read(body);
    expect(Object.keys(headers).toSorted()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  it("is not brought back when a redirect comes back", async () => {
    const away = await servers.serve((_, response) =>
      response.writeHead(302, { location: `http://a.example:${home}/end` }).end(),
    );
    const home = await servers.serve((request, response) => {
      if (request.url === "/end") return echo(request, response);
      response.writeHead(302, { location: `http://b.example:${away}/` }).end();
    });
    const { body } = await servers
      .broker()
      .request({ url: `http://a.example:${home}/`, headers: secrets, signal });
    expect(read(body).headers["authorization"]).toBeUndefined();
  });

  it.each([301, 302, 303])("after %d is a GET without a body", async (status) => {
    const port = await servers.serve((request, response) => {
      if (request.url === "/") response.writeHead(status, { location: "/there" }).end();
      else echo(request, response);
    });
    const { body } = await servers.broker().request({
      url: `http://a.example:${port}/`,
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: "content",
      signal,
    });
    const asked = read(body);
    expect([asked.method, asked.body, asked.headers["content-type"]]).toEqual(["GET", "", undefined]);
  });

  it.each([307, 308])("after %d is the same request, on the same host", async (status) => {
    const port = await servers.serve((request, response) => {
      if (request.url === "/") response.writeHead(status, { location: "/there" }).end();
      else echo(request, response);
    });
    const request = { url: `http://a.example:${port}/`, method: "PUT", body: "content", signal };
    const { body } = await servers.broker().request(request);
    expect(read(body)).toMatchObject({ method: "PUT", body: "content" });
  });

  it.each([307, 308])("after %d is never the content, to another host", async (status) => {
    let asked = 0;
    const other = await servers.serve((_, response) => {
      asked += 1;
      response.end();
    });
    const port = await servers.serve(to(`http://b.example:${other}/`, status));
    const request = { url: `http://a.example:${port}/`, method: "POST", body: "content", signal };
    expect(await rejection(servers.broker().request(request))).toMatchObject({ code: "refused" });
    expect(asked).toBe(0);
  });
});
