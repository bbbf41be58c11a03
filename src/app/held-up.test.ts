/** What people hear when a gateway cannot do its work because of the machine that it runs on. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PincerError, type ReceivedMessage } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel } from "@pincer/sdk/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { connectTo } from "../client/testing/connect-to.ts";
import { createGateway } from "./create-gateway.ts";
import type { GatewayExtras } from "./gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

async function start(config: object, extras: GatewayExtras = {}) {
  const home = mkdtempSync(join(tmpdir(), "pincer-held-"));
  const network = createRecordingChannel({ id: "pigeon" });
  const all = { queue: { debounceMs: 0 }, channels: { pigeon: { dmPolicy: "open" } }, ...config };
  writeFileSync(join(home, "config.json5"), JSON.stringify(all), { mode: 0o600 });
  const model = createScriptedModel([{ text: "here I am" }, { text: "and again" }]);
  const begin = () =>
    createGateway(gatewayParts(home), {}, { channels: [network.channel], models: [model], ...extras });
  return {
    home,
    network,
    said: () => network.ledger.map(({ text }) => text),
    async begin() {
      const gateway = await begin();
      onTestFinished(async () => {
        await gateway.stop(1000);
        rmSync(home, { recursive: true, force: true });
      });
      return gateway;
    },
  };
}

const message = (id: string, text: string): ReceivedMessage => ({
  peer: { kind: "user", id: "42" },
  sender: { id: "42" },
  message: { type: "text", id, text, attachments: [], mentioned: true },
  timestamp: Date.now(),
});

const soon = { timeout: 5000, interval: 20 };

it("a drive that is not mounted: one line, red, and the answer when it is back", async () => {
  const drive = join(mkdtempSync(join(tmpdir(), "pincer-drive-")), "usb");
  // Nothing can be made below a file.
  writeFileSync(drive, "");
  const opened = await start({ agents: { defaults: { workspace: join(drive, "work") } } });
  const gateway = await opened.begin();
  await opened.network.say(message("1", "hello"));
  await vi.waitFor(
    () => expect(opened.said()).toEqual([expect.stringMatching(/drive is not mounted/)]),
    soon,
  );

  const client = await connectTo(gateway.socket);
  const health = await client.request("health.get", {});
  expect(health.status).toBe("failing");
  const check = health.checks.find(({ name }) => name === "workdirs");
  expect(check).toMatchObject({ status: "failing", reason: expect.stringContaining(drive) });

  // Commands need no workdir.
  await opened.network.say(message("2", "/whoami"));
  await vi.waitFor(() => expect(opened.said()[1]).toMatch(/You are/), soon);

  rmSync(drive);
  mkdirSync(drive);
  await gateway.idle();
  expect(opened.said().slice(2)).toEqual(["here I am"]);
  expect(
    (await client.request("health.get", {})).checks.find(({ name }) => name === "workdirs")?.status,
  ).toBe("ok");
  client.close();
});

it("a storage that takes no messages: one line, and the answer when it does again", async () => {
  let isFull = false;
  const opened = await start(
    {},
    {
      wrapStores: (stores) => ({
        ...stores,
        inbox: {
          ...stores.inbox,
          async accept(given) {
            if (isFull) throw new PincerError("storage/full", "the disk is full");
            return stores.inbox.accept(given);
          },
        },
      }),
    },
  );
  const gateway = await opened.begin();
  isFull = true;
  for (let count = 0; count < 3; count++)
    expect(await opened.network.say(message("1", "hello"))).toMatchObject([{ type: "failed" }]);
  await vi.waitFor(() => expect(opened.said()).toEqual([expect.stringMatching(/cannot store/)]), soon);
  isFull = false;
  await opened.network.say(message("1", "hello"));
  await gateway.idle();
  expect(opened.said().slice(1)).toEqual(["here I am"]);
});

it("tells people that they were let in, and answers what they wrote before", async () => {
  const opened = await start({ channels: { pigeon: { dmPolicy: "pairing" } } });
  const gateway = await opened.begin();
  await opened.network.say(message("1", "hello"));
  await gateway.idle();
  expect(opened.said()).toEqual([expect.stringMatching(/do not know you/)]);
  const client = await connectTo(gateway.socket);
  const { pending } = await client.request("pairing.list", {});
  await client.request("pairing.approve", { code: pending[0]?.code ?? "" });
  await gateway.idle();
  client.close();
  expect(opened.said().slice(1)).toEqual([expect.stringMatching(/let in/), "here I am"]);
});
