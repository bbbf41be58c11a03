/** A pretended network with connectors on it, in one process: what a test of either needs of the other. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChannelConnection, ChannelHost, OutboundMessage, ReceivedMessage } from "@pincer/sdk";
import { systemClock } from "../../../../src/infra/clock.ts";
import type { AccountKind } from "../account-kinds.ts";
import { startFakeNetwork, type FakeNetwork } from "../fake-network.ts";
import { createNetworkChannels } from "../network-channel.ts";
import type { PersonMessage } from "../network-ledger.ts";
import type { Plant } from "../plant.ts";
import { scriptText } from "../script.ts";

export interface ConnectedAccount {
  connection: ChannelConnection;
  /** What the host was given, in order. */
  received: ReceivedMessage[];
  /** Resolves with the reason when the network ended the connection. */
  lost: Promise<string>;
  stop(): void;
}

export interface NetworkStage {
  network: FakeNetwork;
  socketPath: string;
  /** Points that connectors passed. */
  points: string[];
  connect(
    kind: AccountKind,
    options?: { receive?: (message: ReceivedMessage) => Promise<void>; plant?: Plant },
  ): Promise<ConnectedAccount>;
  close(): Promise<void>;
}

export async function openNetworkStage(): Promise<NetworkStage> {
  const directory = await mkdtemp(join(tmpdir(), "pincer-network-"));
  const socketPath = join(directory, "net.sock");
  const network = await startFakeNetwork({ socketPath, onControl: () => () => {} });
  const points: string[] = [];
  const stops: Array<() => void> = [];
  return {
    network,
    socketPath,
    points,
    async connect(kind, { receive = async () => {}, plant } = {}) {
      const failpoints = { reach: (point: string) => void points.push(point) };
      const channels = createNetworkChannels({ socketPath, failpoints, plant });
      const channel = channels.find(({ id }) => id === kind);
      if (!channel) throw new Error(`no channel ${kind}`);
      const received: ReceivedMessage[] = [];
      const stopper = new AbortController();
      const lost = Promise.withResolvers<string>();
      const host: ChannelHost = {
        accountId: "default",
        async receive(message) {
          received.push(message);
          await receive(message);
          return { type: "stored" };
        },
        alive: () => {},
        media: {
          store: () => Promise.reject(new Error("none")),
          read: () => Promise.reject(new Error("none")),
        },
        fetch: globalThis.fetch,
        log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
        clock: systemClock,
        cursor: { load: async () => undefined, save: async () => {} },
        lost: lost.resolve,
        signal: stopper.signal,
      };
      const connection = await channel.connect({}, host);
      const stop = () => stopper.abort();
      stops.push(stop);
      return { connection, received, lost: lost.promise, stop };
    },
    async close() {
      for (const stop of stops) stop();
      await network.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

let messages = 0;

export function personMessage(account: AccountKind, peerId = "42"): PersonMessage {
  const id = `m${++messages}`;
  return {
    id,
    kind: "say",
    account,
    providerId: `p${messages}`,
    peer: { kind: "user", id: peerId },
    text: scriptText({ id, kind: "say" }),
  };
}

export const outbound = (account: AccountKind, text: string, peerId = "42"): OutboundMessage => ({
  channel: account,
  accountId: "default",
  target: { peerKind: "user", peerId },
  response: { text, attachments: [] },
});

export const attempt = (idempotencyKey: string) => ({
  idempotencyKey,
  attempt: 1,
  signal: new AbortController().signal,
});
