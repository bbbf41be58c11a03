import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HttpCall, HttpReply, HttpRoute } from "./http/http-route.ts";
import { oddJson } from "./testing/odd-json.ts";
import { startTestServer } from "./testing/test-server.ts";

const take: HttpRoute = {
  method: "POST",
  path: "/take",
  access: { type: "open" },
  handle: async (call: HttpCall, reply: HttpReply) => reply.json(200, { kind: typeof (await call.json()) }),
};

const crashes: unknown[] = [];
const note = (error: unknown) => void crashes.push(error);
beforeAll(() => void process.on("unhandledRejection", note).on("uncaughtException", note));
afterAll(() => void process.off("unhandledRejection", note).off("uncaughtException", note));

describe("JSON as nobody should write it", () => {
  it("is more than a handful", () => {
    expect(oddJson.length).toBeGreaterThanOrEqual(200);
    expect(new Set(oddJson.map(({ name }) => name)).size).toBe(oddJson.length);
  });

  it("GW-11 as a body is refused where it is broken and read where it is not, and nothing breaks", async () => {
    const server = await startTestServer({ routes: [take], limits: { bodyBytes: 2 * 1024 * 1024 } });
    const headers = { "content-type": "application/json" };
    const wrong: string[] = [];
    for (const { name, bytes, isBroken } of oddJson) {
      const { status } = await server.ask("/take", { method: "POST", headers, body: bytes });
      if (status !== (isBroken ? 400 : 200)) wrong.push(`${name}: ${status}`);
    }
    expect(wrong).toEqual([]);
    expect(server.said).toEqual([]);
    expect(crashes).toEqual([]);
  });

  it.each(["before", "after"])(
    "PROTO-01 as a frame %s connect is answered as no request, and nothing breaks",
    async (when) => {
      const server = await startTestServer({
        methods: { "owner.list": async () => ({ owners: [] }) },
        bounds: { strangerBytes: 10 * 1024 * 1024 },
      });
      const honest = await server.meet();
      const wrong: string[] = [];
      let line = when === "before" ? await server.open() : await server.meet();
      for (const { name, bytes } of oddJson) {
        line.webSocket.send(bytes, { binary: false });
        const frame = await line.next();
        if (frame === undefined) {
          const { code } = await line.closed;
          // What is no text ends the connection, as the standard says.
          if (code !== 1007) wrong.push(`${name}: closed with ${code}`);
          line = when === "before" ? await server.open() : await server.meet();
        } else if (frame.type !== "res" || frame.ok || frame.error.code !== "INVALID_REQUEST") {
          wrong.push(`${name}: ${JSON.stringify(frame)}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(await honest.ask("owner.list")).toMatchObject({ ok: true });
      expect(server.said).toEqual([]);
      expect(crashes).toEqual([]);
    },
  );

  it("in the parameters of a request pollutes nothing and is refused by name", async () => {
    const server = await startTestServer({ methods: { "owner.list": async () => ({ owners: [] }) } });
    const line = await server.meet();
    for (const params of [
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    ]) {
      line.write(`{"type":"req","id":"1","method":"owner.list","params":${params}}`);
      expect(await line.next()).toMatchObject({ ok: false, error: { code: "INVALID_REQUEST" } });
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(await line.ask("owner.list")).toMatchObject({ ok: true });
  });
});
