/**
 * A fake of Telegram's Bot API after its public documentation: strict about what bots send, with long polling,
 * webhooks, files and scripted people, and able to misbehave on command.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { freePort } from "../../../../test/free-port.ts";
import { createFaults, misbehave, type Fault, type Faults } from "./bot-api-faults.ts";
import { createMethods, Refused, type Parameters } from "./bot-api-methods.ts";
import { createPeople, type People } from "./bot-api-people.ts";
import { createWorld, type World } from "./bot-api-world.ts";
import { startWebhookCalls } from "./webhook-calls.ts";

export interface FakeBotApi {
  apiRoot: string;
  token: string;
  world: World;
  people: People;
  faults: Faults;
  /** Every call, in order. */
  calls: Array<{ method: string; given: Parameters }>;
  /** Resolves when something holds, looked at after each call. */
  until(isTrue: () => boolean): Promise<void>;
  /** How many questions for updates are held open. */
  polling(): number;
  /** Ends every connection, and takes no new one until `reopen`. */
  shut(): Promise<void>;
  reopen(): Promise<void>;
  close(): Promise<void>;
}

export interface FakeClock {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const fakeToken = "123456:TEST-token_of-the-stand-in";

export async function createFakeBotApi({
  clock = realClock,
}: { clock?: FakeClock } = {}): Promise<FakeBotApi> {
  const me = { id: 123_456, is_bot: true, first_name: "Pincer", username: "pincer_test_bot" };
  const world = createWorld({ me, now: () => clock.now() });
  const methods = createMethods(world);
  const faults = createFaults();
  const calls: FakeBotApi["calls"] = [];
  const watchers = new Set<() => void>();
  const polls = new Set<{ end(refused: Refused): void }>();
  const confirmed: World["updates"] = [];
  const look = () => {
    for (const watcher of watchers) watcher();
  };

  async function getUpdates(
    given: Parameters,
    fault: Fault | undefined,
    gone: AbortSignal,
  ): Promise<unknown> {
    if (world.webhook.url !== "")
      throw new Refused(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    const offset = given["offset"] as number | undefined;
    const { timeout = 0, limit = 100 } = given as { timeout?: number; limit?: number };
    if (!(limit >= 1 && limit <= 100)) throw new Refused(400, "Bad Request: limit must be between 1 and 100");
    if (offset !== undefined && fault?.type !== "forgotten-offset") {
      confirmed.push(...world.updates.filter(({ update_id: id }) => id < offset));
      world.updates.splice(
        0,
        world.updates.length,
        ...world.updates.filter(({ update_id: id }) => id >= offset),
      );
    }
    const ready = () => {
      if (fault?.type === "deaf") return [];
      const all = fault?.type === "forgotten-offset" ? [...confirmed, ...world.updates] : world.updates;
      return all.slice(0, limit);
    };
    for (const other of polls)
      other.end(
        new Refused(
          409,
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
        ),
      );
    if (ready().length === 0 && timeout > 0 && fault?.type !== "no-long-poll") {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const poll = { end: reject };
      polls.add(poll);
      const over = new AbortController();
      const forget = world.onUpdate(() => {
        if (fault?.type !== "deaf") resolve();
      });
      gone.addEventListener("abort", () => resolve(), { once: true });
      // Aborted when something came.
      clock.sleep(timeout * 1000, over.signal).then(resolve, () => undefined);
      look();
      try {
        await promise;
      } finally {
        over.abort();
        forget();
        polls.delete(poll);
      }
    }
    return distorted(ready(), fault);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const [, bot = "", method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(pathname) ?? [];
    const answer = (status: number, body: object) => {
      if (response.destroyed) return;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    const refuse = (refused: Refused) =>
      answer(refused.status, {
        ok: false,
        error_code: refused.status,
        description: refused.message,
        ...(refused.parameters && { parameters: refused.parameters }),
      });
    if (pathname.startsWith("/file/")) return giveFile(pathname, response);
    const given = await readParameters(request);
    calls.push({ method, given });
    try {
      const fault = faults.meet(method);
      const result = () => methods[method]?.(given);
      if (fault && misbehave(fault, response, answer, result)) return;
      if (bot !== fakeToken) throw new Refused(401, "Unauthorized");
      const gone = new AbortController();
      response.on("close", () => gone.abort());
      if (method === "getUpdates")
        return answer(200, { ok: true, result: await getUpdates(given, fault, gone.signal) });
      if (!methods[method]) throw new Refused(404, "Not Found");
      answer(200, { ok: true, result: result() });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refuse(error);
    } finally {
      look();
    }
  }

  function giveFile(pathname: string, response: ServerResponse): void {
    const fault = faults.meet("file");
    const answer = (status: number, body: object) =>
      void response.writeHead(status).end(JSON.stringify(body));
    if (fault && misbehave(fault, response, answer, () => undefined)) return;
    const path = decodeURIComponent(pathname.replace(`/file/bot${fakeToken}/`, ""));
    const file = [...world.files.values()].find((each) => each.path === path);
    if (file) response.writeHead(200, { "content-type": "application/octet-stream" }).end(file.content);
    else answer(404, { ok: false, error_code: 404, description: "Not Found" });
  }

  const sockets = new Set<Socket>();
  const make = () => {
    const server = createServer((request, response) => {
      handle(request, response).catch((error: unknown) => {
        response
          .writeHead(500)
          .end(JSON.stringify({ ok: false, error_code: 500, description: String(error) }));
      });
    });
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    });
    return server;
  };
  let server = make();
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, "127.0.0.1", () => {
        server.off("error", reject);
        resolve();
      });
    });
  // The system gives it to nobody else while the server is shut.
  const port = await freePort();
  await listen(port);
  const webhooks = startWebhookCalls({ world, faults, clock });

  async function shut(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  return {
    apiRoot: `http://127.0.0.1:${port}`,
    token: fakeToken,
    world,
    people: createPeople(world),
    faults,
    calls,
    until: (isTrue) =>
      new Promise((resolve) => {
        const watcher = () => {
          if (!isTrue()) return;
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
        watcher();
      }),
    polling: () => polls.size,
    shut,
    async reopen() {
      server = make();
      await listen(port);
    },
    async close() {
      webhooks.close();
      await shut();
    },
  };
}

function distorted(updates: World["updates"], fault: Fault | undefined): unknown[] {
  if (fault?.type === "doubled-updates") return updates.flatMap((update) => [update, update]);
  if (fault?.type === "reversed-updates") return [...updates].reverse();
  if (fault?.type === "junk-updates")
    return [
      null,
      7,
      "update",
      { update_id: "x" },
      { message: {} },
      ...updates,
      { update_id: 1, message: { text: 3 } },
    ];
  return updates;
}

async function readParameters(request: IncomingMessage): Promise<Parameters> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  if (body.length === 0) return {};
  if (!type.startsWith("multipart/")) return JSON.parse(body.toString("utf8")) as Parameters;
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  const fields = new Map<string, unknown>();
  for (const [name, value] of form)
    fields.set(name, typeof value === "string" ? unpacked(value) : new Uint8Array(await value.arrayBuffer()));
  return Object.fromEntries([...fields].map(([name, value]) => [name, attached(value, fields)]));
}

function unpacked(value: string): unknown {
  if (!/^(?:[[{]|-?\d+$|true$|false$)/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    // A text that only begins like one.
    return value;
  }
}

/** `attach://name` refers to the part of that name. */
function attached(value: unknown, fields: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === "string" && value.startsWith("attach://")) return fields.get(value.slice(9));
  if (Array.isArray(value)) return value.map((each) => attached(each, fields));
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, attached(each, fields)]));
}

const realClock: FakeClock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};
