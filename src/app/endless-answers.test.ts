/** A model that never stops talking, and what people get of it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChannelTraits, Model, ReceivedMessage } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel } from "@pincer/sdk/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { createGateway } from "./create-gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

async function start(model: Model, traits: Partial<ChannelTraits>, defaults: object = {}) {
  const home = mkdtempSync(join(tmpdir(), "pincer-endless-"));
  const network = createRecordingChannel({ id: "pigeon", traits });
  const config = {
    queue: { debounceMs: 0 },
    channels: { pigeon: { dmPolicy: "open", streaming: "edit" } },
    agents: { defaults },
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const gateway = await createGateway(
    gatewayParts(home),
    {},
    { channels: [network.channel], models: [model] },
  );
  onTestFinished(async () => {
    await gateway.stop(1000);
    rmSync(home, { recursive: true, force: true });
  });
  return { gateway, network };
}

const message = (id: string, text: string): ReceivedMessage => ({
  peer: { kind: "user", id: "42" },
  sender: { id: "42" },
  message: { type: "text", id, text, attachments: [], mentioned: true },
  timestamp: Date.now(),
});

/** Says words without end, as fast as they are taken. */
const endless: Model = {
  ...createScriptedModel([]),
  async *stream({ signal }) {
    while (!signal.aborted) {
      yield { type: "text-delta", text: `${"word ".repeat(2000)}\n\n` };
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
};

it("CHAN-25 an answer without end is cut, and goes out as its beginning and a file", async () => {
  const { gateway, network } = await start(endless, { files: true });
  let longestMs = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - last);
    last = performance.now();
  }, 5);
  await network.say(message("1", "talk"));
  await gateway.idle();
  clearInterval(watch);
  expect(longestMs).toBeLessThan(1000);
  expect(network.ledger.length).toBe(2);
  const [beginning, file] = network.ledger;
  expect(beginning?.text.length).toBeGreaterThan(3000);
  expect(file?.attachments).toMatchObject([{ name: "answer.md" }]);
});

it("CHAN-25 where there are no files, people get a limited number of messages and are asked whether to continue", async () => {
  const { gateway, network } = await start(endless, {}, { maxAnswerMessages: 3 });
  await network.say(message("1", "talk"));
  await gateway.idle();
  expect(network.ledger.length).toBe(4);
  expect(network.ledger.at(-1)?.text).toMatch(/Shall I continue\?/);
});

it("a stop takes along what waits to be sent", async () => {
  const model = createScriptedModel([{ text: "word ".repeat(6000) }]);
  const { gateway, network } = await start(model, { paceMs: 300 }, { maxAnswerMessages: 50 });
  await network.say(message("1", "talk"));
  await vi.waitFor(() => expect(network.ledger.length).toBeGreaterThan(1), { timeout: 5000 });
  await network.say(message("2", "stop"));
  await gateway.idle();
  expect(network.ledger.length).toBeLessThan(6);
  expect(network.ledger.at(-1)?.text).toMatch(/Stopped/);
});
