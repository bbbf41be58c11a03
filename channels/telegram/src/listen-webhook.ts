/** Listens for Telegram's calls. An update is answered with 200 only when it is stored; Telegram brings it again otherwise. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChannelHost } from "@pincer/sdk";
import type { UpdateTaker } from "./take-updates.ts";
import { albumOf, unitsOf } from "./update-units.ts";
import { readUpdate, type NumberedUpdate } from "./update-schema.ts";

export interface WebhookListener {
  port: number;
  /** Finishes running requests and stops listening. Safe to call twice; never throws. */
  close(): Promise<void>;
}

interface ListenParts {
  host: ChannelHost;
  taker: UpdateTaker;
  secret: string;
  address: { host: string; port: number; path: string };
  signal: AbortSignal;
}

const largestBody = 1024 * 1024;
const albumMs = 700;
const mostWaiting = 200;

/** Throws where the address cannot be listened on. */
export async function listenWebhook(parts: ListenParts): Promise<WebhookListener> {
  const { host, address, signal } = parts;
  const line = createLine(parts);
  // Imported, it would load everything that node:http offers.
  const server = process.getBuiltinModule("node:http").createServer((request, response) => {
    const answer = (status: number) => {
      response.writeHead(status, { connection: status === 200 ? "keep-alive" : "close" }).end();
      if (status !== 200) request.resume();
    };
    judge(parts, request)
      .then(async (judged) => {
        if (typeof judged === "number") return answer(judged);
        await line.take(judged);
        host.alive();
        answer(200);
      })
      .catch((error: unknown) => {
        host.log.warn(`an update was not taken: ${error instanceof Error ? error.message : String(error)}`);
        answer(503);
      });
  });
  server.requestTimeout = 15_000;
  server.headersTimeout = 10_000;
  server.maxConnections = 100;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address.port, address.host, resolve);
  });
  const onStop = () => server.close();
  signal.addEventListener("abort", onStop, { once: true });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      signal.removeEventListener("abort", onStop);
      await line.settled();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** An update, or the status to answer with. The secret comes before anything is read. */
async function judge(
  { address, secret, host, signal }: ListenParts,
  request: IncomingMessage,
): Promise<NumberedUpdate | number> {
  if (request.url?.split("?")[0] !== address.path) return 404;
  if (!isEqual(String(request.headers["x-telegram-bot-api-secret-token"] ?? ""), secret)) return 401;
  if (request.method !== "POST") return 405;
  if (signal.aborted) return 503;
  const body = await readBody(request);
  if (body === undefined) return 413;
  const update = readUpdate(parseJson(body));
  if (update) return update;
  host.log.warn("Telegram called with something that is no update");
  return 400;
}

/** Digests are of one length, so that the comparison tells nothing about the secret. */
const isEqual = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > largestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Undefined is no update either.
    return undefined;
  }
}

/** Takes updates one after the other, those of an album together. */
function createLine({ host, taker, signal }: ListenParts) {
  let working: Promise<unknown> = Promise.resolve();
  const albums = new Map<string, { updates: NumberedUpdate[]; taken: Promise<void> }>();
  let waiting = 0;

  const inLine = (updates: () => NumberedUpdate[]): Promise<void> => {
    const mine = working.then(async () => {
      if (signal.aborted) throw new Error("the channel is closing");
      for (const unit of unitsOf(updates())) await taker.take(unit, signal);
    });
    working = mine.catch(() => undefined);
    return mine;
  };

  async function takeAlbum(key: string, update: NumberedUpdate): Promise<void> {
    const open = albums.get(key);
    if (open) {
      open.updates.push(update);
      return open.taken;
    }
    const updates = [update];
    const taken = host.clock.sleep(albumMs, signal).then(() =>
      inLine(() => {
        albums.delete(key);
        return updates;
      }),
    );
    albums.set(key, { updates, taken });
    return taken.finally(() => albums.delete(key));
  }

  return {
    async take(update: NumberedUpdate): Promise<void> {
      if (waiting >= mostWaiting) throw new Error("too many updates at once");
      waiting += 1;
      try {
        const album = albumOf(update);
        await (album === undefined ? inLine(() => [update]) : takeAlbum(album, update));
      } finally {
        waiting -= 1;
      }
    },
    /** Never throws. */
    settled: () => working,
  };
}
