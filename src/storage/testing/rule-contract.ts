/** What every storage promises about standing rules. */
import { describe, expect, it } from "vitest";
import type { StandingRule } from "../rules/rules.ts";
import type { Stage } from "./stage.ts";

type Draft = Pick<StandingRule, "text" | "enforcement" | "agentId" | "setBy">;

const draft = (text: string, more: Partial<Draft> = {}): Draft => ({
  text,
  enforcement: null,
  agentId: null,
  setBy: "cli:owner",
  ...more,
});

export function describeRules(stage: Stage): void {
  describe("standing rules", () => {
    const ids = async (agentId?: string) =>
      (await stage.tenant.rules.list(agentId === undefined ? {} : { agentId })).map(({ id }) => id);

    it("keeps them as they were set, by id", async () => {
      const also = [{ tools: ["message"] }];
      const enforcement = { tools: ["exec", "group:fs"], match: ["/etc"], also };
      const first = await stage.tenant.rules.add(draft("never touch /etc", { enforcement }));
      expect(first).toEqual({
        added: true,
        rule: {
          id: 1,
          text: "never touch /etc",
          enforcement,
          agentId: null,
          setBy: "cli:owner",
          createdAt: "2026-01-01T12:00:00.000Z",
        },
      });
      const second = await stage.tenant.rules.add(draft("用中文回答", { agentId: "work" }));
      expect(await stage.tenant.rules.list()).toEqual([first.rule, second.rule]);
    });

    it("answers the rule that is there for the same words and the same agent", async () => {
      const { rule } = await stage.tenant.rules.add(draft("be brief"));
      const again = draft("be brief", { setBy: "telegram:42", enforcement: { tools: ["exec"] } });
      expect(await stage.tenant.rules.add(again)).toEqual({ rule, added: false });
      expect((await stage.tenant.rules.add(draft("be brief", { agentId: "work" }))).added).toBe(true);
      expect(await ids()).toEqual([1, 2]);
    });

    it("tells an agent those for every agent and its own", async () => {
      await stage.tenant.rules.add(draft("a"));
      await stage.tenant.rules.add(draft("b", { agentId: "work" }));
      await stage.tenant.rules.add(draft("c", { agentId: "home" }));
      expect(await ids("work")).toEqual([1, 2]);
      expect(await ids("main")).toEqual([1]);
    });

    it("removes one, and never gives its id again", async () => {
      const { rule } = await stage.tenant.rules.add(draft("a"));
      expect(await stage.tenant.rules.remove(1, "cli:owner")).toEqual(rule);
      expect(await stage.tenant.rules.remove(1, "cli:owner")).toBeUndefined();
      expect(await ids()).toEqual([]);
      expect((await stage.tenant.rules.add(draft("a"))).rule.id).toBe(2);
    });

    it("raises its version with every change, and with nothing else", async () => {
      const { rules } = stage.tenant;
      const versions = [await rules.version()];
      await rules.add(draft("a"));
      versions.push(await rules.version());
      await rules.add(draft("a"));
      await rules.remove(9, "cli:owner");
      versions.push(await rules.version());
      await rules.remove(1, "cli:owner");
      versions.push(await rules.version());
      expect(versions).toEqual([0, 1, 1, 2]);
    });

    it("leaves an audit record of both, without the words", async () => {
      await stage.tenant.rules.add(
        draft("never mail bob", {
          enforcement: { tools: ["message"], match: ["bob"], also: [{ tools: ["exec"] }] },
        }),
      );
      await stage.clock.advance(1);
      await stage.tenant.rules.remove(1, "telegram:42");
      const records = await stage.tenant.audit.list({ limit: 9, resourceId: "1" });
      const about = {
        resourceType: "rule",
        resourceId: "1",
        metadata: { agentId: null, tools: ["message", "exec"] },
      };
      expect(records).toMatchObject([
        { ...about, action: "rule-remove", actor: "telegram:42" },
        { ...about, action: "rule-add", actor: "cli:owner" },
      ]);
      expect(JSON.stringify(records)).not.toContain("bob");
    });

    it("TEN-01 are a tenant's own", async () => {
      await stage.tenant.rules.add(draft("a"));
      const { rules } = stage.stores.tenant("rival");
      expect(await rules.list()).toEqual([]);
      expect(await rules.version()).toBe(0);
      expect(await rules.remove(1, "rival")).toBeUndefined();
      expect((await rules.add(draft("a"))).rule.id).toBe(1);
      expect(await ids()).toEqual([1]);
    });

    it("gives 20 that are set at once 20 ids", async () => {
      const { rules } = stage.tenant;
      await Promise.all(Array.from({ length: 20 }, (_, index) => rules.add(draft(`rule ${index}`))));
      expect(await ids()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    });
  });
}
