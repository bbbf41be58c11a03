import type { Entry } from "@pincer/sdk";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { createMediaStore } from "../../storage/media/media-store.ts";
import { systemClock } from "../../infra/clock.ts";
import { ownerCaller } from "../../policy/caller.ts";
import type { Role } from "../../policy/permission-points.ts";
import { HttpFailure } from "../http/http-route.ts";
import { listenOnHttp } from "../http/http-server.ts";
import { mediaRoutes } from "./media-routes.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==",
  "base64",
);
const page = Buffer.from("<!doctype html><html><script>alert(1)</script></html>");

interface Given {
  maxFileBytes?: number;
  /** Looks at what comes, before it goes on to the store. */
  watch?(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

async function serve(entries: () => Entry[] = () => [], { maxFileBytes = 4000, watch }: Given = {}) {
  const directory = mkdtempSync(join(tmpdir(), "pincer-media-routes-"));
  const limits = { maxFileBytes, maxBytes: 1_000_000 + maxFileBytes, keepDays: 9 };
  const kept = createMediaStore({ directory, limits: () => limits });
  /** How each upload ended for the store, in order. */
  const received: Array<Promise<unknown>> = [];
  const media: Pick<typeof kept, "read" | "receive"> = {
    ...kept,
    receive(pieces, about) {
      const receiving = kept.receive(watch?.(pieces) ?? pieces, about);
      received.push(receiving.catch((error: unknown) => error));
      return receiving;
    },
  };
  const asked: unknown[] = [];
  const server = await listenOnHttp({
    addresses: [{ host: "127.0.0.1", port: 0 }],
    routes: mediaRoutes({
      media,
      maxFileBytes: () => limits.maxFileBytes,
      maxBytes: () => limits.maxBytes,
      clock: systemClock,
      async callMethod({ id }, method, params) {
        asked.push([id, method, params]);
        if (id === "developer") throw new HttpFailure(403, "FORBIDDEN", "not yours");
        return { entries: entries() };
      },
    }),
    doors: {
      async admit({ bearer }) {
        if (bearer === undefined) return { type: "nothing-shown" };
        const caller = { ...ownerCaller("t", "token"), id: bearer, role: bearer as Role };
        return { type: "admitted", caller };
      },
      isStillIn: async () => true,
    },
    checks: { addressOf: () => "127.0.0.1", refusal: () => undefined },
    limits: () => ({ connections: 10, bodyBytes: 100, arriveWithinMs: 5000 }),
    takeRate: () => undefined,
    clock: systemClock,
    log: { warn: () => {}, error: () => {} },
  });
  onTestFinished(async () => {
    await server.close(0);
    rmSync(directory, { recursive: true });
  });
  const base = `http://127.0.0.1:${server.addresses[0]?.port}/api/media`;
  const as = (role: string) => (role === "" ? {} : { authorization: `Bearer ${role}` });
  const upload = (body: Uint8Array<ArrayBuffer>, query = "", type = "image/png", role = "owner") =>
    fetch(base + query, { method: "POST", body, headers: { "content-type": type, ...as(role) } });
  const get = (id: string, query: string, role = "owner") =>
    fetch(`${base}/${encodeURIComponent(id)}${query}`, { headers: as(role) });
  const stored = async (body: Uint8Array<ArrayBuffer>, query = "", type = "image/png") =>
    (await (await upload(body, query, type)).json()) as {
      id: string;
      name: string;
      type: string;
      bytes: number;
    };
  const files = () =>
    readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return { upload, get, stored, asked, base, files, received };
}

const came = (id: string, mimeType: string, name?: string): Entry => ({
  type: "message",
  seq: 7,
  time: "2026-01-01T00:00:00.000Z",
  message: {
    role: "user",
    content: [{ type: "text", text: "look" }],
    files: [{ media: id, mimeType, ...(name === undefined ? {} : { name }) }],
  },
});

it("UI-01 takes a file in under its own limit, and tells what it is by its bytes", async () => {
  const { stored, upload } = await serve();
  expect(await stored(png, "?name=..%2Fa%2Fdot.png", "text/html")).toEqual({
    id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    name: "dot.png",
    type: "image/png",
    bytes: png.length,
  });
  expect(await stored(page, "?name=x.png")).toMatchObject({ type: "text/html" });
  expect((await upload(Buffer.alloc(4001))).status).toBe(413);
  expect((await upload(Buffer.alloc(4000))).status).toBe(200);
  expect((await upload(Buffer.alloc(0))).status).toBe(400);
  expect((await upload(png, "", "image/png", "")).status).toBe(401);
  expect((await upload(png, "", "image/png", "viewer")).status).toBe(403);
});

it("UI-01 shows a picture to callers who may read its message", async () => {
  let entries: Entry[] = [];
  const { get, stored, asked } = await serve(() => entries);
  const { id } = await stored(png);
  entries = [came(id, "image/png", "märz (1).png")];
  const shown = await get(id, "?session=main&seq=7");
  expect(shown.status).toBe(200);
  expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    "content-type": "image/png",
    "content-disposition": `inline; filename="m_rz_1_.png"; filename*=UTF-8''m%C3%A4rz%20%281%29.png`,
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
  });
  expect(asked).toEqual([["owner", "chat.history", { sessionKey: "main", before: 8, limit: 1 }]]);
  const kept = await get(id, "?session=main&seq=7&download");
  expect(kept.headers.get("content-disposition")).toMatch(/^attachment/);
});

