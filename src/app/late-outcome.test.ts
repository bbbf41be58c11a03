import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, type Tool, type ToolCallContext } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createGateway } from "./create-gateway.ts";
import type { Gateway } from "./gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

let home: string;
let gateway: Gateway | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pincer-late-"));
});
afterEach(async () => {
  await gateway?.stop(1000);
  rmSync(home, { recursive: true });
});

it("TOOL-17 a tool knows its conversation, and what it has to say later comes to that conversation once", async () => {
  const network = createRecordingChannel({ id: "pigeon" });
  let call: ToolCallContext | undefined;
  const slow: Tool = defineTool({
    name: "slow",
    effect: "act",
    description: "Goes on after it has answered.",
    input: Type.Object({}),
    async run(_input, context) {
      call = context;
      return { text: "begun", async: true };
    },
  });
  const model = createScriptedModel([
    { calls: [{ name: "slow" }] },
    { text: "it has begun" },
    { text: "it is done" },
  ]);
  const config = { queue: { debounceMs: 0 }, channels: { pigeon: { dmPolicy: "open" } } };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  gateway = await createGateway(
    gatewayParts(home),
    {},
    { channels: [network.channel], models: [model], tools: [slow] },
  );
  await network.say({
    peer: { kind: "user", id: "42" },
    sender: { id: "42" },
    message: { type: "text", id: "m1", text: "do it", attachments: [], mentioned: true },
    timestamp: Date.now(),
  });
  await gateway.idle();
  expect(network.ledger.map(({ text }) => text)).toEqual(["it has begun"]);
  expect(call?.conversation).toMatchObject({ channel: "pigeon", target: { peerKind: "user", peerId: "42" } });

  await call?.later?.({ text: "the build is green" });
  await call?.later?.({ text: "the build is green" });
  await gateway.idle();
  expect(network.ledger.map(({ text }) => text)).toEqual(["it has begun", "it is done"]);
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("the build is green");
});
