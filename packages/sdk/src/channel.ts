/**
 * A channel connects Pincer to one network. Its connector speaks the network's protocol and nothing else: it never
 * calls a model, stores nothing except a cursor, and leaves storing, retrying, splitting and ordering to its host.
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
  /** It sends files that come as attachments. */
  files?: boolean;
  /** How long the typing indicator lasts, in seconds; 5 by default. The host renews it in time. */
  typingSeconds?: number;
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
  /** Shows the typing indicator; called repeatedly while a turn runs. May throw: nobody waits for it. */
  showTyping?(target: Target): Promise<void>;
  /** Removes the indicator, if it would stay otherwise. May throw; safe to call if there is none. */
  stopTyping?(target: Target): Promise<void>;
  /**
   * The connection hears from its network at least this often (a poll that returns, a ping that is answered) and
   * reports it with `host.alive`: if it is silent for longer it counts as deaf, however well sending works. Leave it
   * out if silence means nothing; then `probe` is used.
   */
  heartbeatSeconds?: number;
  /**
   * Whether messages can come in now, found out by asking; called twice a minute if there is no heartbeat. `canSend`:
   * the network answers, so that messages may go out even if none come in; `ok` by default. May throw, or hang until
   * the signal aborts.
   */
  probe?(signal: AbortSignal): Promise<{ ok: boolean; canSend?: boolean; detail?: string }>;
  /** Who can be written to, asked of the network now. May throw. */
  listPeersLive?(): Promise<Array<{ id: string; name: string }>>;
  /** In which groups and rooms this account is, asked of the network now. May throw. */
  listGroupsLive?(): Promise<Array<{ id: string; name: string }>>;
  /** Turns names that people write into the ids that the door compares. */
  resolveAllowlist?(names: string[]): Promise<Array<{ name: string; id?: string }>>;
  /**
   * Fetches what came while disconnected, through `host.receive`, from the cursor on; called after each connect, and
   * again if it throws. If the network pushes, hand over what it pushes meanwhile after that, so that each
   * conversation keeps its order.
   */
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
   * Accepts a message. When it resolves the message is on disk, and only then may the network be acknowledged;
   * `duplicate` means that it was stored before. Throws if it cannot be stored: the network must then deliver it
   * again. Only a PincerError `usage/bad-argument` means that this message will never be accepted: skip it, and tell
   * its sender if possible.
   */
  receive(message: ReceivedMessage): Promise<{ type: "stored" } | { type: "duplicate" }>;
  /**
   * For messages that are here already and wait behind one that `receive` threw `error` for: their senders hear that it
   * takes longer, as the sender of that one does. Keeps nothing, never throws, safe to repeat. Left out where nobody
   * is told.
   */
  putOff?(message: ReceivedMessage, error: unknown): void;
  /**
   * Whether messages of this sender are read there: call it before fetching files, so that strangers cannot fill the
   * disk. Their message is handed over without files. Left out if unknown. Throws if it cannot be determined now.
   */
  isWelcome?(from: Pick<ReceivedMessage, "peer" | "threadId" | "sender">): Promise<boolean>;
  /**
   * A sign of life from the network on the way in, also without a message: an empty poll that came back, a heartbeat
   * that was answered. Never for a successful send, and not for a connection that was merely opened. Cheap; safe to
   * call at any time.
   */
  alive(): void;
  /**
   * Asking the network for messages just failed, and the connector asks again by itself: the account is in doubt until
   * the next `alive`. Left out where nobody watches. Cheap; safe to call at any time.
   */
  trouble?(reason: string): void;
  media: MediaStore;
  fetch: typeof globalThis.fetch;
  log: ChannelLog;
  /** `now` is the wall clock, which may be set; `monotonic` is for durations and never goes back. Both in milliseconds. */
  clock: { now(): number; monotonic(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  /** Where the connector stopped reading, kept over restarts. Save only what `receive` has resolved for. */
  cursor: { load(): Promise<string | undefined>; save(cursor: string): Promise<void> };
  /**
   * For networks with their own sessions: whether to resume the last one. `anew` once that has failed: forget it, and
   * `backfill` brings what was missed.
   */
  session?: "resume" | "anew";
  /** The commands that people may type here, for a menu; each name without its prefix. Left out if unknown. */
  commands?(): Array<{ name: string; description: string }>;
  /** Tells the host that the connection has ended; the host reconnects. */
  lost(reason: string): void;
  /** Aborts when the channel must stop. */
  signal: AbortSignal;
}

/** What a line of the log is about, by name: runId, sessionKey, channel, accountId, connectionId, caller. */
export type LogIds = Readonly<Record<string, string>>;

export type ChannelLog = Record<"debug" | "info" | "warn" | "error", (message: string, ids?: LogIds) => void>;

/** What is tried and told when an account is set up. */
export interface ChannelSetUp {
  /** Where to get what the config needs, one step a line. */
  steps: { en: string[]; zh: string[] };
  /** Tries the keys against the network without listening: who the account is there, or why it does not work. May throw, and counts as a no then. */
  test?(
    config: unknown,
    parts: { fetch: typeof globalThis.fetch; signal: AbortSignal },
  ): Promise<SetUpResult>;
  /** A link that sends the code to the account, so that the person who opens it becomes its owner. */
  claimLink?(account: { id?: string; name: string }, code: string): string;
}

export type SetUpResult =
  | { ok: true; /** Of the account, as people know it there. */ name: string; id?: string }
  | {
      ok: false;
      /** In words: what is wrong, and what to do. */
      problem: string;
      /** Which key of its config is wrong, where it is one. */
      key?: string;
    };

export interface Channel {
  id: string;
  /** The display name of the network; its id by default. */
  name?: string;
  /** JSON Schema of its own keys under `channels.<id>`. */
  config: TObject;
  traits: ChannelTraits;
  /**
   * Resolves once messages can go out: those that are ready must not wait for others that cannot come in. If asking for
   * messages fails, the connection stays, reports it with `trouble` and asks again. Throws SendError, or any error with
   * words for the owner.
   */
  connect(config: unknown, host: ChannelHost): Promise<ChannelConnection>;
  /** How an account is set up; left out where the descriptions of its keys say enough. */
  setUp?: ChannelSetUp;
}

export interface ChannelDefinition<Config extends TObject> {
  id: string;
  name?: string;
  config: Config;
  traits: ChannelTraits;
  connect(config: Static<Config>, host: ChannelHost): Promise<ChannelConnection>;
  setUp?: Omit<ChannelSetUp, "test"> & {
    test?(
      config: Static<Config>,
      parts: Parameters<NonNullable<ChannelSetUp["test"]>>[1],
    ): Promise<SetUpResult>;
  };
}

/** Ties the type of `connect`'s config to the declared schema. */
export function defineChannel<Config extends TObject>(definition: ChannelDefinition<Config>): Channel {
  const { setUp, ...rest } = definition;
  const test = setUp?.test;
  return {
    ...rest,
    connect: (config, host) => definition.connect(config as Static<Config>, host),
    ...(setUp && {
      setUp: {
        ...setUp,
        ...(test && {
          test: (config: unknown, parts: Parameters<typeof test>[1]) =>
            test.call(setUp, config as Static<Config>, parts),
        }),
      },
    }),
  } as Channel;
}
