/** What every storage promises about what the owner allowed beyond one call. */
import { describe, expect, it } from "vitest";
import type { ApprovalDraft, GrantScope } from "../approvals/approvals.ts";
import { question, subject, waitingTurn, yes } from "./approval-samples.ts";
import { claim, ending, queue, takeFence } from "./message-samples.ts";
import type { Stage } from "./stage.ts";

export function describeGrants(stage: Stage): void {
  const allow = async (scope: GrantScope, turnId: string, more: Partial<ApprovalDraft> = {}) => {
    const { id } = await stage.tenant.approvals.ask(question(turnId, more));
    return stage.tenant.approvals.answer(id, { ...yes, scope });
  };
  const shape = { scopes: ["once", "shape"], keys: { shape: "git push *" } } satisfies Partial<ApprovalDraft>;

  describe("grants", () => {
    it("SAFE-02 come with a yes to a wider scope, in the same transaction", async () => {
      const { approvals, audit } = stage.tenant;
      expect(await allow("recipient", "r_1")).toMatchObject({
        type: "answered",
        approval: { scope: "recipient" },
      });
      const grants = await approvals.grants({ agentId: "main" });
      expect(grants).toEqual([
        {
          id: expect.stringMatching(/^[2-9a-hjkmnp-z]{6}$/),
          scope: "recipient",
          tool: "message",
          agentId: "main",
          key: "telegram:bob",
          shown: "telegram:bob",
          turnId: null,
          grantedBy: "cli:owner",
          createdAt: "2026-01-01T12:00:00.000Z",
          expiresAt: null,
        },
      ]);
      expect(await approvals.listGrants({ limit: 9 })).toEqual(grants);
      const [record] = await audit.list({ limit: 9, action: "grant-add" });
      expect(record).toMatchObject({
        actor: "cli:owner",
        resourceType: "grant",
        resourceId: grants[0]?.id,
        metadata: { tool: "message", scope: "recipient", digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });
      expect(JSON.stringify(record)).not.toMatch(/bob|secret/);
    });

    it("SAFE-02 for a task are good for its turn alone, and over with it", async () => {
      const { approvals, turns } = stage.tenant;
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      await allow("task", turnId);
      await allow("shape", "r_other", shape);
      const scopes = async (query: { agentId: string; turnId?: string }) =>
        (await approvals.grants(query)).map(({ scope }) => scope).sort();
      expect(await scopes({ agentId: "main", turnId })).toEqual(["shape", "task"]);
      expect(await scopes({ agentId: "main", turnId: "r_other" })).toEqual(["shape"]);
      expect(await scopes({ agentId: "main" })).toEqual(["shape"]);
      expect(await scopes({ agentId: "work", turnId })).toEqual([]);
      const listed = async () => (await approvals.listGrants({ limit: 9 })).map(({ scope }) => scope);
      expect(await listed()).toEqual(["shape", "task"]);
      await turns.end(ending(turnId, fence));
      expect(await listed()).toEqual(["shape"]);
      expect(await turns.prune("2030-01-01T00:00:00.000Z", 9)).toBe(1);
      expect(await scopes({ agentId: "main", turnId })).toEqual(["shape"]);
    });

    it("for a time are good in their session alone, and end by themselves", async () => {
      const { approvals } = stage.tenant;
      const timed = {
        scopes: ["once", "while"],
        keys: { while: "message to bob" },
      } satisfies Partial<ApprovalDraft>;
      await allow("while", "r_1", timed);
      const held = async (sessionKey?: string) =>
        (await approvals.grants({ agentId: "main", turnId: "r_2", sessionKey })).map(({ key }) => key);
      expect(await held("main")).toEqual(["message to bob"]);
      expect(await held("other")).toEqual([]);
      expect(await held()).toEqual([]);
      expect(await approvals.listGrants({ limit: 9 })).toMatchObject([
        { scope: "while", turnId: null, sessionKey: "main", expiresAt: "2026-01-01T12:30:00.000Z" },
      ]);
      await stage.clock.advance(29 * 60_000 + 59_999);
      expect(await held("main")).toHaveLength(1);
      await stage.clock.advance(1);
      expect(await held("main")).toEqual([]);
      expect(await approvals.listGrants({ limit: 9 })).toEqual([]);
    });

    it("for a time can be given again, and last from then on", async () => {
      const timed = {
        scopes: ["once", "while"],
        keys: { while: "message to bob" },
      } satisfies Partial<ApprovalDraft>;
      await allow("while", "r_1", timed);
      await stage.clock.advance(20 * 60_000);
      await allow("while", "r_2", timed);
      const { approvals } = stage.tenant;
      expect(await approvals.listGrants({ limit: 9 })).toMatchObject([
        { expiresAt: "2026-01-01T12:50:00.000Z" },
      ]);
    });

    it("are there once for the same thing", async () => {
      await allow("recipient", "r_1");
      await stage.clock.advance(1000);
      await allow("recipient", "r_2");
      await allow("recipient", "r_3", { agentId: "work" });
      const { approvals, audit } = stage.tenant;
      expect(await approvals.grants({ agentId: "main" })).toMatchObject([
        { createdAt: "2026-01-01T12:00:01.000Z" },
      ]);
      expect(await approvals.listGrants({ limit: 9 })).toHaveLength(2);
      expect(await approvals.listGrants({ limit: 1 })).toMatchObject([{ agentId: "work" }]);
      expect(await audit.list({ limit: 9, action: "grant-add" })).toHaveLength(3);
    });

    it("can be taken back, which is noted", async () => {
      const { approvals, audit } = stage.tenant;
      await allow("recipient", "r_1");
      const [grant] = await approvals.listGrants({ limit: 9 });
      const id = grant?.id ?? "";
      expect(await stage.stores.tenant("rival").approvals.revokeGrant(id, "rival")).toBe(false);
      expect(await approvals.revokeGrant(id.toUpperCase(), "telegram:1")).toBe(true);
      expect(await approvals.revokeGrant(id, "telegram:1")).toBe(false);
      expect(await approvals.grants({ agentId: "main" })).toEqual([]);
      expect(await audit.list({ limit: 9, action: "grant-remove" })).toMatchObject([
        { actor: "telegram:1", resourceId: id },
      ]);
    });

    it("SAFE-02 answer what else the turn asks that the same yes is good for, and nothing else", async () => {
      const { approvals } = stage.tenant;
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      const ask = (callId: string, more: Partial<ApprovalDraft> = {}) =>
        approvals.ask(question(turnId, { callId, ...more }));
      const first = await ask("1");
      const alike = await ask("2", { subject: subject("d2") });
      const others = [
        await ask("3", { keys: { recipient: "telegram:eve" } }),
        await ask("4", { scopes: ["once"], keys: { recipient: "telegram:bob" } }),
        await ask("5", { subject: { ...subject("d5"), tool: "sessions_send" } }),
        await approvals.ask(question("r_other")),
      ];
      await approvals.answer(first.id, { ...yes, scope: "recipient" });
      expect(await approvals.get(alike.id)).toMatchObject({
        state: "approved",
        scope: "recipient",
        answeredBy: "cli:owner",
      });
      for (const { id } of others) expect(await approvals.get(id)).toMatchObject({ state: "pending" });
    });

    it("STORE-08 outlive the session that they were given in, without its words", async () => {
      const { approvals, sessions, audit } = stage.tenant;
      const { turnId, session, approval } = await waitingTurn(stage.tenant, "1");
      await approvals.answer(approval.id, { ...yes, scope: "recipient" });
      await allow("task", turnId, { callId: "call_2" });
      await sessions.delete(session.sessionId, "owner");
      const left = [
        await approvals.list({ limit: 9 }),
        await approvals.grants({ agentId: "main", turnId }),
        await audit.list({ limit: 9 }),
      ];
      expect(left[0]).toEqual([]);
      expect(left[1]).toMatchObject([{ scope: "recipient" }]);
      expect(JSON.stringify(left)).not.toContain("secret plan");
    });
  });
}
