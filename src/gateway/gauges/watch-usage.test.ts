import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createMeters } from "../../infra/meters.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { noJudge } from "../../storage/testing/add-usage.ts";
import type { UsageDraft } from "../../storage/usage/usage.ts";
import { declareMeters } from "./gauge-meters.ts";
import { measureUsage } from "./watch-usage.ts";

function openLedger() {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("acme");
  const meters = createMeters();
  const gauges = measureUsage(declareMeters(meters));
  const usage = gauges.wrap(stores.usage);
  async function ask(model: string, outcome: UsageDraft["outcome"], turnId: string | null = "r_1") {
    const used = { input: 10, output: 5, cacheRead: 2, cacheWrite: 0, total: 17, cost: 0.25 };
    const opened = await usage.open(
      {
        turnId,
        sessionId: null,
        sessionKey: null,
        agentId: "main",
        provider: "acme",
        model,
        credential: null,
        usage: used,
        isUnpriced: false,
        holder: { id: "h", pid: 1, host: "", processStart: "" },
        startedAt: "2026-01-01T12:00:00.000Z",
      },
      noJudge,
    );
    if (!opened.opened) throw new Error("refused");
    await usage.settle(opened.position, { usage: used, outcome, durationMs: 1500, firstByteMs: 100 });
  }
  const series = (name: string) =>
    meters
      .read()
      .find((family) => family.name === name)
      ?.series.map((one) => [...one.values, "value" in one ? one.value : one.sum]);
  return { ask, series, gauges, stores };
}

describe("what is measured of models", () => {
  it("OBS-03 tokens, cost, calls and time by model, from what the ledger is told", async () => {
    const { ask, series, stores } = openLedger();
    await ask("small", "ok");
    await ask("small", "ok");
    expect(series("pincer_model_calls_total")).toEqual([["acme/small", "ok", 2]]);
    expect(series("pincer_model_cost_dollars_total")).toEqual([["acme/small", 0.5]]);
    expect(series("pincer_model_tokens_total")).toEqual([
      ["acme/small", "input", 20],
      ["acme/small", "output", 10],
      ["acme/small", "cacheRead", 4],
    ]);
    expect(series("pincer_model_call_seconds")).toEqual([["acme/small", 3]]);
    // And the ledger has it all the same.
    expect(await stores.usage.list({ limit: 5 })).toHaveLength(2);
  });

  it("OBS-03 timeouts, and going on with another model, are counted by model", async () => {
    const { ask, series } = openLedger();
    await ask("big", "timeout");
    await ask("big", "overloaded");
    await ask("small", "ok");
    await ask("big", "ok");
    expect(series("pincer_model_timeouts_total")).toEqual([["acme/big", 1]]);
    expect(series("pincer_model_fallbacks_total")).toEqual([["acme/big", "acme/small", 1]]);
  });

  it("OBS-03 another turn with another model is no fallback", async () => {
    const { ask, series } = openLedger();
    await ask("big", "overloaded", "r_1");
    await ask("small", "ok", "r_2");
    await ask("small", "ok", null);
    expect(series("pincer_model_fallbacks_total")).toEqual([]);
  });

  it("OBS-03 a model that fails again and again is named until it answers", async () => {
    const { ask, gauges } = openLedger();
    await ask("big", "auth");
    await ask("big", "aborted");
    await ask("big", "auth");
    expect(gauges.trouble()).toBeUndefined();
    await ask("big", "billing");
    expect(gauges.trouble()).toEqual({ model: "acme/big", code: "billing", times: 3 });
    await ask("big", "ok");
    expect(gauges.trouble()).toBeUndefined();
  });
});
