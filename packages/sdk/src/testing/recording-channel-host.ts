/** The host of a connector under test: keeps what was received, and the cursor, in memory. */
import type { ChannelHost } from "../channel.ts";
import type { Attachment, ReceivedMessage } from "../inbound-message.ts";

export interface RecordingHost extends ChannelHost {
  /** What was stored, each message once. */
  received: ReceivedMessage[];
  /** Every call of `receive`, duplicates and refused ones too. */
  deliveries: ReceivedMessage[];
  /** Every message that was put off, by id. */
  delayed: string[];
  /** While set, nothing is stored and `receive` throws this. */
  refuse: Error | undefined;
  /** Resolves when this many messages are stored. */
  until(count: number): Promise<void>;
  /** Resolves when `receive` was called this often. */
  untilDelivered(count: number): Promise<void>;
  /** How often the connector said that it had heard from its network. */
  signs: number;
  /** Why the connector said that asking for messages failed. */
  troubles: string[];
  /** Why the connector said that its connection was lost. */
  lostReasons: string[];
  logged: string[];
  /** Keeps what it stored and the cursor; the signal is new. For a connector that reconnects. */
  reopen(): void;
  stop(): void;
}

export function createRecordingHost({
  accountId = "default",
  clock = { now: () => Date.now(), monotonic: () => performance.now(), sleep: sleepForReal },
}: { accountId?: string; clock?: ChannelHost["clock"] } = {}): RecordingHost {
  let controller = new AbortController();
  let cursor: string | undefined;
  const media = new Map<string, Uint8Array>();
  const waiting = new Set<() => void>();
  const until = (isDone: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isDone()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const log = (message: string) => void host.logged.push(message);
  const host: RecordingHost = {
    accountId,
    received: [],
    deliveries: [],
    delayed: [],
    refuse: undefined,
    signs: 0,
    alive: () => void host.signs++,
    troubles: [],
    trouble: (reason) => void host.troubles.push(reason),
    lostReasons: [],
    logged: [],
    session: "resume",
    clock,
    fetch: globalThis.fetch,
    log: { debug: log, info: log, warn: log, error: log },
    get signal() {
      return controller.signal;
    },
    until: (count) => until(() => host.received.length >= count),
    untilDelivered: (count) => until(() => host.deliveries.length >= count),
    reopen() {
      controller = new AbortController();
    },
    stop: () => controller.abort(),
    lost: (reason) => void host.lostReasons.push(reason),
    cursor: {
      load: async () => cursor,
      async save(next) {
        cursor = next;
      },
    },
    media: {
      async store(content, { mimeType, name }): Promise<Attachment> {
        const reference = `memory:${media.size + 1}`;
        media.set(reference, content);
        const sizeBytes = content.byteLength;
        return {
          kind: "file",
          media: reference,
          mimeType,
          sizeBytes,
          ...(name === undefined ? {} : { name }),
        };
      },
      async read(reference) {
        const content = media.get(reference);
        if (!content) throw new Error(`there is no ${reference}`);
        return content;
      },
    },
    putOff: (message) => void host.delayed.push(message.message.id),
    async receive(message) {
      host.deliveries.push(message);
      try {
        if (host.refuse) throw host.refuse;
        if (host.received.some((other) => other.message.id === message.message.id))
          return { type: "duplicate" };
        host.received.push(message);
        return { type: "stored" };
      } finally {
        for (const look of waiting) look();
      }
    },
  };
  return host;
}

function sleepForReal(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
