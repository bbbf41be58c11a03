/** A unix socket that speaks lines of JSON, for its owner alone. */
import { chmod, lstat, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";

export interface LineSocket {
  /** To every client that listens there; resolves when the first has taken it, or when none can any more. Never throws. */
  tell(chat: string, line: object): Promise<{ listening: number; isTaken: boolean }>;
  /** Whether clients can connect. */
  probe(signal: AbortSignal): Promise<{ ok: boolean; detail?: string }>;
  /** Ends every connection. Safe to call twice; never throws. */
  close(): Promise<void>;
}

const longestLineBytes = 1024 * 1024;
/** How much may be buffered for a client that does not read; then it is disconnected. */
const mostWaitingBytes = 4 * 1024 * 1024;

/** `answer` gets each line in order and resolves to the reply; it must not throw. */
export async function openLineSocket({
  path,
  answer,
}: {
  path: string;
  answer(line: string): Promise<object>;
}): Promise<LineSocket> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await clearOld(path);
  const clients = new Map<Socket, Client>();
  const server = createServer((socket) => {
    const client: Client = { hears: () => false, write: lineWriter(socket) };
    clients.set(socket, client);
    socket.on("close", () => clients.delete(socket));
    // A client that goes away is no failure of ours.
    socket.on("error", () => socket.destroy());
    readLines(socket, client, async (line) => {
      const hello = helloIn(line);
      if (hello) client.hears = (chat) => hello.chat === undefined || hello.chat === chat;
      return client.write(hello ? { hello: true } : await answer(line));
    });
  });
  await listenPrivately(server, path);
  let closing: Promise<void> | undefined;
  return {
    async tell(chat, line) {
      const hearing = [...clients.values()].filter((client) => client.hears(chat));
      return { listening: hearing.length, isTaken: await isAnyTrue(hearing.map(({ write }) => write(line))) };
    },
    probe: (signal) => tryToConnect(path, signal),
    close: () => (closing ??= closeAll(server, clients, path)),
  };
}

function tryToConnect(path: string, signal: AbortSignal): Promise<{ ok: boolean; detail?: string }> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    const end = (answer: { ok: boolean; detail?: string }) => {
      signal.removeEventListener("abort", onAbort);
      socket.destroy();
      resolve(answer);
    };
    const onAbort = () => end({ ok: false, detail: "nobody answered in time" });
    signal.addEventListener("abort", onAbort, { once: true });
    socket.once("connect", () => end({ ok: true }));
    socket.once("error", (error) => end({ ok: false, detail: error.message }));
  });
}

interface Client {
  hears(chat: string): boolean;
  /** Whether the system took the line. Never throws. */
  write(line: object): Promise<boolean>;
}

/** Resolves with the first true one, so that a slow client delays nobody. */
function isAnyTrue(answers: ReadonlyArray<Promise<boolean>>): Promise<boolean> {
  return new Promise((resolve) => {
    for (const answer of answers) void answer.then((isTrue) => isTrue && resolve(true));
    void Promise.all(answers).then(() => resolve(false));
  });
}

async function closeAll(server: Server, clients: Map<Socket, unknown>, path: string): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of clients.keys()) socket.destroy();
  await closed;
  await rm(path, { force: true });
}

/** One line at a time; reading pauses during an answer, so that nobody can flood us. */
function readLines(socket: Socket, { write }: Client, take: (line: string) => Promise<unknown>): void {
  let rest = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    socket.pause();
    void (async () => {
      for (let end = rest.indexOf(10); end >= 0 && !socket.destroyed; end = rest.indexOf(10)) {
        const line = rest.toString("utf8", 0, end).trim();
        rest = rest.subarray(end + 1);
        if (line !== "") await take(line);
      }
      if (rest.length > longestLineBytes) {
        await write({ error: `a line holds at most ${longestLineBytes} bytes`, id: null });
        socket.destroy();
      }
      socket.resume();
    })();
  });
}

function lineWriter(socket: Socket): Client["write"] {
  const waiting = new Set<(isTaken: boolean) => void>();
  // What is on its way when the connection ends is not always told by its own callback.
  socket.on("close", () => {
    for (const settle of waiting) settle(false);
  });
  return (line) =>
    new Promise((resolve) => {
      if (socket.writableLength > mostWaitingBytes) socket.destroy();
      if (socket.destroyed || !socket.writable) return resolve(false);
      const settle = (isTaken: boolean) => {
        waiting.delete(settle);
        resolve(isTaken);
      };
      waiting.add(settle);
      socket.write(`${JSON.stringify(line)}\n`, (error) => settle(!error));
    });
}

/** `{"hello": true}` hears every chat, `{"hello": {"chat": "ann"}}` one. */
function helloIn(line: string): { chat?: string } | undefined {
  if (!line.includes('"hello"')) return undefined;
  try {
    const { hello } = JSON.parse(line) as { hello?: unknown };
    if (hello === true) return {};
    if (typeof hello !== "object" || hello === null) return undefined;
    const { chat } = hello as { chat?: unknown };
    return typeof chat === "string" ? { chat } : {};
  } catch {
    // Not ours to judge: it is answered as a line that is no JSON.
    return undefined;
  }
}

/** Bound in its own directory, and moved to its name once nobody else can open it. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const directory = await mkdtemp(join(dirname(path), ".s"));
  try {
    const hidden = join(directory, "s");
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(hidden, () => {
        server.off("error", reject);
        resolve();
      });
    });
    await chmod(hidden, 0o600);
    await rename(hidden, path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A socket without a listener was left by a crash; anything else is not ours to remove. */
async function clearOld(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats) return;
  if (!stats.isSocket()) throw new Error(`${path} is there and is no socket`);
  const isAlive = await new Promise<boolean>((resolve) => {
    const probe = createConnection(path);
    probe.on("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.on("error", () => resolve(false));
  });
  if (isAlive) throw new Error(`another process listens on ${path}`);
}
