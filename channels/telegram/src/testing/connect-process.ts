/** Connects to the Bot API at the address given, sends one message, and prints what was loaded for it. Run as a process of its own. */
import { createRequire } from "node:module";
import { telegramChannel } from "../index.ts";

const [, , apiRoot = "", botToken = ""] = process.argv;
const quiet = () => undefined;
const closing = new AbortController();
const connection = await telegramChannel.connect(
  { botToken, apiRoot, mode: "polling", linkPreviews: false },
  {
    accountId: "default",
    receive: async () => ({ type: "stored" }),
    alive: quiet,
    media: { store: () => Promise.reject(new Error("none")), read: () => Promise.reject(new Error("none")) },
    fetch: () => Promise.reject(new Error("none")),
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    clock: {
      now: () => Date.now(),
      monotonic: () => performance.now(),
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          const timer = setTimeout(resolve, ms);
          signal?.addEventListener("abort", () => {
            clearTimeout(timer);
            reject(signal.reason);
          });
        }),
    },
    cursor: { load: async () => undefined, save: async () => undefined },
    lost: quiet,
    signal: closing.signal,
  },
);
await connection.send(
  {
    channel: "telegram",
    accountId: "default",
    target: { peerKind: "user", peerId: "1001" },
    response: { text: "**hello**", attachments: [] },
  },
  { idempotencyKey: "k", attempt: 1, signal: closing.signal },
);
await connection.close();
const loaded = [
  ...Object.keys(createRequire(import.meta.url).cache),
  ...((process as { moduleLoadList?: string[] }).moduleLoadList ?? []),
];
process.stdout.write(JSON.stringify(loaded.filter((name) => /node-fetch|undici\/undici/.test(name))));
