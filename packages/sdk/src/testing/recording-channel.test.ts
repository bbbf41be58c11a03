import { describe, expect, it } from "vitest";
import type { ReceivedMessage } from "../inbound-message.ts";
import { describeChannelContract } from "./channel-contract.ts";
import { createRecordingHost } from "./recording-channel-host.ts";
import { createRecordingChannel } from "./recording-channel.ts";

const written = ({ id, text, chat }: { id: string; text: string; chat: string }): ReceivedMessage => ({
  peer: { kind: "user", id: chat },
  sender: { id: chat },
  message: { type: "text", id, text, attachments: [], mentioned: true },
  timestamp: 1,
});

for (const idempotentSend of [true, false]) {
  describeChannelContract(
    `a recording channel${idempotentSend ? " that drops second sends" : ""}`,
    async () => {
      const network = createRecordingChannel({
        traits: { idempotentSend },
        abilities: { edit: true, querySent: !idempotentSend },
      });
      return {
        channel: network.channel,
        config: {},
        write: (message) => network.say(written(message), "default"),
        seen: async (chat) =>
          network.ledger.filter(({ target }) => target.peerId === chat).map(({ text }) => text),
        failNextSend(code) {
          if (code === "closed") network.faults.inject({ type: "close-in-send", taken: false });
          else network.faults.inject({ type: "fail", code });
        },
        close: async () => undefined,
      };
    },
  );
}

describe("a recording channel", () => {
  const connect = async () => {
    const network = createRecordingChannel();
    const host = createRecordingHost();
    const connection = await network.channel.connect({}, host);
    return { network, host, connection };
  };
  const say = (id: string) => written({ id, text: id, chat: "ann" });

  it("delivers twice when told so, and says how the first was acknowledged", async () => {
    const { network, host } = await connect();
    network.faults.inject({ type: "deliver-twice" });
    expect(await network.say(say("a"))).toEqual([{ accountId: "default", type: "stored" }]);
    expect(host.deliveries).toHaveLength(2);
  });

  it("lets one message overtake another when told so", async () => {
    const { network, host } = await connect();
    network.faults.inject({ type: "reorder" });
    await Promise.all([network.say(say("a")), network.say(say("b"))]);
    expect(host.received.map(({ message }) => message.id)).toEqual(["b", "a"]);
  });

  it("shows a message that hung after it was taken, and not one that hung before", async () => {
    const { network, connection } = await connect();
    network.faults.inject({ type: "hang", taken: true });
    network.faults.inject({ type: "hang", taken: false });
    const controller = new AbortController();
    const send = (idempotencyKey: string) =>
      connection.send(
        {
          channel: "recording",
          accountId: "default",
          target: { peerKind: "user", peerId: "ann" },
          response: { text: idempotencyKey, attachments: [] },
        },
        { idempotencyKey, attempt: 1, signal: controller.signal },
      );
    const both = Promise.allSettled([send("taken"), send("lost")]);
    controller.abort();
    expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(network.ledger.map(({ text }) => text)).toEqual(["taken"]);
  });

  it("keeps what was said while nobody listened", async () => {
    const { network, host, connection } = await connect();
    await connection.close();
    expect(await network.say(say("a"), "default")).toEqual([{ accountId: "default", type: "waiting" }]);
    await network.channel.connect({}, host);
    expect(host.received).toHaveLength(1);
  });
});
