import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { createRedactor } from "../infra/redactor.ts";
import { createSay } from "../infra/texts.ts";
import { openEffects } from "../agent/effects/open-effects.ts";
import { openConnectedModels } from "../agent/models/connected-models.ts";
import { openHome } from "../storage/home/open-home.ts";
import { buildOutgoing } from "./build-outgoing.ts";
import { openGatewayContext } from "./gateway-context.ts";
import { rehearse } from "./rehearse.ts";
import { watchDisk } from "../storage/sqlite/watch-disk.ts";

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
  const openedHome = await openHome(parts, {});
  const gatewayContext = await openGatewayContext({
    openedHome,
    parts,
    disk: watchDisk(),
    channels: async () => [],
    only: undefined,
  });
  const outgoing = buildOutgoing(gatewayContext, () => undefined);
  const room = await openConnectedModels({ ...parts, openedHome, config: gatewayContext.config }).room();
  const effects = openEffects({
    ...parts,
    ...openedHome,
    secrets: openedHome.foundation.secrets,
    config: gatewayContext.config,
    onError: (error) => void told.push(String(error)),
  });
  onTestFinished(effects.close);
  return { openedHome, told, parts: { gatewayContext, outgoing, room, effects, isServed: true } };
}

const files = () => readdirSync(home, { recursive: true }).sort();

it.each(["openai-completions", "openai-responses", "anthropic-messages"])(
  "a turn in %s is played to its end, asks nobody, and leaves nothing",
  async (api) => {
    const { openedHome, told, parts } = await stage(api);
    const before = files();
    expect(await rehearse({ ...parts, signal: new AbortController().signal })).toBe(true);
    expect(asked).toBe(0);
    expect(told).toEqual([]);
    expect(files()).toEqual(before);
    const { turns, sessions, usage, credentials } = openedHome.stores;
    expect(await turns.list({ limit: 10 })).toEqual([]);
    expect((await sessions.list({ limit: 10 })).sessions).toEqual([]);
    expect(await usage.list({ limit: 10 })).toEqual([]);
    expect(await credentials.list()).toEqual([]);
    expect(openedHome.database.prepared().filter((sql) => sql.startsWith("INSERT INTO turns"))).toHaveLength(
      1,
    );
    await openedHome.close();
  },
);

it("where it cannot be played, nothing is said and nobody asked", async () => {
  const { openedHome, told, parts } = await stage("google-generative-ai");
  expect(await rehearse({ ...parts, signal: new AbortController().signal })).toBe(false);
  expect(await rehearse({ ...parts, signal: AbortSignal.abort() })).toBe(false);
  expect([asked, told]).toEqual([0, []]);
  await openedHome.close();
});
