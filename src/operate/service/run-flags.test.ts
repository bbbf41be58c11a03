import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, expect, it } from "vitest";
import { locateHome } from "../../config/home.ts";
import { loadConfig } from "../../config/load-config.ts";
import { doorSettings } from "../../channels/door-settings.ts";
import { flagValues, flagWishes, type RunFlags } from "./run-flags.ts";

const inFile = {
  gateway: {
    port: 5000,
    default: { provider: "openai", withTools: false, memory: false, pairingPolicy: "allowlist" },
    channels: { local: { withTools: false, toolMaxSteps: 99, pairingPolicy: "disabled" } },
  },
  channels: { local: { dmPolicy: "allowlist" }, telegram: { dmPolicy: "disabled" } },
};

async function load(flags: RunFlags, text: object | undefined = inFile) {
  const root = mkdtempSync(join(tmpdir(), "pincer-flags-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = locateHome({ PINCER_HOME: root });
  if (text) writeFileSync(home.configFile, JSON.stringify(text), { mode: 0o600 });
  const loaded = await loadConfig({ home, environment: {}, flags: flagValues(flags) });
  expect(loaded.problems).toEqual([]);
  return loaded.config;
}

it("GW-01 flags win over the file, over the layer for all channels and over that of each channel", async () => {
  const flags: RunFlags = { provider: "stub", profile: "work", withTools: true, toolAllow: ["time_now"] };
  const { gateway } = await load({ ...flags, toolMaxSteps: 3, memory: true, port: 6000, http: false });
  const layer = { profile: "work", withTools: true, toolAllow: ["time_now"], toolMaxSteps: 3, memory: true };
  expect(gateway).toMatchObject({
    port: 6000,
    http: false,
    default: { ...layer, provider: "stub" },
    channels: { local: layer, telegram: layer },
  });
});

it("GW-01 changes nothing that no flag names", async () => {
  expect(await load({})).toEqual(await load({ port: 5000 }));
});

it.each(["open", "allowlist", "pairing", "disabled"] as const)(
  "GW-02 --pairing-policy %s holds for every channel, whatever the config says of it",
  async (pairingPolicy) => {
    const config = await load({ pairingPolicy });
    const account = { groupPolicy: "disabled", groups: [], requireMention: true, allowFrom: [] } as const;
    for (const name of ["local", "telegram"]) {
      const dmPolicy = config.channels[name]?.dmPolicy ?? "pairing";
      const door = doorSettings(config, name, { ...account, groups: [], allowFrom: [], dmPolicy });
      expect(door.dmPolicy).toBe(pairingPolicy);
    }
  },
);

it("GW-03 GW-04 who needs no pairing, how long a code waits and how many wait; unsaid, an hour and three", async () => {
  const flags: RunFlags = { pairingAllowFrom: ["1", "2"], pairingPendingTtlMs: 5, pairingPendingMax: 9 };
  const account = { dmPolicy: "pairing", groupPolicy: "disabled", requireMention: true } as const;
  const door = doorSettings(await load(flags), "local", { ...account, groups: [], allowFrom: [] });
  expect(door).toMatchObject({ allowFrom: ["1", "2"], pairing: { ttlMs: 5, max: 9 } });
  const usual = doorSettings(await load({}), "local", { ...account, groups: [], allowFrom: [] });
  expect(usual.pairing).toEqual({ ttlMs: 3_600_000, max: 3 });
});

it("takes an address for --bind as well as the words of the config", async () => {
  expect((await load({ bind: "lan" })).gateway.bind).toBe("lan");
  expect((await load({ bind: "192.168.1.5" })).gateway).toMatchObject({
    bind: "custom",
    host: "192.168.1.5",
  });
});

it("X21 works where nothing is configured", async () => {
  expect((await load({ port: 7000 }, undefined)).gateway.port).toBe(7000);
});

it("GW-01 reaches turns that come from no channel, where they wish for nothing else", () => {
  expect(flagWishes({ provider: "stub", profile: "work", memory: true, toolMaxSteps: 2 })).toEqual({
    provider: "stub",
    credential: "work",
    memory: true,
    tools: { enabled: true, allow: [], maxSteps: 2 },
  });
  expect(flagWishes({ withTools: false })).toEqual({ tools: { enabled: false, allow: [] } });
  expect(flagWishes({ port: 1 })).toEqual({});
});
