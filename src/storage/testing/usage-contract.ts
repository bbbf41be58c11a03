/** What every storage promises about the ledger. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noTotals, type UsageDraft, type UsageScope, type UsageStanding } from "../usage/usage.ts";
import { claim, ending, queue, takeFence } from "./message-samples.ts";
import { request } from "./samples.ts";
import type { Stage } from "./stage.ts";
import { addUsage, noJudge, someHolder } from "./add-usage.ts";

const used = (more: Partial<UsageDraft> = {}, cost = 0.25): UsageDraft => ({
  turnId: "r_1",
  sessionId: "s_1",
  sessionKey: "main",
  agentId: "main",
  provider: "p",
  model: "family/m",
  credential: "p:default",
  usage: { input: 100, output: 20, cacheRead: 60, cacheWrite: 10, total: 190, cost },
  outcome: "ok",
  startedAt: "2026-01-31T23:59:59.000Z",
  durationMs: 1200,
  firstByteMs: 300,
  ...more,
});

const scopes: UsageScope[] = [
  { type: "turn", turnId: "r_1" },
  { type: "session", sessionId: "s_1" },
  { type: "agent-day", agentId: "main", day: "2026-01-31" },
  { type: "day", day: "2026-01-31" },
  { type: "month", month: "2026-01" },
];

type StepOf<Steps> = Steps extends fc.Arbitrary<infer Step> ? Step : never;

export function describeUsage(stage: Stage): void {
  describe("the ledger", () => {
    it("MODEL-08 keeps a call as it was told", async () => {
      const { usage } = stage.tenant;
      const estimated = { ...used().usage, estimated: true };
      await addUsage(usage, used());
      await addUsage(
        usage,
        used({ turnId: null, usage: estimated, outcome: "rate_limit", firstByteMs: null }),
      );
      expect(await usage.list({ limit: 9 })).toEqual([
        {
          ...used({ turnId: null, usage: estimated, outcome: "rate_limit", firstByteMs: null }),
          position: 2,
        },
        { ...used(), position: 1 },
      ]);
      expect(await usage.list({ limit: 9, turnId: "r_1" })).toMatchObject([{ position: 1 }]);
      expect(await usage.list({ limit: 9, sessionId: "s_1", before: 2 })).toMatchObject([{ position: 1 }]);
      expect(await usage.list({ limit: 1 })).toMatchObject([{ position: 2 }]);
    });

    it("MODEL-05 raises every total that a limit could be about", async () => {
      const { usage } = stage.tenant;
      expect(await usage.totals({ type: "day", day: "2026-01-31" })).toEqual(noTotals());
      await addUsage(usage, used());
      await addUsage(usage, used({ outcome: "aborted", usage: { ...used().usage, estimated: true } }));
      await addUsage(usage, used({ outcome: "unavailable" }));
      for (const scope of scopes)
        expect(await usage.totals(scope)).toEqual({
          calls: 3,
          failures: 1,
          estimated: 1,
          unpriced: 0,
          input: 300,
          output: 60,
          cacheRead: 180,
          cacheWrite: 30,
          total: 570,
          cost: 0.75,
        });
    });

    it("MODEL-05 counts by the day and month in which a call began, and each agent for itself", async () => {
      const { usage } = stage.tenant;
      await addUsage(usage, used());
      await addUsage(
        usage,
        used({ startedAt: "2026-02-01T00:30:00.000+00:00", agentId: "other", turnId: "r_2" }),
      );
      await addUsage(usage, used({ startedAt: "2026-02-01T00:30:00.000+01:00" }));
      const calls = async (scope: UsageScope) => (await usage.totals(scope)).calls;
      expect(await calls({ type: "day", day: "2026-01-31" })).toBe(2);
      expect(await calls({ type: "month", month: "2026-02" })).toBe(1);
      expect(await calls({ type: "agent-day", agentId: "other", day: "2026-02-01" })).toBe(1);
      expect(await calls({ type: "session", sessionId: "s_1" })).toBe(3);
      expect(await calls({ type: "turn", turnId: "r_2" })).toBe(1);
      expect(await stage.stores.tenant("rival").usage.totals({ type: "day", day: "2026-01-31" })).toEqual(
        noTotals(),
      );
    });

    it("MODEL-08 reports the same sums, whatever they are grouped by", async () => {
      const { usage } = stage.tenant;
      const draft = fc.record({
        sessionKey: fc.constantFrom("main", "other", null),
        agentId: fc.constantFrom("main", "helper"),
        provider: fc.constantFrom("p", "q"),
        credential: fc.constantFrom("one", null),
        startedAt: fc.constantFrom("2026-01-30T10:00:00.000Z", "2026-01-31T10:00:00.000Z"),
        outcome: fc.constantFrom("ok" as const, "billing" as const),
      });
      const drafts = fc.sample(draft, 40);
      for (const [index, each] of drafts.entries()) await addUsage(usage, used(each, index / 64));
      const cost = drafts.reduce((sum, _, index) => sum + index / 64, 0);
      for (const by of ["model", "session", "agent", "day", "credential"] as const) {
        const sums = await usage.report({ by, limit: 99 });
        expect(sums.reduce((sum, { calls }) => sum + calls, 0)).toBe(40);
        expect(sums.reduce((sum, each) => sum + each.cost, 0)).toBe(cost);
        expect(sums.reduce((sum, { failures }) => sum + failures, 0)).toBe(
          drafts.filter(({ outcome }) => outcome === "billing").length,
        );
        expect(sums).toEqual([...sums].sort((a, b) => b.cost - a.cost));
      }
    });

    it("MODEL-08 tells for each day what each has taken, and the days add up to the report", async () => {
      const { usage } = stage.tenant;
      await addUsage(usage, used({ model: "dear", startedAt: "2026-01-30T10:00:00.000Z" }, 3));
      await addUsage(usage, used({ model: "cheap", startedAt: "2026-01-30T11:00:00.000Z" }, 1));
      await addUsage(usage, used({ model: "dear" }, 2));
      await addUsage(usage, used({ model: "dear", agentId: "other", outcome: "billing" }, 0));
      const daily = (more: Partial<Parameters<typeof usage.daily>[0]> = {}) =>
        usage.daily({ by: "model", limit: 99, ...more });
      const told = (days: Awaited<ReturnType<typeof daily>>) =>
        days.map(({ day, key, cost, calls }) => [day, key, cost, calls]);
      expect(told(await daily())).toEqual([
        ["2026-01-30", "p/cheap", 1, 1],
        ["2026-01-30", "p/dear", 3, 1],
        ["2026-01-31", "p/dear", 2, 2],
      ]);
      expect(told(await daily({ limit: 1 }))).toEqual([["2026-01-31", "p/dear", 2, 2]]);
      expect(told(await daily({ agentId: "other" }))).toEqual([["2026-01-31", "p/dear", 0, 1]]);
      expect(told(await daily({ to: "2026-01-31T00:00:00.000Z", by: "agent" }))).toEqual([
        ["2026-01-30", "main", 4, 2],
      ]);
      expect(await stage.stores.tenant("rival").usage.daily({ by: "model", limit: 9 })).toEqual([]);
    });

    it("MODEL-08 tells what turns took, each for itself, with the models in the order of their use", async () => {
      const { usage } = stage.tenant;
      await addUsage(usage, used({ turnId: "r_1", model: "first" }, 1));
      await addUsage(usage, used({ turnId: "r_1", model: "second" }, 2));
      await addUsage(usage, used({ turnId: "r_1", model: "first" }, 4));
      await addUsage(usage, used({ turnId: "r_2" }, 8));
      await addUsage(usage, used({ turnId: null }, 16));
      const sums = await usage.ofTurns(["r_1", "r_2", "r_none"]);
      expect(sums).toHaveLength(2);
      expect(sums).toContainEqual({
        turnId: "r_1",
        calls: 3,
        total: 570,
        cost: 7,
        unpriced: 0,
        models: ["p/first", "p/second"],
      });
      expect(sums.find(({ turnId }) => turnId === "r_2")).toMatchObject({ cost: 8, models: ["p/family/m"] });
      expect(await usage.ofTurns([])).toEqual([]);
      expect(await stage.stores.tenant("rival").usage.ofTurns(["r_1"])).toEqual([]);
    });

    it("reports by name, narrowed, the most expensive first", async () => {
      const { usage } = stage.tenant;
      await addUsage(usage, used({ model: "cheap", startedAt: "2026-01-30T10:00:00.000Z" }, 0));
      await addUsage(usage, used({ model: "dear", sessionId: "s_2", agentId: "other" }, 3));
      await addUsage(usage, used({ credential: null, sessionKey: null }, 1));
      const keys = async (query: Partial<Parameters<typeof usage.report>[0]>) =>
        (await usage.report({ by: "model", limit: 9, ...query })).map(({ key }) => key);
      expect(await keys({})).toEqual(["p/dear", "p/family/m", "p/cheap"]);
      expect(await keys({ limit: 1 })).toEqual(["p/dear"]);
      expect(await keys({ from: "2026-01-31T00:00:00.000Z" })).toEqual(["p/dear", "p/family/m"]);
      expect(await keys({ to: "2026-01-31T00:00:00.000Z" })).toEqual(["p/cheap"]);
      expect(await keys({ sessionId: "s_2" })).toEqual(["p/dear"]);
      expect(await keys({ sessionKey: "main" })).toEqual(["p/dear", "p/cheap"]);
      expect(await keys({ agentId: "main" })).toEqual(["p/family/m", "p/cheap"]);
      expect(await keys({ by: "credential" })).toEqual(["p:default", "-"]);
      expect(await keys({ by: "session" })).toEqual(["main", "-"]);
      const [day] = await usage.report({ by: "day", limit: 1 });
      expect(day).toMatchObject({ key: "2026-01-31", lastAt: "2026-01-31T23:59:59.000Z", calls: 2 });
    });

    it("prunes old rows in bounded steps, with totals of what is gone, and keeps days and months", async () => {
      const { usage, sessions } = stage.tenant;
      const { session } = await sessions.open(request("main"));
      const { sessionId } = session;
      await addUsage(usage, used());
      await addUsage(usage, used({ sessionId, startedAt: "2026-01-31T23:59:58.000Z" }));
      await addUsage(usage, used({ turnId: "r_2", sessionId, startedAt: "2026-02-02T00:00:00.000Z" }));
      const before = "2026-02-01T00:00:00.000Z";
      expect(await usage.prune(before, 1)).toBe(1);
      expect((await usage.list({ limit: 9 })).map(({ position }) => position)).toEqual([3, 1]);
      expect(await usage.prune(before, 9)).toBe(1);
      expect(await usage.prune(before, 9)).toBe(0);
      const calls = async (scope: UsageScope) => (await usage.totals(scope)).calls;
      expect(await calls({ type: "turn", turnId: "r_1" })).toBe(0);
      expect(await calls({ type: "session", sessionId: "s_1" })).toBe(0);
      expect(await calls({ type: "session", sessionId })).toBe(2);
      expect(await calls({ type: "turn", turnId: "r_2" })).toBe(1);
      expect(await calls({ type: "day", day: "2026-01-31" })).toBe(2);
    });

    it("MODEL-05 counts the question of a request from before it goes out, and what it took in its place", async () => {
      const { usage } = stage.tenant;
      const estimate = { input: 90, output: 0, cacheRead: 0, cacheWrite: 0, total: 90, cost: 0.5 };
      const opening = { ...used({ usage: { ...estimate, estimated: true } }), isUnpriced: true };
      const opened = await usage.open({ ...opening, holder: someHolder() }, noJudge);
      if (!opened.opened) throw new Error("refused");
      const { position } = opened;
      expect(await usage.list({ limit: 9 })).toMatchObject([{ position, outcome: "open", unpriced: true }]);
      const open = { calls: 1, failures: 0, estimated: 1, unpriced: 1, input: 90, total: 90, cost: 0.5 };
      for (const scope of scopes) expect(await usage.totals(scope)).toMatchObject(open);
      await usage.settle(position, used({ outcome: "timeout" }));
      await usage.settle(position, used());
      await usage.release(position);
      expect(await usage.list({ limit: 9 })).toEqual([
        { ...used({ outcome: "timeout" }), position, unpriced: true },
      ]);
      const settled = { calls: 1, failures: 1, estimated: 0, unpriced: 1, total: 190, cost: 0.25 };
      for (const scope of scopes) expect(await usage.totals(scope)).toMatchObject(settled);
    });

    it("MODEL-05 counts in its totals what stands in its rows, however requests begin and end", async () => {
      const { usage } = stage.tenant;
      const step = fc.record({
        doing: fc.constantFrom("open", "open", "settle", "release", "lose"),
        which: fc.nat(9),
        tokens: fc.nat(500),
        isUnpriced: fc.boolean(),
        outcome: fc.constantFrom("ok" as const, "aborted" as const, "timeout" as const),
      });
      const open: number[] = [];
      async function take({ doing, which, tokens, isUnpriced, outcome }: StepOf<typeof step>): Promise<void> {
        const usageOf = {
          input: tokens,
          output: 0,
          cacheRead: 0,
          cacheWrite: 0,
          total: tokens,
          cost: tokens / 8,
        };
        const draft = used({ usage: { ...usageOf, ...(isUnpriced ? { estimated: true } : {}) }, outcome });
        const [position] = doing === "open" ? [] : open.splice(which % Math.max(1, open.length), 1);
        if (doing === "open") {
          const opened = await usage.open({ ...draft, isUnpriced, holder: someHolder() }, noJudge);
          if (opened.opened) open.push(opened.position);
        } else if (doing === "lose") {
          await usage.loseGone(() => true);
          open.length = 0;
        } else if (position !== undefined)
          await (doing === "settle" ? usage.settle(position, draft) : usage.release(position));
      }
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          for (const each of steps) await take(each);
          const rows = await usage.list({ limit: 100_000 });
          const sum = (of: (row: (typeof rows)[number]) => number) =>
            rows.reduce((all, row) => all + of(row), 0);
          const expected = {
            calls: rows.length,
            failures: sum(({ outcome }) => (["ok", "aborted", "open"].includes(outcome) ? 0 : 1)),
            estimated: sum(({ usage: { estimated } }) => (estimated ? 1 : 0)),
            unpriced: sum(({ unpriced }) => (unpriced ? 1 : 0)),
            input: sum(({ usage: { input } }) => input),
            total: sum(({ usage: { total } }) => total),
            cost: sum(({ usage: { cost } }) => cost),
          };
          for (const scope of scopes) expect(await usage.totals(scope)).toMatchObject(expected);
        }),
        { numRuns: 25 },
      );
    });

    it("MODEL-05 leaves nothing of a request that was never made", async () => {
      const { usage } = stage.tenant;
      await addUsage(usage, used({}, 0.1));
      const opened = await usage.open({ ...used({}, 0.2), isUnpriced: true, holder: someHolder() }, noJudge);
      const before = await usage.totals({ type: "month", month: "2026-01" });
      expect(before.calls).toBe(2);
      if (opened.opened) await usage.release(opened.position);
      expect(await usage.list({ limit: 9 })).toEqual([{ ...used({}, 0.1), position: 1 }]);
      const after = await usage.totals({ type: "month", month: "2026-01" });
      expect(after).toMatchObject({ calls: 1, unpriced: 0, total: 190 });
      expect(after.cost).toBeCloseTo(0.1, 12);
    });

    it("MODEL-05 judges with what is used and under way, and writes nothing that is refused", async () => {
      const { usage } = stage.tenant;
      const day = { type: "day" as const, day: "2026-01-31" };
      const standings: unknown[] = [];
      const judge = (gone: string) => ({
        scopes: [day, { type: "session" as const, sessionId: "s_2" }],
        isGone: ({ holder }: { holder: { id: string } }) => holder.id === gone,
        decide: (found: readonly UsageStanding[]) => {
          standings.push(...found);
          return { allowed: false as const, refused: "no" };
        },
      });
      const room = { tokens: 1000, cost: 2 };
      const open = (id: string) =>
        usage.open(
          { ...used(), isUnpriced: false, holder: someHolder(id) },
          { ...noJudge, decide: () => ({ allowed: true as const, room }) },
        );
      expect(await open("a")).toEqual({ opened: true, position: 1, room });
      await open("b");
      const ask = (gone: string) =>
        usage.open({ ...used(), isUnpriced: false, holder: someHolder() }, judge(gone));
      expect(await ask("b")).toEqual({ opened: false, refused: "no" });
      const none = { calls: 0, tokens: 0, cost: 0 };
      expect(standings).toEqual([
        {
          used: { calls: 2, tokens: 380, cost: 0.5 },
          underWay: { calls: 1, tokens: 190, cost: 0.25 },
          rooms: room,
        },
        { used: none, underWay: none, rooms: { tokens: 0, cost: 0 } },
      ]);
      expect(await usage.list({ limit: 9 })).toHaveLength(2);
      expect(await usage.loseGone(({ holder }) => holder.id === "b")).toBe(1);
      expect(await usage.list({ limit: 1 })).toMatchObject([{ outcome: "lost", usage: { total: 190 } }]);
      expect(await usage.totals(day)).toMatchObject({ calls: 2, failures: 1, total: 380 });
      expect(await usage.report({ by: "day", limit: 1 })).toMatchObject([{ calls: 2, failures: 1 }]);
    });

    it("MODEL-05 settles into no total that was forgotten meanwhile", async () => {
      const { usage, sessions, turns } = stage.tenant;
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      const { session } = await claim(stage.tenant, turnId, fence);
      await turns.end(ending(turnId, fence));
      const { sessionId } = session;
      const mine = { ...used({ turnId, sessionId }), isUnpriced: false, holder: someHolder() };
      const opened = await usage.open(mine, noJudge);
      await sessions.delete(sessionId, "owner");
      if (opened.opened) await usage.settle(opened.position, used({ turnId, sessionId }, 1));
      for (const scope of [
        { type: "turn" as const, turnId },
        { type: "session" as const, sessionId },
      ])
        expect(await usage.totals(scope)).toEqual(noTotals());
      expect(await usage.list({ limit: 9 })).toMatchObject([{ sessionId: null, usage: { cost: 1 } }]);
      expect((await usage.totals({ type: "day", day: "2026-01-31" })).cost).toBe(1);
    });

    it("STORE-08 forgets with a session whose it was, and keeps what it cost", async () => {
      const { usage, sessions, turns } = stage.tenant;
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      const { session } = await claim(stage.tenant, turnId, fence);
      await turns.end(ending(turnId, fence));
      await addUsage(usage, used({ turnId, sessionId: session.sessionId }));
      await sessions.delete(session.sessionId, "owner");
      expect(await usage.list({ limit: 9 })).toMatchObject([
        { turnId: null, sessionId: null, sessionKey: null, usage: { cost: 0.25 } },
      ]);
      for (const scope of [
        { type: "turn" as const, turnId },
        { type: "session" as const, sessionId: session.sessionId },
      ])
        expect(await usage.totals(scope)).toEqual(noTotals());
      expect((await usage.totals({ type: "day", day: "2026-01-31" })).cost).toBe(0.25);
    });

    it("forgets the total of a turn with the turn", async () => {
      const { usage, turns } = stage.tenant;
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      await turns.end(ending(turnId, fence));
      await addUsage(usage, used({ turnId }));
      expect(await turns.prune("2027-01-01T00:00:00.000Z", 9)).toBe(1);
      expect(await usage.totals({ type: "turn", turnId })).toEqual(noTotals());
      expect(await usage.list({ limit: 9, turnId })).toHaveLength(1);
    });
  });
}
