/** A deliverer on memory stores with fake networks, for tests: time passes only when a test lets it. */
import { conversationOf, type ChannelConnection, type ChannelTraits, type Destination } from "@pincer/sdk";
import {
  createHandClock,
  createRecordingChannel,
  createRecordingHost,
  type HandClock,
  type LedgerItem,
  type RecordingChannel,
} from "@pincer/sdk/testing";
import { createIds } from "../../infra/ids.ts";
import { createRedactor, type Redactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import type { OutboxDraft, OutboxRow } from "../../storage/outbox/outbox.ts";
import type { TenantStores } from "../../storage/storage.ts";
import { createDeliverer, type Deliverer } from "../deliver.ts";
import type { DeliveryProgress } from "../delivery-step.ts";

export interface DeliveryStage {
  clock: HandClock;
  stores: TenantStores;
  network: RecordingChannel;
  /** The messages that people see on the first network. */
  seen(peerId?: string): string[];
  ledger: LedgerItem[];
  deliverer(): Deliverer;
  /** Puts messages into the outbox and wakes the deliverer. */
  send(...drafts: Array<Partial<OutboxDraft> & { text: string }>): Promise<OutboxRow[]>;
  /** Lets time pass until nothing is left to do; returns how much passed. */
  run(mostMs?: number): Promise<number>;
  /** Runs everything that needs no time. */
  settle(): Promise<void>;
  /** The process is killed, and another starts on the same stores. */
  restart(): Promise<void>;
  connect(accountId?: string): Promise<void>;
  disconnect(accountId?: string): Promise<void>;
  progress: DeliveryProgress[];
  logged: string[];
  /** Who waits because of the store, each time that it was said. */
  held: string[];
  redactor: Redactor;
}

export const peer = (peerId: string, accountId = "default", channel = "recording"): Destination => ({
  channel,
  accountId,
  target: { peerKind: "user", peerId },
});

export async function createDeliveryStage({
  traits = {},
  abilities = {},
  uncertain = "repeat",
  networks = [createRecordingChannel({ traits, abilities })],
  accounts = ["default"],
  clock = createHandClock(),
}: {
  traits?: Partial<ChannelTraits>;
  abilities?: { edit?: boolean; querySent?: boolean };
  uncertain?: "repeat" | "none";
  networks?: RecordingChannel[];
  accounts?: string[];
  clock?: HandClock;
} = {}): Promise<DeliveryStage> {
  const stores = createMemoryStores({ clock, ids: createIds(() => clock.now()) }).tenant("acme");
  const connections = new Map<string, ChannelConnection>();
  const progress: DeliveryProgress[] = [];
  const logged: string[] = [];
  const held: string[] = [];
  const redactor = createRedactor();
  const log = (message: string) => void logged.push(message);
  const [network = createRecordingChannel()] = networks;
  const make = () =>
    createDeliverer({
      outbox: stores.outbox,
      connection: ({ channel, accountId }) => connections.get(`${channel} ${accountId}`),
      traits: (id) => (networks.find(({ channel }) => channel.id === id) ?? network).channel.traits,
      uncertainPolicy: () => uncertain,
      clock,
      random: () => 1,
      say: createSay("en"),
      log: { debug: log, info: log, warn: log, error: log },
      redactor,
      notAfterMs: 3_600_000,
      onProgress: (step) => void progress.push(step),
      onHeld: ({ target }) => void held.push(target.peerId),
    });
  let deliverer = make();

  async function connectOne({ channel }: RecordingChannel, accountId: string): Promise<void> {
    const host = createRecordingHost({ accountId, clock });
    // A connection that is lost comes back after a second.
    host.lost = () => {
      connections.delete(`${channel.id} ${accountId}`);
      void clock.sleep(1000).then(() => connectOne({ channel } as RecordingChannel, accountId));
    };
    connections.set(`${channel.id} ${accountId}`, await channel.connect({}, host));
    deliverer.connectionChanged(channel.id, accountId);
  }
  for (const each of networks) for (const accountId of accounts) await connectOne(each, accountId);

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  return {
    clock,
    stores,
    network,
    ledger: network.ledger,
    progress,
    logged,
    held,
    redactor,
    seen: (peerId) =>
      network.ledger
        .filter(({ target }) => peerId === undefined || target.peerId === peerId)
        .map(({ text }) => text),
    deliverer: () => deliverer,
    settle,
    async send(...drafts) {
      const rows = await stores.outbox.enqueue(
        drafts.map((draft) => ({
          destination: peer("ann"),
          kind: "reply",
          turnId: null,
          attachments: [],
          replyTo: null,
          notAfter: new Date(clock.now() + 3_600_000).toISOString(),
          dedupeKey: null,
          ...draft,
        })),
      );
      deliverer.wake(rows);
      return rows;
    },
    async run(mostMs = 7_200_000) {
      const startedAt = clock.now();
      const state = { isIdle: false };
      void deliverer.idle().then(() => (state.isIdle = true));
      for (let step = 50; clock.now() - startedAt < mostMs; step = Math.min(step * 1.2, 10_000)) {
        await settle();
        if (state.isIdle) break;
        await clock.advance(Math.ceil(step));
      }
      return clock.now() - startedAt;
    },
    async restart() {
      await Promise.all([deliverer.stop(0), clock.advance(0)]);
      deliverer = make();
      await deliverer.start();
    },
    connect: (accountId = "default") => connectOne(network, accountId),
    async disconnect(accountId = "default") {
      await connections.get(`recording ${accountId}`)?.close();
      connections.delete(`recording ${accountId}`);
    },
  };
}

export const conversationWith = (peerId: string): string => conversationOf(peer(peerId));
