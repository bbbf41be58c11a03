import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineChannel, type Channel, type Model, type ReceivedMessage } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { expect, it, onTestFinished } from "vitest";
import { connectTo } from "../client/testing/connect-to.ts";
import { createGateway } from "./create-gateway.ts";
import { flagValues, type RunFlags } from "../operate/service/run-flags.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

async function start(
  channels: Channel[],
  model: Model,
  pigeon: object,
  {
    defaults = {},
    gateway: layers = {},
    flags = {},
  }: { defaults?: object; gateway?: object; flags?: RunFlags } = {},
) {
  const home = mkdtempSync(join(tmpdir(), "pincer-answers-"));
  const config = {
    owners: ["pigeon:42"],
    queue: { debounceMs: 0 },
    channels: { pigeon: { dmPolicy: "open", ...pigeon } },
    agents: { defaults },
    gateway: layers,
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const gateway = await createGateway(
    gatewayParts(home),
    { flags: flagValues(flags) },
    { channels, models: [model] },
  );
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
    { defaults: { blockStreamingBreak: "paragraph" } },
  );
  await network.say(message("1", "go on"));
  await gateway.idle();
  const said = network.ledger.map(({ text }) => text.trim());
  expect(said).toEqual(["Let me look.", "First of all, this.", "Then, that.", "And that is all."]);
});

it.each([
  [{ streaming: "off" }, {}],
  [{ streaming: "blocks" }, { blockStreamingBreak: "none" }],
])(
  "STREAM-04 words before a tool call come with the end where nothing is shown before: %j",
  async (pigeon, defaults) => {
    const network = createRecordingChannel({ id: "pigeon", abilities: {} });
    const model = createScriptedModel([
      { text: "Let me look.", calls: [{ name: "tools_echo", arguments: { text: "x" } }] },
      { text: "It is nine." },
    ]);
    const gateway = await start([network.channel], model, pigeon, { defaults });
    await network.say(message("1", "what time is it?"));
    await gateway.idle();
    expect(network.ledger.map(({ text }) => text)).toEqual(["Let me look.\n\nIt is nine."]);
  },
);

it("a stop of the gateway sends the answer of the turn that it waited for", async () => {
  const network = createRecordingChannel({ id: "pigeon" });
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const scripted = createScriptedModel([{ text: "here it is" }]);
  const slow: Model = {
    ...scripted,
    async *stream(request) {
      reached.resolve();
      await released.promise;
      yield* scripted.stream(request);
    },
  };
  const gateway = await start([network.channel], slow, {});
  await network.say(message("1", "hello"));
  await reached.promise;
  const stopped = gateway.stop(10_000);
  released.resolve();
  await stopped;
  expect(network.ledger.map(({ text }) => text)).toEqual(["here it is"]);
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

it.each([
  ["the flag", {}, { memory: true }, true],
  ["the layer for all channels", { default: { memory: true } }, {}, true],
  [
    "the channel's own layer",
    { default: { memory: false }, channels: { pigeon: { memory: true } } },
    {},
    true,
  ],
  ["the flag against the layer", { channels: { pigeon: { memory: true } } }, { memory: false }, false],
  ["nothing", {}, {}, false],
])("GW-01 CFG-02 a turn from a channel has memory as %s says", async (_name, layers, flags, isOn) => {
  const network = createRecordingChannel({ id: "pigeon" });
  const gateway = await start(
    [network.channel],
    createScriptedModel([{ text: "yes" }]),
    {},
    {
      gateway: layers,
      flags,
    },
  );
  await network.say(message("1", "hello"));
  await gateway.idle();
  const client = await connectTo(gateway.socket);
  onTestFinished(() => client.close());
  const { sessions } = await client.request("sessions.list", {});
  expect(sessions.map(({ memoryEnabled }) => memoryEnabled)).toEqual([isOn]);
});

it.each(["on", "stream"] as const)(
  "STREAM-04 reasoningDefault %s shows on a channel what was thought",
  async (reasoningDefault) => {
    const network = createRecordingChannel({ id: "pigeon" });
    const model = createScriptedModel([{ text: "<think>two and two</think>four" }]);
    const gateway = await start([network.channel], model, {}, { defaults: { reasoningDefault } });
    await network.say(message("1", "how much?"));
    await gateway.idle();
    expect(network.ledger.at(-1)?.text).toContain("two and two");
    expect(network.ledger.at(-1)?.text).toContain("four");
  },
);
