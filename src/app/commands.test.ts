import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReceivedMessage } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel } from "@pincer/sdk/testing";
import { expect, it, onTestFinished } from "vitest";
import { connectTo } from "../client/testing/connect-to.ts";
import { createGateway } from "./create-gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

const secret = "s3cret-of-the-pigeon";

async function stage() {
  const home = mkdtempSync(join(tmpdir(), "pincer-commands-"));
  const config = {
    owners: ["pigeon:42"],
    queue: { debounceMs: 0 },
    channels: { pigeon: { dmPolicy: "open", token: secret } },
    tools: { deny: ["exec"] },
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const network = createRecordingChannel({ id: "pigeon" });
  const call = { calls: [{ name: "time_now", arguments: {} }] };
  const usual = createScriptedModel([call, { text: "done" }, { text: "usual again" }]);
  const other = { ...createScriptedModel([{ text: "from the other" }]), provider: "other", id: "one" };
  const gateway = await createGateway(
    gatewayParts(home),
    {},
    { channels: [network.channel], models: [usual, other] },
  );
  const client = await connectTo(gateway.socket);
  onTestFinished(async () => {
    client.close();
    await gateway.stop(1000);
    rmSync(home, { recursive: true });
  });
  let count = 0;
  const tell = async (text: string) => {
    const before = network.ledger.length;
    const message: ReceivedMessage = {
      peer: { kind: "user", id: "42" },
      sender: { id: "42" },
      message: { type: "text", id: `m${++count}`, text, attachments: [], mentioned: true },
      timestamp: Date.now(),
    };
    await network.say(message);
    await gateway.idle();
    return network.ledger.slice(before).map((row) => row.text);
  };
  return { tell, client };
}

it("tells of each tool call while it happens, and lets another model answer, until it is taken back", async () => {
  const { tell } = await stage();
  expect(await tell("/verbose on")).toEqual([expect.stringContaining("You see each tool call")]);
  expect(await tell("what time is it?")).toEqual(["→ time_now", "done"]);
  expect(await tell("/model other/one")).toEqual([expect.stringContaining("other/one answers")]);
  expect(await tell("and now?")).toEqual(["from the other"]);
  expect(await tell("/model default")).toEqual([expect.stringContaining("The usual model answers")]);
  expect(await tell("and now?")).toEqual(["usual again"]);
});

it("CLI-30 shows tools, skills and settings to the owner, without their secrets", async () => {
  const { tell, client } = await stage();
  const [tools = ""] = await tell("/tools");
  expect(tools).toContain("time_now – ");
  expect(tools).toMatch(/^exec – not here: .*tools\.deny/m);
  expect((await tell("/tool.describe time_now"))[0]).toContain("Input: {");
  expect((await tell("/skills"))[0]).toContain("There are no skills yet.");
  const [shown = ""] = await tell("!config channels.pigeon");
  expect(shown).toContain("dmPolicy");
  expect(shown).not.toContain(secret);
  expect((await tell("/model nobody/none"))[0]).toContain("nobody");
  const say = (text: string, idempotencyKey: string) =>
    client.request("chat.send", { text, typed: true, language: "zh", idempotencyKey });
  expect(await say(",status", "1")).toMatchObject({
    command: { name: "status", output: expect.stringContaining("总计") },
  });
  expect((await say(",stop", "2")).command?.output).toBe("当前没有正在进行的任务。");
});
