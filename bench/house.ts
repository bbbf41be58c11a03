/** A whole gateway in this process, with a network that takes at once. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineChannel, noUsage, type ChannelHost, type Model } from "@pincer/sdk";
import { Type } from "typebox";
import { createGateway } from "../src/app/create-gateway.ts";
import { createRedactor } from "../src/infra/redactor.ts";
import { createSay } from "../src/infra/texts.ts";

export interface House {
  /** Says something in a conversation; resolves when its reply has arrived. */
  turn(peerId: string): Promise<void>;
}

export interface HouseExtras {
  fdatasync?: (descriptor: number) => Promise<void>;
  /** Keys beside those of the channel. */
  config?: object;
  /** Left out: the one of the config answers. */
  models?: Model[];
}

/** Nobody who measures is held up. */
const unlimited = { perUser: 1e9, perChannel: 1e9, perTenant: 1e9 };

/** Built, used, stopped and cleared away. */
export async function withHouse<Result>(
  { config = {}, models, ...extras }: HouseExtras,
  work: (house: House) => Promise<Result>,
): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), "pincer-bench-"));
  await writeFile(
    join(home, "config.json5"),
    JSON.stringify({
      channels: { wire: { dmPolicy: "open" } },
      gateway: { limits: unlimited },
      queue: { debounceMs: 0, concurrency: 32 },
      ...config,
    }),
    { mode: 0o600 },
  );
  const waiting = new Map<string, () => void>();
  let host!: ChannelHost;
  let sent = 0;
  const wire = defineChannel({
    id: "wire",
    config: Type.Object({}),
    traits: { textLimit: 4096, idempotentSend: true },
    async connect(_config, given) {
      host = given;
      return {
        async send({ target }) {
          waiting.get(target.peerId)?.();
          return { messageId: String(++sent) };
        },
        close: async () => {},
      };
    },
  });
  const gateway = await createGateway(
    {
      environment: { PINCER_HOME: home },
      redactor: createRedactor(),
      say: createSay("en"),
      notify: () => {},
      tell: () => {},
      cwd: home,
      version: "bench",
    },
    {},
    { channels: [wire], ...(models ? { models } : {}), ...extras },
  );
  let asked = 0;
  const house: House = {
    async turn(peerId) {
      const replied = new Promise<void>((resolve) => waiting.set(peerId, resolve));
      await host.receive({
        peer: { kind: "user", id: peerId },
        sender: { id: peerId },
        message: {
          type: "text",
          id: `m${++asked}`,
          text: "How are you today?",
          attachments: [],
          mentioned: true,
        },
        timestamp: Date.now(),
      });
      await replied;
    },
  };
  try {
    return await work(house);
  } finally {
    await gateway.stop();
    await rm(home, { recursive: true, force: true });
  }
}

export const instantModel: Model = {
  provider: "instant",
  id: "instant",
  async *stream() {
    const text = "Very well, thank you. What can I do for you?";
    yield { type: "text-delta", text };
    yield {
      type: "end",
      message: {
        role: "assistant",
        content: [{ type: "text", text }],
        provider: "instant",
        model: "instant",
        usage: { ...noUsage(), input: 100, output: 12, total: 112 },
        stopReason: "stop",
      },
    };
  },
};