it("SAFE-02 gives no file to callers who may not read that message, nor one that did not come with it", async () => {
  let entries: Entry[] = [];
  const { get, stored } = await serve(() => entries);
  const { id } = await stored(png);
  expect((await get(id, "?session=main&seq=7")).status).toBe(404);
  entries = [came("sha256:other", "image/png")];
  expect((await get(id, "?session=main&seq=7")).status).toBe(404);
  entries = [came(id, "image/png")];
  expect((await get(id, "?session=main&seq=8")).status).toBe(404);
  expect((await get(id, "?session=main&seq=7", "developer")).status).toBe(403);
  expect((await get(id, "?session=main&seq=7", "auditor")).status).toBe(403);
  for (const query of ["", "?session=main", "?seq=7", "?session=main&seq=x", "?session=main&seq=-1"])
    expect((await get(id, query)).status).toBe(400);
});

it("SAFE-02 never hands out what a browser would run", async () => {
  let entries: Entry[] = [];
  const { get, stored } = await serve(() => entries);
  const { id } = await stored(page);
  for (const type of ["text/html", "image/svg+xml", "application/xml", "application/pdf", "text/plain"]) {
    entries = [came(id, type, "page.html")];
    const answer = await get(id, "?session=main&seq=7");
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
  }
});

it("SEC-02 lets nobody but the owner push out by many files what others have kept, however small they are", async () => {
  const { upload } = await serve();
  const small = (number: number) => Buffer.from(`file ${number}`);
  const answers = async (role: string) => {
    const found: number[] = [];
    for (let number = 0; number < 13; number++)
      found.push((await upload(small(number), "", "text/plain", role)).status);
    return found;
  };
  expect(await answers("developer")).toEqual([...Array.from({ length: 12 }, () => 200), 429]);
  expect((await upload(small(99), "", "text/plain", "admin")).status).toBe(200);
  expect(new Set(await answers("owner"))).toEqual(new Set([200]));
});

/** What is still in use, in the heap and beside it. */
function retainedBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const owner = { authorization: "Bearer owner", "content-type": "application/octet-stream" };

it("GW-11 holds no more of a large file in memory than a few pieces of it", async () => {
  const megabyte = 1024 * 1024;
  const size = 20 * megabyte;
  const grown: number[] = [];
  const before = retainedBytes();
  let came = 0;
  async function* watch(pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      const looked = Math.floor(came / (4 * megabyte));
      came += piece.byteLength;
      if (Math.floor(came / (4 * megabyte)) > looked) grown.push(retainedBytes() - before);
      yield piece;
    }
  }
  const { base, files } = await serve(() => [], { maxFileBytes: size, watch });
  const sending = request(base, { method: "POST", headers: { ...owner, "content-length": size } });
  const answered = once(sending, "response");
  const piece = Buffer.alloc(64 * 1024, 0x01);
  for (let sent = 0; sent < size; sent += piece.byteLength) {
    if (!sending.write(piece)) await once(sending, "drain");
  }
  sending.end();
  const [response] = (await answered) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
  expect(files()).toHaveLength(1);
  expect(grown).toHaveLength(5);
  expect(Math.max(...grown)).toBeLessThan(8 * megabyte);
}, 30_000);

it("GW-11 leaves nothing of a file that breaks off, nor of one that turns out to be too large", async () => {
  const { base, files, received } = await serve(() => [], { maxFileBytes: 100_000 });
  const broken = request(base, { method: "POST", headers: { ...owner, "content-length": 90_000 } });
  broken.on("error", () => undefined);
  const half = Buffer.alloc(45_000);
  await new Promise<void>((resolve) => broken.write(half, () => resolve()));
  await expect.poll(() => received).toHaveLength(1);
  broken.destroy();
  expect(await received[0]).toMatchObject({ status: 400 });
  expect(files()).toEqual([]);

  // Without a length nobody knows before.
  const long = request(base, { method: "POST", headers: owner });
  const answered = once(long, "response");
  for (let count = 0; count < 3; count++) long.write(half);
  const [response] = (await answered) as [IncomingMessage];
  expect(response.statusCode).toBe(413);
  long.destroy();
  await received[1];
  expect(files()).toEqual([]);
});

it("SEC-02 leaves nothing of a file that was more than its sender may bring", async () => {
  const { upload, files } = await serve();
  for (let number = 0; number < 13; number++)
    await upload(Buffer.from(`file ${number}`), "", "text/plain", "developer");
  expect(files()).toHaveLength(12);
});
