import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { contextSettings } from "./context-settings.ts";

type Agents = Config["agents"];
function settings(
  agent: Omit<Agents["list"][number], "id"> = {},
  defaults: Partial<Agents["defaults"]> = {},
) {
  const config = structuredClone(defaultConfig);
  config.agents = {
    defaults: { ...config.agents.defaults, ...defaults },
    list: [{ id: "helper", ...agent }],
  };
  return contextSettings(config, "helper");
}
const machine = Intl.DateTimeFormat().resolvedOptions().timeZone;

describe("what holds for the context of an agent", () => {
  it("CTX-08 are the defaults, with what the agent says laid over them key by key", () => {
    const { options } = settings({ context: { strategy: "custom", excludeTools: ["exec"] } });
    expect(options).toEqual({
      ...defaultConfig.agents.defaults.context,
      strategy: "custom",
      excludeTools: ["exec"],
    });
  });

  it("COMP-20 takes the sizes of compaction likewise, to any depth", () => {
    const { compaction } = settings({
      compaction: { keepRecentTokens: 7, memoryFlush: { softThresholdTokens: 9 } },
    });
    expect(compaction).toEqual({
      ...defaultConfig.agents.defaults.compaction,
      keepRecentTokens: 7,
      memoryFlush: { enabled: true, softThresholdTokens: 9 },
    });
    expect(settings().compaction).toMatchObject({
      reserveTokensFloor: 20_000,
      memoryFlush: { softThresholdTokens: 4000 },
    });
  });

  it("COMP-19 lets old results go by the provider's cache, five minutes unless told", () => {
    expect(settings().pruning).toEqual({ mode: "cache-ttl", ttlMs: 300_000, keepLastAssistants: 3 });
    expect(settings({ contextPruning: { mode: "off" } }).pruning).toMatchObject({
      mode: "off",
      ttlMs: 300_000,
    });
  });

  it.each([
    ["250ms", 250],
    ["30s", 30_000],
    ["1h", 3_600_000],
    ["2d", 172_800_000],
  ])("COMP-19 reads %s as a time", (ttl, ttlMs) => {
    expect(settings({ contextPruning: { ttl } }).pruning.ttlMs).toBe(ttlMs);
  });

  it("takes the agent's time zone, else the one for all, else the machine's", () => {
    expect(settings({ userTimezone: "Asia/Tokyo" }, { userTimezone: "UTC" }).timezone).toBe("Asia/Tokyo");
    expect(settings({}, { userTimezone: "Asia/Tokyo" }).timezone).toBe("Asia/Tokyo");
    expect([settings().timezone, settings({ userTimezone: "Mars/Olympus" }).timezone]).toEqual([
      machine,
      machine,
    ]);
  });

  it("takes the agent's own room for files, also none", () => {
    expect(settings({ bootstrapMaxChars: 0 }).bootstrap).toEqual({ maxChars: 0, totalMaxChars: 60_000 });
  });
});
