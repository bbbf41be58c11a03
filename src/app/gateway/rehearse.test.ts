import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { openHands } from "../hands/open-hands.ts";
import { openConnectedModels } from "../models/connected-models.ts";
import { openGround } from "../open-ground.ts";
import { buildOutgoing } from "./build-outgoing.ts";
import { layFloor } from "./gateway-floor.ts";
import { rehearse } from "./rehearse.ts";
import { watchDisk } from "./watch-disk.ts";

let home: string;
let asked = 0;
const provider = createServer((_request, response) => {
  asked++;
  response.writeHead(500).end();
});
beforeEach(async () => {
  asked = 0;
  home = mkdtempSync(join(tmpdir(), "pincer-rehearsal-"));
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await new Promise((resolve) => provider.close(resolve));
  rmSync(home, { recursive: true });
});

async function stage(api: string) {
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  const config = {
    models: { providers: { far: { api, baseUrl, models: [{ id: "one" }] } } },
    agents: { defaults: { model: { primary: "far/one", fallbacks: ["nobody/none"] } } },
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const told: string[] = [];
  const parts = {
    environment: { PINCER_HOME: home },
    redactor: createRedactor(),
    say: createSay("en"),
    notify: (message: string) => void told.push(message),
    tell: (message: string) => void told.push(message),
    cwd: home,
  };
  const ground = await openGround(parts, {});
  const floor = await layFloor({
    ground,
    parts,
    disk: watchDisk(),
    channels: async () => [],
    only: undefined,
  });
  const outgoing = buildOutgoing(floor, () => undefined);
  const room = await openConnectedModels({ ...parts, ground, config: floor.config }).room();
  const hands = openHands({
    ...parts,
    ...ground,
    secrets: ground.foundation.secrets,
    config: floor.config,
    onError: (error) => void told.push(String(error)),
  });
  onTestFinished(hands.close);
  return { ground, told, parts: { floor, outgoing, room, hands, isServed: true } };
}

const files = () => readdirSync(home, { recursive: true }).sort();

it.each(["openai-completions", "openai-responses", "anthropic-messages"])(
  "a turn in %s is played to its end, asks nobody, and leaves nothing",
  async (api) => {
    const { ground, told, parts } = await stage(api);
    const before = files();
    expect(await rehearse({ ...parts, signal: new AbortController().signal })).toBe(true);
    expect(asked).toBe(0);
    expect(told).toEqual([]);
    expect(files()).toEqual(before);
    const { turns, sessions, usage, credentials } = ground.stores;
    expect(await turns.list({ limit: 10 })).toEqual([]);
    expect((await sessions.list({ limit: 10 })).sessions).toEqual([]);
    expect(await usage.list({ limit: 10 })).toEqual([]);
    expect(await credentials.list()).toEqual([]);
    expect(ground.database.prepared().filter((sql) => sql.startsWith("INSERT INTO turns"))).toHaveLength(1);
    await ground.close();
  },
);

it("where it cannot be played, nothing is said and nobody asked", async () => {
  const { ground, told, parts } = await stage("google-generative-ai");
  expect(await rehearse({ ...parts, signal: new AbortController().signal })).toBe(false);
  expect(await rehearse({ ...parts, signal: AbortSignal.abort() })).toBe(false);
  expect([asked, told]).toEqual([0, []]);
  await ground.close();
});
