import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineChannel, type Channel, type Model, type ReceivedMessage } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { expect, it, onTestFinished } from "vitest";
import { createGateway } from "./create-gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

async function start(channels: Channel[], model: Model, pigeon: object, defaults: object = {}) {
  const home = mkdtempSync(join(tmpdir(), "pincer-answers-"));
  const config = {
    owners: ["pigeon:42"],
    queue: { debounceMs: 0 },
    channels: { pigeon: { dmPolicy: "open", ...pigeon } },
    agents: { defaults },
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const gateway = await createGateway(gatewayParts(home), {}, { channels, models: [model] });
  onTestFinished(async () => {
    await gateway.stop(1000);
    rmSync(home, { recursive: true });
  });
  return gateway;
}

const message = (id: string, text: string): ReceivedMessage => ({
  peer: { kind: "user", id: "42" },
  sender: { id: "42" },
  message: { type: "text", id, text, attachments: [], mentioned: true },
  timestamp: Date.now(),
});

it("STREAM-04 an account may have its answers in pieces, each said once", async () => {
  const network = createRecordingChannel({ id: "pigeon", abilities: {} });
  const model = createScriptedModel([
    { text: "Let me look.", calls: [{ name: "tools_echo", arguments: { text: "x" } }] },
    { text: "First of all, this.\n\nThen, that.\n\nAnd that is all." },
  ]);
  const gateway = await start(
    [network.channel],
    model,
    { streaming: "blocks" },
    { blockStreamingBreak: "paragraph" },
  );
  await network.say(message("1", "go on"));
  await gateway.idle();
  const said = network.ledger.map(({ text }) => text.trim());
  expect(said).toEqual(["Let me look.", "First of all, this.", "Then, that.", "And that is all."]);
});

it("CHAN-25 shows that it writes, and takes the sign away when a turn fails", async () => {
  const network = createRecordingChannel({ id: "pigeon" });
  const signs: string[] = [];
  const channel = defineChannel({
    ...network.channel,
    config: Type.Object({}),
    connect: async (config, host) => ({
      ...(await network.channel.connect(config, host)),
      showTyping: async ({ peerId }) => void signs.push(`${peerId} writes`),
      stopTyping: async ({ peerId }) => void signs.push(`${peerId} stops`),
    }),
  });
  const failing: Model = {
    ...createScriptedModel([]),
    // eslint-disable-next-line require-yield
    async *stream() {
      throw new Error("the model is gone");
    },
  };
  const gateway = await start([channel], failing, {});
  await network.say(message("1", "hello"));
  await gateway.idle();
  expect(signs).toEqual(["42 writes", "42 stops"]);
});
