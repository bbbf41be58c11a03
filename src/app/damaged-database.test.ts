/** A gateway that starts on a database whose first page is noise, as those notice it who talk to it. */
import { randomBytes } from "node:crypto";
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel, type ScriptedStep } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../test/free-port.ts";
import { openRecovery } from "../storage/home/recovery.ts";
import { createGateway } from "./create-gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

async function makeHome() {
  const home = await realpath(await mkdtemp(join(tmpdir(), "pincer-damaged-gateway-")));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const port = await freePort();
  const config = {
    gateway: { port },
    queue: { debounceMs: 0 },
    session: { reset: { mode: "manual" } },
    channels: { pigeon: { dmPolicy: "pairing", allowFrom: ["42"] } },
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  return { home, port };
}

let count = 0;
let pings = 0;
const ping = defineTool({
  name: "ping",
  effect: "read",
  description: "Counts.",
  input: Type.Object({}),
  run: async () => ({ text: `ping ${++pings}` }),
});

async function start({ home, port }: { home: string; port: number }, steps: ScriptedStep[]) {
  const network = createRecordingChannel({ id: "pigeon" });
  const told: string[] = [];
  const gateway = await createGateway(
    gatewayParts(home, { notify: (text) => void told.push(text) }),
    { isServed: true },
    { channels: [network.channel], models: [createScriptedModel(steps)], tools: [ping] },
  );
  const stop = () => gateway.stop(1000);
  onTestFinished(stop);
  return {
    told,
    stop,
    readiness: async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status,
    async say(text: string, person: string) {
      const before = network.ledger.length;
      await network.say({
        peer: { kind: "user", id: person },
        sender: { id: person },
        message: { type: "text", id: `m${++count}`, text, attachments: [], mentioned: true },
        timestamp: Date.now(),
      });
      await gateway.idle();
      return network.ledger.slice(before).map((item) => item.text);
    },
  };
}

function damage(home: string): void {
  rmSync(join(home, "core.db-wal"), { force: true });
  const descriptor = openSync(join(home, "core.db"), "r+");
  writeSync(descriptor, randomBytes(4096), 0, 4096, 0);
  closeSync(descriptor);
}

const pinged: ScriptedStep[] = [{ calls: [{ name: "ping", arguments: {} }] }, { text: "Done." }];

it("OBS-01 starts by itself, answers who is known without tools, and strangers not at all, until its owner has looked", async () => {
  const place = await makeHome();
  const recovery = openRecovery(join(place.home, "recovery.json"));
  const whole = await start(place, [{ text: "Noted." }, ...pinged]);
  expect(await whole.say("remember the milk", "42")).toEqual(["Noted."]);
  expect(await whole.say("ping", "42")).toEqual(["Done."]);
  expect(pings).toBe(1);
  expect((await whole.say("let me in", "666")).join("")).toMatch(/pincer pairing/);
  await whole.stop();
  damage(place.home);

  const mended = await start(place, [{ text: "Hello again." }, ...pinged, ...pinged]);
  expect(await mended.readiness()).toBe(200);
  expect(mended.told.join("\n")).toMatch(/too damaged to be opened.*Tools are off/s);
  expect(await mended.say("are you there?", "42")).toEqual(["Hello again."]);
  await mended.say("ping", "42");
  expect(pings).toBe(1);
  expect(await mended.say("let me in", "667")).toEqual([]);
  recovery.confirm();
  expect(await mended.say("ping", "42")).toEqual(["Done."]);
  expect(pings).toBe(2);
  await mended.stop();

  const again = await start(place, [{ text: "Yes." }]);
  expect([again.told, await again.say("still there?", "42")]).toEqual([[], ["Yes."]]);
});
