import type { Entry, SessionView } from "@pincer/sdk";
import { request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { ownerCaller, type Caller } from "../../policy/caller.ts";
import type { Role } from "../../policy/permission-points.ts";
import { createEventBus } from "../event-bus.ts";
import { listenOnHttp } from "../http/http-server.ts";
import type { MethodHandlers } from "../method-calls.ts";
import { createRpc } from "../rpc.ts";
import { apiRoutes } from "./api-routes.ts";

interface Answered {
  status: number;
  text: string;
  json(): unknown;
  isWhole: boolean;
}

/** The routes on a real server, behind a door that takes the bearer token for a role. */
async function serve(methods: Partial<MethodHandlers>) {
  const log = { warn: () => {}, error: () => {} };
  const rpc = createRpc({
    methods,
    about: { version: "1.2.3", pid: 1, startedAt: "", language: () => "auto" },
    hide: (payload) => payload,
    bus: createEventBus({ clock: systemClock }),
    clock: systemClock,
    log,
  });
  const server = await listenOnHttp({
    addresses: [{ host: "127.0.0.1", port: 0 }],
    routes: apiRoutes({ callMethod: rpc.call, version: "1.2.3", clock: systemClock }),
    doors: {
      async admit({ bearer }) {
        if (bearer === undefined) return { type: "nothing-shown" };
        const caller: Caller = { ...ownerCaller("t_default", "token"), id: bearer, role: bearer as Role };
        return { type: "admitted", caller };
      },
      isStillIn: async () => true,
    },
    checks: { addressOf: () => "127.0.0.1", refusal: () => undefined },
    limits: () => ({ connections: 10, bodyBytes: 1024 * 1024, arriveWithinMs: 5000 }),
    takeRate: () => undefined,
    clock: systemClock,
    log,
  });
  onTestFinished(() => server.close(0));
  const port = server.addresses[0]?.port ?? 0;

  return (path: string, { role = "owner", body, headers = {} }: Sent = {}): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const sent = request({
        port,
        path,
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...(role === "" ? {} : { authorization: `Bearer ${role}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
      });
      sent.on("error", reject);
      sent.on("response", (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("error", () => {}); // told by `isWhole`
        response.on("close", () =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            json: () => JSON.parse(text),
            isWhole: response.complete,
          }),
        );
      });
      sent.end(body);
    });
}

interface Sent {
  role?: string;
  body?: string;
  headers?: Record<string, string>;
}

const rules: Partial<MethodHandlers> = {
  "rules.list": async ({ agentId }) => ({ rules: [], agentId }) as never,
};

describe("the API", () => {
  it("PROTO-01 asks any method over HTTP, and answers with what it answers", async () => {
    const ask = await serve(rules);
    const answer = await ask("/api/rpc/rules.list", { body: '{"params":{"agentId":"main"}}' });
    expect([answer.status, answer.json()]).toEqual([200, { rules: [], agentId: "main" }]);
  });

  it.each([
    ["nobody", "", "rules.list", 401],
    ["a role without the permission", "auditor", "rules.add", 403],
    ["a device that offers capabilities", "node", "rules.list", 403],
  ])("TEN-02 %s is refused", async (_who, role, method, status) => {
    let called = false;
    const never = async () => {
      called = true;
      return {} as never;
    };
    const ask = await serve({ "rules.list": never, "rules.add": never });
    const answer = await ask(`/api/rpc/${method}`, { role, body: '{"params":{"text":"x"}}' });
    expect([answer.status, called]).toEqual([status, false]);
  });

  it.each([
    ["an unknown method", "no.such", '{"params":{}}', 404],
    ["what every object has", "constructor", '{"params":{}}', 404],
    ["connect", "connect", '{"params":{}}', 404],
    ["parameters that do not fit", "rules.list", '{"params":{"agentId":7}}', 400],
    ["parameters that nobody knows", "rules.list", '{"params":{"x":1}}', 400],
    ["something beside the parameters", "rules.list", '{"agentId":"main"}', 400],
    ["parameters that are none", "rules.list", '{"params":[]}', 400],
    ["a body that is a list", "rules.list", "[]", 400],
    ["a body that is no JSON", "rules.list", "{", 400],
    ["what lives on a connection", "nodes.result", '{"params":{"callId":"c","ok":true}}', 400],
    ["what would never end", "logs.tail", '{"params":{"follow":true}}', 400],
  ])("%s is refused", async (_what, method, body, status) => {
    const never = () => new Promise<never>(() => {});
    const ask = await serve({ ...rules, "nodes.result": async () => ({ taken: true }), "logs.tail": never });
    const answer = await ask(`/api/rpc/${method}`, { body });
    expect([answer.status, answer.json()]).toEqual([
      status,
      { error: expect.objectContaining({ message: expect.any(String) }) },
    ]);
  });

  it("a key in the header makes a change happen once, and is no parameter of what only reads", async () => {
    let times = 0;
    const ask = await serve({
      ...rules,
      "notices.dismiss": async () => ({ dismissed: String(++times) }),
    });
    const sent = { body: '{"params":{"id":"n1"}}', headers: { "idempotency-key": "k1" } };
    await ask("/api/rpc/notices.dismiss", sent);
    expect((await ask("/api/rpc/notices.dismiss", sent)).json()).toEqual({ dismissed: "1" });
    const read = await ask("/api/rpc/rules.list", { body: "{}", headers: { "idempotency-key": "k1" } });
    expect(read.status).toBe(200);
  });

  it("what can be read has a path of its own, with its parameters behind the question mark", async () => {
    const asked: unknown[] = [];
    const ask = await serve({
      async "sessions.list"(params) {
        asked.push(params);
        return [] as never;
      },
    });
    expect((await ask("/api/sessions?limit=7&search=a%20b", { role: "viewer" })).status).toBe(200);
    expect(asked).toEqual([{ limit: 7, search: "a b" }]);
    expect((await ask("/api/sessions?limit=many")).status).toBe(400);
    expect((await ask("/api/sessions?__proto__=1")).status).toBe(400);
    expect((await ask("/api/config", { role: "viewer" })).status).toBe(403);
  });

  it("names a parameter that a method does not take, by POST and in an address, and what it takes", async () => {
    const ask = await serve({ "sessions.list": async () => ({ sessions: [], next: null }) });
    const posted = await ask("/api/rpc/sessions.list", { body: '{"params":{"limits":3}}' });
    const read = await ask("/api/sessions?limits=3");
    for (const answer of [posted, read]) {
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({
        error: {
          code: "INVALID_REQUEST",
          message: expect.stringContaining("sessions.list: unknown parameter limits; it takes limit, after,"),
          hint: "Did you mean limit?",
        },
      });
    }
  });

  it("hears a session by its older names in an address, too", async () => {
    const ask = await serve({ "usage.report": async (params) => params as never });
    expect((await ask("/api/usage?session=main")).json()).toMatchObject({ sessionKey: "main" });
  });

  it("describes itself, each method with the schema of its parameters", async () => {
    const ask = await serve({});
    const described = (await ask("/api/openapi.json")).json() as { paths: Record<string, object> };
    expect(described.paths["/api/rpc/rules.add"]).toMatchObject({
      post: {
        requestBody: {
          content: { "application/json": { schema: { properties: { params: { type: "object" } } } } },
        },
      },
    });
    expect(described.paths["/api/rpc/connect"]).toBeUndefined();
    expect(described.paths["/api/sessions"]).toMatchObject({ get: { parameters: expect.any(Array) } });
  });
});

const entry = (seq: number) => ({ seq, type: "event", text: "x".repeat(1000) }) as unknown as Entry;

function session(length: number, failsAfter = Infinity): Partial<MethodHandlers> {
  return {
    "sessions.find": async () => ({ sessionId: "s_1" }) as SessionView,
    async "sessions.entries"({ after }) {
      if (after >= failsAfter) throw new Error("the disk is gone");
      const count = Math.min(500, length - after);
      return { entries: Array.from({ length: count }, (_, index) => entry(after + index + 1)) };
    },
  };
}

describe("the export of a session", () => {
  it("is every entry as a line of JSON, page after page", async () => {
    const ask = await serve(session(2345));
    const { status, text, isWhole } = await ask("/api/sessions/s_1/export", { role: "viewer" });
    const lines = text.trimEnd().split("\n");
    expect([status, isWhole, lines.length]).toEqual([200, true, 2345]);
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ seq: 2345 });
  });

  it("is what was said, as Markdown, where that is asked for; another format is refused", async () => {
    const said = (seq: number, text: string): Entry => ({
      type: "message",
      message: { role: "user", content: [{ type: "text", text }] },
      seq,
      time: "2026-01-01T12:00:00.000Z",
    });
    const aside: Entry = {
      type: "event",
      name: "set-aside",
      data: { from: 3 },
      seq: 4,
      time: "2026-01-01T12:00:00.000Z",
    };
    const ask = await serve({
      ...session(0),
      "sessions.entries": async ({ after }) => ({
        entries: after === 0 ? [said(1, "one"), entry(2), said(3, "two"), aside, said(5, "three")] : [],
      }),
    });
    const { status, text } = await ask("/api/sessions/s_1/export?format=markdown");
    const head = "## user · 2026-01-01T12:00:00.000Z";
    const note = "> Superseded messages above, not shown to the model: 1";
    const blocks = [head, "one", head, "two", note, head, "three"];
    expect([status, text]).toEqual([200, blocks.map((block) => `${block}\n\n`).join("")]);
    expect((await ask("/api/sessions/s_1/export?format=exe")).status).toBe(400);
  });

  it("that breaks off does not look whole", async () => {
    const ask = await serve(session(2000, 1000));
    expect(await ask("/api/sessions/s_1/export")).toMatchObject({ status: 200, isWhole: false });
  });

  it("is for those who may read sessions", async () => {
    const ask = await serve(session(1));
    expect((await ask("/api/sessions/s_1/export", { role: "auditor" })).status).toBe(403);
  });
});
