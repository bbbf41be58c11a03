import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { CallerScope } from "../../policy/caller.ts";
import { request } from "../../storage/testing/samples.ts";
import type { UsageDraft } from "../../storage/usage/usage.ts";
import { createApiStage, ways, type ApiStage } from "../../app/testing/api-stage.ts";
import { addUsage } from "../../storage/testing/add-usage.ts";

const draft = (more: Partial<UsageDraft>, cost: number): UsageDraft => ({
  turnId: null,
  sessionId: null,
  sessionKey: null,
  agentId: "main",
  provider: "p",
  model: "m",
  credential: "p:one",
  usage: { input: 10, output: 5, cacheRead: 30, cacheWrite: 0, total: 45, cost },
  outcome: "ok",
  startedAt: "2026-01-01T11:00:00.000Z",
  durationMs: 1,
  firstByteMs: 1,
  ...more,
});

async function filled({ tenant }: ApiStage): Promise<string> {
  const sessionKey = "agent:main:main";
  const { session } = await tenant.sessions.open(request(sessionKey));
  const { sessionId } = session;
  await addUsage(
    tenant.usage,
    draft({ sessionId: "s_old", sessionKey, startedAt: "2025-12-30T00:00:00.000Z" }, 4),
  );
  await addUsage(tenant.usage, draft({ sessionId, sessionKey }, 1));
  await addUsage(tenant.usage, draft({ model: "dear", agentId: "other" }, 2));
  return sessionId;
}

it("TEN-02 tells a caller who is confined to some agents what those have used, and nothing of the others", async () => {
  const stage = await createApiStage("over the stores");
  const sessionId = await filled(stage);
  const earlier = { agentId: "other", startedAt: "2026-01-01T01:00:00.000Z" };
  await addUsage(stage.tenant.usage, draft({ ...earlier, model: "dear" }, 8));
  const { totals } = stage.apis.usage;
  const as = (scope: CallerScope) => ({
    signal: new AbortController().signal,
    caller: { id: "token:x", name: "x", role: "viewer", way: "token", tenantId: "t_default", scope } as const,
  });
  const asked = (...agentIds: string[]) => totals({ sessionKey: sessionId }, as({ type: "agent", agentIds }));
  expect(await asked("main")).toMatchObject({ session: { cost: 1 }, today: { cost: 1 }, month: { cost: 1 } });
  expect(await asked("other", "other")).toMatchObject({
    today: { cost: 10, calls: 2 },
    month: { cost: 10, calls: 2 },
  });
  expect(await asked("main", "other")).toMatchObject({
    today: { cost: 11 },
    month: { cost: 11, total: 135 },
  });
  expect(await asked("nobody")).toMatchObject({ today: { cost: 0 }, month: { calls: 0 } });
  expect(await totals({ sessionKey: sessionId }, as({ type: "tenant" }))).toMatchObject({
    today: { cost: 11 },
  });
  await stage.clock.advance(3 * 24 * 3_600_000);
  expect(await asked("main")).toMatchObject({ today: { cost: 0 }, month: { cost: 1 } });
});

describe.each(ways)("the usage API %s", (way) => {
  it("MODEL-08 reports sums and the total of all, also of what the limit leaves out", async () => {
    const stage = await createApiStage(way);
    const sessionId = await filled(stage);
    const { report } = stage.apis.usage;
    const whole = await report({ by: "model", limit: 1 });
    expect(whole.sums).toMatchObject([{ key: "p/m", calls: 2, cost: 5 }]);
    expect(whole.total).toMatchObject({ calls: 3, cost: 7, cacheRead: 90, total: 135 });
    const january = await report({ by: "day", from: "2026-01-01T00:00:00.000Z" });
    expect(january.sums).toMatchObject([{ key: "2026-01-01", cost: 3 }]);
    expect((await report({ by: "model", sessionKey: "main" })).total.cost).toBe(5);
    expect((await report({ by: "model", sessionKey: sessionId })).total.cost).toBe(1);
    expect((await report({ by: "model", agentId: "other" })).total.cost).toBe(2);
  });

  it("MODEL-08 tells what each day and each model took in one answer", async () => {
    const stage = await createApiStage(way);
    await filled(stage);
    const { days, isCut } = await stage.apis.usage.daily({ by: "model", from: "2026-01-01T00:00:00.000Z" });
    expect(isCut).toBe(false);
    expect(days).toMatchObject([
      { day: "2026-01-01", key: "p/m", cost: 1, cacheRead: 30 },
      { day: "2026-01-01", key: "p/dear", cost: 2 },
    ]);
    expect((await stage.apis.usage.daily({ by: "agent", agentId: "other" })).days).toHaveLength(1);
  });

  it("MODEL-05 tells how much of each limit is used, and of none where none is set", async () => {
    const limits = {
      ...defaultConfig.budgets,
      day: { cost: 6, tokens: 1000 },
      agent: { calls: 4 },
      month: {},
    };
    const stage = await createApiStage(way, { budgets: limits });
    await filled(stage);
    const { budgets } = await stage.apis.usage.budgets({});
    expect(budgets).toEqual([
      { scope: "day", what: "cost", used: 3, limit: 6, configKey: "budgets.day.cost" },
      { scope: "day", what: "tokens", used: 90, limit: 1000, configKey: "budgets.day.tokens" },
      { scope: "agent", agentId: "main", what: "calls", used: 1, limit: 4, configKey: "budgets.agent.calls" },
    ]);
    expect((await (await createApiStage(way)).apis.usage.budgets({})).budgets).toEqual([]);
  });

  it("MODEL-08 tells what a session used, and everything today and this month", async () => {
    const stage = await createApiStage(way);
    const sessionId = await filled(stage);
    const { totals } = stage.apis.usage;
    expect(await totals({})).toMatchObject({ session: { cost: 1 }, today: { cost: 3 }, month: { cost: 3 } });
    expect(await totals({ sessionKey: sessionId })).toMatchObject({ session: { calls: 1 } });
    expect(await totals({ sessionKey: "elsewhere" })).toMatchObject({ session: { calls: 0 } });
  });
});
