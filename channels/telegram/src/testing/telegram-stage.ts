/** A connector with the stand-in, a host that remembers, and a clock that tests turn. Connects again as the host does. */
import type { ChannelConnection, ReceivedMessage, SendAttempt } from "@pincer/sdk";
import {
  createHandClock,
  createRecordingHost,
  type HandClock,
  type RecordingHost,
} from "@pincer/sdk/testing";
import { telegramChannel } from "../telegram-channel.ts";
import type { TelegramConfig } from "../telegram-config.ts";
import { createFakeBotApi, type FakeBotApi } from "./fake-bot-api.ts";

export interface TelegramStage {
  fake: FakeBotApi;
  clock: HandClock;
  host: RecordingHost;
  connection(): ChannelConnection;
  /** Lets time pass until it holds; answers how much of it did. Throws when that takes too long. */
  until(isTrue: () => boolean, mostMs?: number): Promise<number>;
  /** Lets this much time pass. */
  pass(ms: number): Promise<void>;
  /** Does something that waits for the clock. */
  within<Answer>(work: Promise<Answer>, mostMs?: number): Promise<Answer>;
  /** Ends the connection as a crash or a restart does, and makes a new one. */
  restart(): Promise<void>;
  texts(): string[];
  last(): ReceivedMessage | undefined;
  close(): Promise<void>;
}

const stepMs = 200;

export async function createTelegramStage(config: Partial<TelegramConfig> = {}): Promise<TelegramStage> {
  // Loading takes time of the machine, which the clock in the test's hand knows nothing of.
  await Promise.all([import("../open-telegram.ts"), import("grammy/web")]);
  const clock = createHandClock();
  const fake = await createFakeBotApi({ clock });
  const host = createRecordingHost({ clock });
  let connection: ChannelConnection | undefined;
  const closing = new AbortController();
  const settings: TelegramConfig = {
    botToken: fake.token,
    apiRoot: fake.apiRoot,
    mode: "polling",
    webhookHost: "127.0.0.1",
    webhookPort: 0,
    linkPreviews: false,
    ...config,
  };

  async function connect(): Promise<void> {
    for (let delay = 1000; !closing.signal.aborted; delay = Math.min(delay * 2, 25_000)) {
      try {
        connection = await telegramChannel.connect(settings, host);
        return;
      } catch (error) {
        host.lostReasons.push((error as Error).message);
        await clock.sleep(delay, host.signal).catch(() => undefined);
      }
    }
  }
  async function renew(): Promise<void> {
    const old = connection;
    connection = undefined;
    await old?.close();
    await clock.sleep(1000, host.signal).catch(() => undefined);
    if (!closing.signal.aborted) await connect();
  }
  host.lost = (reason) => {
    host.lostReasons.push(reason);
    void renew();
  };
  // An exchange on the loopback takes a few turns of the loop, however busy the machine is.
  async function breathe(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  async function until(isTrue: () => boolean, mostMs = 60_000): Promise<number> {
    const began = clock.now();
    while (!isTrue()) {
      if (clock.now() - began > mostMs) throw new Error(`it did not happen within ${mostMs} ms`);
      await breathe();
      if (!isTrue()) await clock.advance(stepMs);
    }
    return clock.now() - began;
  }
  const stage: TelegramStage = {
    fake,
    clock,
    host,
    connection() {
      if (!connection) throw new Error("there is no connection");
      return connection;
    },
    until,
    async pass(ms) {
      const end = clock.now() + ms;
      await until(() => clock.now() >= end, ms + stepMs);
    },
    async within(work, mostMs) {
      let isOver = false;
      const over = () => void (isOver = true);
      work.then(over, over);
      await until(() => isOver, mostMs);
      return work;
    },
    async restart() {
      host.stop();
      await stage.within(connection?.close() ?? Promise.resolve());
      host.reopen();
      await stage.within(connect());
    },
    texts: () => host.received.map(({ message }) => ("text" in message ? message.text : "")),
    last: () => host.received.at(-1),
    async close() {
      closing.abort();
      host.stop();
      await stage.within(connection?.close() ?? Promise.resolve());
      await fake.close();
    },
  };
  const connecting = connect();
  await stage.within(connecting);
  return stage;
}

export const attempt = (idempotencyKey = "k"): SendAttempt => ({
  idempotencyKey,
  attempt: 1,
  signal: new AbortController().signal,
});
