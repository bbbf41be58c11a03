/**
 * The channel for scripts and tests: JSON lines come in from a file or a socket, and go out the same way. What was
 * written to a file can be checked later; a socket forgets, so its messages may have to be repeated.
 */
import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import {
  SendError,
  defineChannel,
  type ChannelConnection,
  type ChannelHost,
  type OutboundMessage,
  type SentMessage,
  PincerError,
} from "@pincer/sdk";
import { Type, type Static } from "typebox";
import { followFile, pollMs, type LineTaker } from "./follow-file.ts";
import { openLineSocket, type LineSocket } from "./line-socket.ts";
import { lineIdOf } from "./message-id.ts";
import { openOutboxFile, type OutboxFile } from "./outbox-file.ts";
import { parseLine } from "./parse-line.ts";

const Config = Type.Object({
  inbox: Type.Optional(
    Type.String({ description: "File that others append messages to, one line of JSON each." }),
  ),
  outbox: Type.Optional(Type.String({ description: "File that messages are appended to." })),
  socket: Type.Optional(Type.String({ description: "Path of a unix socket that speaks the same lines." })),
});

export const localChannel = defineChannel({
  id: "local",
  config: Config,
  traits: { textLimit: 65_536, idempotentSend: false, files: true },
  connect,
});

async function connect(given: Static<typeof Config>, host: ChannelHost): Promise<ChannelConnection> {
  const config = placesOf(given);
  if (!config.inbox && !config.outbox && !config.socket) {
    throw new SendError("rejected", "set at least one of inbox, outbox and socket");
  }
  const closers: Array<() => Promise<void>> = [];
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeAll(closers));
  try {
    const file = config.outbox ? await openOutboxFile(config.outbox) : undefined;
    if (file) closers.unshift(() => file.close());
    const socket = config.socket
      ? await openLineSocket({ path: config.socket, answer: (line) => answerLine(host, line) })
      : undefined;
    if (socket) closers.unshift(() => socket.close());
    if (config.inbox) {
      const followed = await followFile({ path: config.inbox, host, ...fileLineTaker(host, file) });
      closers.unshift(() => followed.close());
    }
    return { ...senderTo({ file, socket, host }), ...hearing(config, socket), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A file is always watched; a socket has to be probed; an outbox alone hears nothing. */
function hearing(
  { inbox }: Static<typeof Config>,
  socket: LineSocket | undefined,
): Pick<ChannelConnection, "heartbeatSeconds" | "probe"> {
  if (inbox !== undefined) return { heartbeatSeconds: (pollMs * 5) / 1000 };
  return { probe: async (signal) => socket?.probe(signal) ?? { ok: true, detail: "it only sends" } };
}

/** A place that depends on where the gateway was started would be another one tomorrow: only absolute ones, and `~/`. */
function placesOf(config: Static<typeof Config>): Static<typeof Config> {
  const places = Object.entries(config).map(([key, path]) => {
    const place = path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
    if (isAbsolute(place)) return [key, place];
    throw new SendError("rejected", `${key} must be an absolute path or begin with ~/, not ${path}`);
  });
  return Object.fromEntries(places);
}

/** In order: nothing is received any more before what it could lead to is closed. */
async function closeAll(closers: Array<() => Promise<void>>): Promise<void> {
  // Closing never throws; what would not close is gone with the process.
  for (const close of closers) await close().catch(() => undefined);
}

function fileLineTaker(host: ChannelHost, file: OutboxFile | undefined): LineTaker {
  async function refuseLine(reason: string, id: string): Promise<void> {
    host.log.warn(`line ${id} was skipped: ${reason}`);
    await file?.append({ error: reason, id, time: new Date(host.clock.now()).toISOString() });
  }
  return {
    refuseLine,
    async takeLine(line, id) {
      const taken = await takeLine(host, line, id);
      if (taken.type === "refused") await refuseLine(taken.reason, taken.id ?? id);
    },
    putOffLine(line, error) {
      // Its own id matters only when it is taken.
      const parsed = parseLine(line, { fallbackId: "waits", now: host.clock.now() });
      if (parsed.type !== "bad") host.putOff?.(parsed.message, error);
    },
  };
}

async function answerLine(host: ChannelHost, line: string): Promise<object> {
  try {
    const taken = await takeLine(host, line, `socket-${randomUUID()}`);
    return taken.type === "stored" ? { ack: taken.id } : { error: taken.reason, id: taken.id ?? null };
  } catch (error) {
    host.log.warn(`a line was not stored: ${error instanceof Error ? error.message : String(error)}`);
    return { error: "it could not be stored just now; send it again", id: idIn(line), again: true };
  }
}

function idIn(line: string): string | null {
  const { id, requestId } = JSON.parse(line) as { id?: string; requestId?: string };
  return id ?? requestId ?? null;
}

function senderTo({
  file,
  socket,
  host,
}: {
  file: OutboxFile | undefined;
  socket: LineSocket | undefined;
  host: ChannelHost;
}): Omit<ChannelConnection, "close"> {
  const lineOf = ({ channel, accountId, target, response, replyTo }: OutboundMessage) => ({
    channel,
    accountId,
    to: { kind: target.peerKind, id: target.peerId, ...(target.threadId ? { thread: target.threadId } : {}) },
    text: response.text,
    ...(response.attachments.length > 0 ? { attachments: response.attachments } : {}),
    ...(replyTo === undefined ? {} : { replyTo: lineIdOf(replyTo) }),
    time: new Date(host.clock.now()).toISOString(),
  });

  async function put(chat: string, line: object): Promise<void> {
    await file?.append(line);
    const telling = socket?.tell(chat, line);
    // It is in the file; who listens besides is not waited for.
    if (file) return;
    const told = await telling;
    if (told?.isTaken) return;
    if (!told || told.listening === 0)
      throw new SendError("unavailable", "no client is connected to the socket");
    throw new SendError("closed", "the client on the socket disconnected midway");
  }

  return {
    async send(message, { idempotencyKey, attempt, signal }): Promise<SentMessage> {
      signal.throwIfAborted();
      const before = attempt > 1 ? await file?.find(idempotencyKey) : undefined;
      if (before !== undefined) return { messageId: before };
      const id = `m-${idempotencyKey}`;
      await put(message.target.peerId, { id, idempotencyKey, ...lineOf(message) });
      return { messageId: id };
    },
    async edit(message, messageId, { signal }) {
      signal.throwIfAborted();
      await put(message.target.peerId, { id: messageId, edit: messageId, ...lineOf(message) });
    },
    ...(file && {
      async querySent(_target, idempotencyKey) {
        const messageId = await file.find(idempotencyKey);
        return messageId === undefined ? { type: "not-sent" as const } : { type: "sent" as const, messageId };
      },
    }),
  };
}

type TakenLine =
  | { type: "stored"; id: string }
  /** It will never be taken: say so and go on. */
  | { type: "refused"; id: string | undefined; reason: string };

/** Throws when it could not be stored now; it must then come again. */
async function takeLine(
  host: Pick<ChannelHost, "receive" | "clock">,
  line: string,
  fallbackId: string,
): Promise<TakenLine> {
  const parsed = parseLine(line, { fallbackId, now: host.clock.now() });
  if (parsed.type === "bad") return { type: "refused", id: parsed.id, reason: parsed.reason };
  const { id } = parsed;
  try {
    await host.receive(parsed.message);
    return { type: "stored", id };
  } catch (error) {
    if (!(error instanceof PincerError) || error.domain !== "usage") throw error;
    return { type: "refused", id, reason: error.message };
  }
}
