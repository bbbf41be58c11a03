import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Model, ReceivedMessage } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel } from "@pincer/sdk/testing";
import { expect, it, onTestFinished } from "vitest";
import { connectTo } from "../client/testing/connect-to.ts";
import { createSay } from "../infra/texts.ts";
import { createGateway } from "./create-gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

async function start(model: Model, say = createSay("en"), pigeon: object = {}) {
  const home = mkdtempSync(join(tmpdir(), "pincer-continue-"));
  const config = {
    owners: ["pigeon:42"],
    queue: { debounceMs: 0 },
    channels: { pigeon: { dmPolicy: "open", ...pigeon } },
    agents: { defaults: { toolMaxSteps: 2 } },
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const network = createRecordingChannel({ id: "pigeon" });
  const gateway = await createGateway(
    gatewayParts(home, { say }),
    {},
    { channels: [network.channel], models: [model] },
  );
  const client = await connectTo(gateway.socket);
  onTestFinished(async () => {
    client.close();
    await gateway.stop(1000);
    rmSync(home, { recursive: true });
  });
  return { gateway, network, client };
}

const call = (count: number) => ({ calls: [{ name: "echo", arguments: { text: String(count) } }] });
const message = (id: string, text: string): ReceivedMessage => ({
  peer: { kind: "user", id: "42" },
  sender: { id: "42" },
  message: { type: "text", id, text, attachments: [], mentioned: true },
  timestamp: Date.now(),
});

it("LOOP-05 stops at the limit of steps in a chat, offers to go on, and goes on", async () => {
  const model = createScriptedModel([call(1), call(2), call(3), call(4), { text: "all done" }]);
  const { gateway, network } = await start(model);
  await network.say(message("1", "count"));
  await gateway.idle();
  expect(network.ledger.map(({ text }) => text)).toEqual([
    "I stopped after 2 tool steps, the limit for this turn. Send /continue to go on.",
  ]);
  const [button] = network.ledger.at(-1)?.actions ?? [];
  expect(button).toEqual({ label: "Continue", send: "/continue" });
  await network.say(message("2", button?.send ?? ""));
  await gateway.idle();
  expect(network.ledger.at(-1)).toMatchObject({ text: "all done" });
  expect(network.ledger.at(-1)?.actions).toBeUndefined();
  await network.say(message("3", "/continue"));
  await gateway.idle();
  expect(network.ledger.at(-1)?.text).toContain("nothing to continue");
  expect(network.ledger).toHaveLength(3);
});

it("LOOP-05 continues for a caller on the socket, at once after the end and once for one key", async () => {
  const model = createScriptedModel([call(1), call(2), call(3), call(4), { text: "all done" }]);
  const { client } = await start(model);
  const { runId } = await client.request("agent.run", { input: "count", idempotencyKey: "a" });
  expect(await client.request("agent.wait", { runId })).toMatchObject({ error: { code: "tool/limit" } });
  const goOn = () => client.request("agent.continue", { idempotencyKey: "b" });
  expect(await goOn()).toEqual({ runId, duplicate: false });
  expect(await client.request("agent.wait", { runId })).toMatchObject({ result: "all done", stage: "done" });
  expect(await goOn()).toEqual({ runId, duplicate: true });
  const refused = { code: "usage/key-used" };
  const begin = (more: object) =>
    client.request("agent.run", { input: "count", idempotencyKey: "a", ...more });
  expect(await begin({})).toEqual({ runId, duplicate: true });
  await expect(begin({ memory: false })).rejects.toMatchObject(refused);
  await expect(begin({ typed: true })).rejects.toMatchObject(refused);
  const asRun = client.request("agent.run", { input: "Continue.", idempotencyKey: "b" });
  await expect(asRun).rejects.toMatchObject(refused);
  const asContinued = client.request("agent.continue", { input: "count", idempotencyKey: "a" });
  await expect(asContinued).rejects.toMatchObject(refused);
  await expect(client.request("agent.continue", { idempotencyKey: "c" })).rejects.toMatchObject({
    code: "usage/not-found",
  });
});

it.each([
  ["en", { error: "overloaded" }, "The model could not answer: overloaded\nSend /continue to try again."],
  ["zh", { text: "" }, "模型无法作答：它的回答是空的。\n发送 /continue 再试一次。"],
  ["zh", { silence: true }, "模型无法作答：它中断了，没有说明原因。\n发送 /continue 再试一次。"],
] as const)("MODEL-09 offers in %s to try again when the model fails", async (language, step, words) => {
  const { gateway, network } = await start(
    createScriptedModel([step, { text: "there" }]),
    createSay(language),
  );
  await network.say(message("1", "hello"));
  await gateway.idle();
  await network.say(message("2", "/continue"));
  await gateway.idle();
  expect(network.ledger.map(({ text }) => text)).toEqual([words, "there"]);
});

it("LOOP-05 a growing answer that is edited into an offer gets its button", async () => {
  const words = "I begin to count slowly, one after the other, and it takes its time.";
  const model = createScriptedModel([{ ...call(1), text: words }, { ...call(2), text: words }, call(3)]);
  const { gateway, network } = await start(model, createSay("en"), { streaming: "edit" });
  await network.say(message("1", "count"));
  await gateway.idle();
  const last = network.ledger.at(-1);
  expect(last?.text).toContain("/continue");
  expect(last?.actions).toEqual([{ label: "Continue", send: "/continue" }]);
});
