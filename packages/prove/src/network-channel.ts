/** The connectors of the proof: four channels that speak to the pretended network. */
import {
  conversationOf,
  defineChannel,
  SendError,
  type Channel,
  type ChannelConnection,
  type ChannelHost,
  type SentQuery,
} from "@pincer/sdk";
import { Type } from "typebox";
import type { Failpoints } from "./failpoints.ts";
import { accountKinds, type AccountKind } from "./account-kinds.ts";
import type { Delivery } from "./network-frames.ts";
import { openLink, type NetworkLink } from "./network-link.ts";
import type { Plant } from "./plant.ts";

export interface NetworkChannelParts {
  socketPath: string;
  failpoints: Pick<Failpoints, "reach">;
  plant?: Plant | undefined;
}

/** What one message holds at most: small, so that long answers are split. */
const textLimit = 400;

/** How the keys of lines to people who wait begin. */
const waitingKey = "wait";

export const createNetworkChannels = (parts: NetworkChannelParts): Channel[] =>
  accountKinds.map((kind) =>
    defineChannel({
      id: kind,
      config: Type.Object({}, { additionalProperties: true }),
      traits: { textLimit, idempotentSend: kind === "keyed" },
      connect: (_config, host) => connect(kind, host, parts),
    }),
  );

async function connect(
  kind: AccountKind,
  host: ChannelHost,
  { socketPath, failpoints, plant }: NetworkChannelParts,
): Promise<ChannelConnection> {
  const reach = (what: string) => failpoints.reach(`channel.${kind}.${what}`);
  const link = await openLink(kind, socketPath);
  const receive = createReceiver({ host, link, reach, ackFirst: plant === "ack-first" });
  let isOurs = false;
  link.onDelivery(receive);
  link.onClose(() => !isOurs && host.lost("the network ended the connection"));
  const close = async () => {
    isOurs = true;
    link.close();
  };
  host.signal.addEventListener("abort", () => void close(), { once: true });

  const connection: ChannelConnection = {
    async send({ target, response, replyTo }, { idempotencyKey, signal }) {
      reach("send:before");
      if (plant === "keep-quiet" && idempotencyKey.startsWith(waitingKey)) return { messageId: "" };
      const frame = { type: "send", target, text: response.text, key: idempotencyKey } as const;
      const answer = await link
        .ask({ ...frame, ...(replyTo ? { replyTo } : {}) }, signal, () => reach("send:taken"))
        .catch((error: unknown) => {
          if (plant !== "hang-is-refusal") throw error;
          throw new SendError("unavailable", "taken for a refusal");
        });
      reach("send:after");
      return { messageId: answer.type === "taken" ? answer.messageId : "" };
    },
    close,
  };
  if (kind === "editing") {
    connection.edit = async ({ response }, messageId, { signal }) => {
      reach("edit:before");
      await link.ask({ type: "edit", messageId, text: response.text }, signal, () => reach("edit:taken"));
      reach("edit:after");
    };
  }
  if (kind === "queryable" || kind === "editing") {
    connection.querySent = async (_target, key, signal): Promise<SentQuery> => {
      reach("query:before");
      const answer = await link.ask({ type: "query", key }, signal);
      reach("query:after");
      return answer.type === "found" ? answer.result : { type: "unknown" };
    };
  }
  return connection;
}

/** Takes deliveries one after the other within a conversation; what cannot be stored, and what follows it, comes again. */
function createReceiver(parts: {
  host: ChannelHost;
  link: NetworkLink;
  reach(what: string): void;
  ackFirst: boolean;
}): (delivery: Delivery) => void {
  const { host, link, reach, ackFirst } = parts;
  const chains = new Map<string, Promise<void>>();
  const refusedRounds = new Map<string, number>();

  async function take(delivery: Delivery, conversation: string): Promise<void> {
    if (delivery.round <= (refusedRounds.get(conversation) ?? 0)) return;
    const { id, peer, threadId, sender, text, timestamp } = delivery;
    try {
      if (ackFirst) link.say({ type: "ack", id });
      reach("receive:before");
      await host.receive({
        peer,
        ...(threadId === undefined ? {} : { threadId }),
        sender: { id: sender },
        message: { type: "text", id, text, attachments: [], mentioned: true },
        timestamp,
      });
      reach("receive:after");
      if (!ackFirst) link.say({ type: "ack", id });
    } catch (error) {
      host.log.warn(`not stored, asked for again: ${String(error)}`);
      refusedRounds.set(conversation, delivery.round);
      link.say({ type: "nack", id, round: delivery.round });
    }
  }

  return (delivery) => {
    const { peer, threadId } = delivery;
    const target = { peerKind: peer.kind, peerId: peer.id, ...(threadId ? { threadId } : {}) };
    const conversation = conversationOf({ channel: "", accountId: "", target });
    const chain = (chains.get(conversation) ?? Promise.resolve()).then(() => take(delivery, conversation));
    chains.set(conversation, chain);
    void chain.then(() => chains.get(conversation) === chain && chains.delete(conversation));
  };
}
