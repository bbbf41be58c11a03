/**
 * A channel connects Pincer to one network. Its connector speaks the network's protocol and nothing else: it never calls a model,
 * keeps no state of its own beyond a cursor, and leaves storing, retrying, splitting and ordering to its host.
 */
import type { Static, TObject } from "typebox";
import type { Attachment, ReceivedMessage } from "./inbound-message.ts";
import type { OutboundMessage, Target } from "./outbound-message.ts";

export interface ChannelTraits {
  /** The most that one message holds, in UTF-16 units as the network counts them. */
  textLimit: number;
  /** The network itself drops a second send with the same idempotency key. */
  idempotentSend: boolean;
  /** The least time between two sends of one account, in milliseconds. */
  paceMs?: number;
}

export interface SendAttempt {
  /** The same for every attempt at one message. */
  idempotencyKey: string;
  /** 1 for the first. */
  attempt: number;
  signal: AbortSignal;
}

export interface SentMessage {
  /** The network's id of it, for editing and answering. */
  messageId?: string;
}

/** What became of a send whose outcome is unknown. */
export type SentQuery = { type: "sent"; messageId?: string } | { type: "not-sent" } | { type: "unknown" };

/** A connection in use. A method that is present is an ability. */
export interface ChannelConnection {
  /** Throws SendError; resolves only when the network has taken the message. */
  send(message: OutboundMessage, attempt: SendAttempt): Promise<SentMessage>;
  /** Replaces the text of a message sent before; the same edit twice is the same as once. Throws SendError. */
  edit?(
    message: OutboundMessage,
    messageId: string,
    attempt: Pick<SendAttempt, "signal">,
  ): Promise<SentMessage | void>;
  /** Finds out about an unknown outcome. Throws SendError when it cannot be asked just now. */
  querySent?(target: Target, idempotencyKey: string, signal: AbortSignal): Promise<SentQuery>;
  react?(target: Target, messageId: string, emoji: string): Promise<void>;
  showTyping?(target: Target): Promise<void>;
  /**
   * The connection hears from its network at least so often (a poll that comes back, a ping that is answered) and says so with `host.alive`:
   * where it falls silent for longer it counts as deaf, however well sending works. Left out where silence means nothing; then `probe` is asked.
   */
  heartbeatSeconds?: number;
  /** Whether messages could come in now, found out by asking: asked twice a minute where there is no heartbeat. May throw, or hang until the signal aborts. */
  probe?(signal: AbortSignal): Promise<{ ok: boolean; detail?: string }>;
  listPeersLive?(): Promise<Array<{ id: string; name: string }>>;
  listGroupsLive?(): Promise<Array<{ id: string; name: string }>>;
  /** Turns names that people write into the ids that the door compares. */
  resolveAllowlist?(names: string[]): Promise<Array<{ name: string; id?: string }>>;
  /** Fetches what came while nobody listened, through `host.receive`. */
  backfill?(signal: AbortSignal): Promise<void>;
  /** Stops receiving and lets go of everything. Safe to call twice; never throws. */
  close(): Promise<void>;
}

export interface MediaStore {
  /** Keeps the bytes and answers with the reference to use in attachments. */
  store(content: Uint8Array, info: { mimeType: string; name?: string }): Promise<Attachment>;
  /** Throws when there is none under that reference. */
  read(media: string): Promise<Uint8Array>;
}

/** What the connector is given. */
export interface ChannelHost {
  accountId: string;
  /**
   * Takes a message in. When it resolves the message is on the disk, and only then may the network be told so; `duplicate` means that
   * it had been stored before. Throws when it cannot be stored: the network must then deliver it again. Only a PincerError
   * `usage/bad-argument` means that this message is never taken: skip it, and tell whoever sent it where that is possible.
   */
  receive(message: ReceivedMessage): Promise<{ type: "stored" } | { type: "duplicate" }>;
  /**
   * A sign of life from the network on the way in, also one without a message: an empty poll that came back, a heartbeat that was answered.
   * Never for what was only sent, and not for a connection that was merely opened. Cheap; safe to call at any time.
   */
  alive(): void;
  media: MediaStore;
  fetch: typeof globalThis.fetch;
  log: ChannelLog;
  clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  /** Where the connector stopped reading, kept over restarts. Save only what `receive` has resolved for. */
  cursor: { load(): Promise<string | undefined>; save(cursor: string): Promise<void> };
  /** Tells the host that the connection has ended by itself; the host connects again. */
  lost(reason: string): void;
  /** Aborts when the channel must stop. */
  signal: AbortSignal;
}

/** What a line of the log is about, by name: runId, sessionKey, channel, accountId, connectionId, caller. */
export type LogIds = Readonly<Record<string, string>>;

export type ChannelLog = Record<"debug" | "info" | "warn" | "error", (message: string, ids?: LogIds) => void>;

export interface Channel {
  id: string;
  /** JSON Schema of its own keys under `channels.<id>`. */
  config: TObject;
  traits: ChannelTraits;
  /** Resolves when messages can come in and go out. Throws SendError, or any error with words for the owner. */
  connect(config: unknown, host: ChannelHost): Promise<ChannelConnection>;
}

export interface ChannelDefinition<Config extends TObject> {
  id: string;
  config: Config;
  traits: ChannelTraits;
  connect(config: Static<Config>, host: ChannelHost): Promise<ChannelConnection>;
}

/** Ties the type of `connect`'s config to the declared schema. */
export function defineChannel<Config extends TObject>(definition: ChannelDefinition<Config>): Channel {
  return { ...definition, connect: (config, host) => definition.connect(config as Static<Config>, host) };
}
