/** What every storage promises about tenants: their directory, their audit log, and the walls between them. */
import { describe, expect, it } from "vitest";
import { holder, request, say, texts } from "./samples.ts";
import type { Stage } from "./stage.ts";

const noPolicies = { modelPolicy: {}, toolPolicy: {} };

export function describeTenants(stage: Stage): void {
  describe("audit and directory", () => {
    it("STORE-08 lists what was done, newest first, by resource and by action", async () => {
      const record = async (action: string, resourceId: string) => {
        await stage.clock.advance(10);
        return stage.tenant.audit.record({
          actor: "owner",
          action,
          resourceType: "config",
          resourceId,
          metadata: { reason: "test", nested: [1, null] },
        });
      };
      const first = await record("set", "port");
      const second = await record("set", "host");
      const third = await record("unset", "port");
      expect(first).toEqual({
        id: expect.stringMatching(/^a_/),
        actor: "owner",
        action: "set",
        resourceType: "config",
        resourceId: "port",
        seq: 1,
        sessionKey: null,
        runId: null,
        metadata: { reason: "test", nested: [1, null] },
        createdAt: "2026-01-01T12:00:00.010Z",
      });
      expect(await stage.tenant.audit.list({ limit: 9 })).toEqual([third, second, first]);
      expect(await stage.tenant.audit.list({ limit: 1 })).toEqual([third]);
      expect(await stage.tenant.audit.list({ limit: 9, resourceId: "port" })).toEqual([third, first]);
      expect(await stage.tenant.audit.list({ limit: 9, action: "set" })).toEqual([second, first]);
      expect(await stage.tenant.audit.list({ limit: 9, action: "set", resourceId: "port" })).toEqual([first]);
    });

    it("STORE-02 STORE-03 STORE-04 makes sure of tenant, workspace and agent without changing them", async () => {
      const rows = {
        tenant: { name: "Acme", plan: "personal" },
        workspace: { id: "w1", name: "Home" },
        agent: { id: "main", name: "Main" },
      };
      await stage.tenant.directory.ensure(rows);
      await stage.tenant.directory.ensure({ ...rows, agent: { id: "main", name: "Renamed" } });
      await stage.tenant.directory.ensure({ ...rows, agent: { id: "helper", name: "Helper" } });
      expect(await stage.tenant.directory.listAgents()).toEqual([
        { id: "helper", workspaceId: "w1", name: "Helper", status: "active", ...noPolicies },
        { id: "main", workspaceId: "w1", name: "Main", status: "active", ...noPolicies },
      ]);
    });

    it("STORE-04 keeps the agents with their policies, and marks those that are gone", async () => {
      const { directory } = stage.tenant;
      await directory.ensure({
        tenant: { name: "Acme", plan: "personal" },
        workspace: { id: "w1", name: "Home" },
        agent: { id: "main", name: "main" },
      });
      const main = {
        id: "main",
        name: "Main",
        modelPolicy: { primary: "a/b", fallbacks: [] },
        toolPolicy: {},
      };
      const ada = { id: "ada", name: "Ada", modelPolicy: {}, toolPolicy: { deny: ["exec"] } };
      await directory.keepAgents("w1", [main, ada]);
      expect(await directory.listAgents()).toEqual([
        { ...ada, workspaceId: "w1", status: "active" },
        { ...main, workspaceId: "w1", status: "active" },
      ]);
      await directory.keepAgents("w1", [main]);
      await directory.keepAgents("w1", [main]);
      expect((await directory.listAgents()).map(({ id, status }) => [id, status])).toEqual([
        ["ada", "removed"],
        ["main", "active"],
      ]);
    });
  });

  describe("tenants", () => {
    it("TEN-01 never show each other anything, even under equal keys, ids and names", async () => {
      const other = stage.stores.tenant("rival");
      const { session } = await stage.tenant.sessions.open(request("main"));
      const { session: theirs, created } = await other.sessions.open(request("main"));
      expect(created).toBe(true);
      const sessionId = session.sessionId;
      await stage.tenant.entries.append(sessionId, [say("secret")]);

      expect(await other.sessions.get(sessionId)).toBeUndefined();
      expect(await other.entries.recent(sessionId, 9)).toEqual([]);
      expect(await other.entries.after(sessionId, 0, 9)).toEqual([]);
      const missing = { code: "session/not-found" };
      await expect(other.entries.append(sessionId, [say("x")])).rejects.toMatchObject(missing);
      await expect(other.sessions.switchMemory(sessionId, true)).rejects.toMatchObject(missing);
      expect(await other.sessions.delete(sessionId, "rival")).toBe(false);
      await other.sessions.markMirrored(sessionId, 99);
      expect((await other.sessions.list({ limit: 9 })).sessions).toEqual([theirs]);
      expect((await other.sessions.listUnmirrored(9)).map((one) => one.sessionId)).toEqual([
        theirs.sessionId,
      ]);

      const entries = await stage.tenant.entries.recent(sessionId, 9);
      expect(await other.sessions.restore(entries)).toMatchObject({
        session: { sessionId, tenantId: "rival", state: "ended" },
      });
      await other.entries.append(sessionId, [say("theirs")]);
      await other.sessions.delete(sessionId, "rival");
      expect(texts(await stage.tenant.entries.recent(sessionId, 9))).toEqual(["session", "secret"]);
      expect(await stage.tenant.sessions.get(sessionId)).toMatchObject({ mirroredSeq: 0, lastSeq: 2 });

      const lease = { name: "main", holder: holder("one"), ttlMs: 1000, isStale: () => false };
      expect((await stage.tenant.leases.acquire(lease)).type).toBe("acquired");
      expect((await other.leases.acquire(lease)).type).toBe("acquired");
      await stage.tenant.directory.ensure({
        tenant: { name: "Acme", plan: "personal" },
        workspace: { id: "w1", name: "Home" },
        agent: { id: "main", name: "Main" },
      });
      expect(await other.directory.listAgents()).toEqual([]);
      expect(await stage.tenant.audit.list({ limit: 9 })).toEqual([]);
    });
  });

  describe("the whole", () => {
    it("reports its health with counts over all tenants", async () => {
      const { session } = await stage.tenant.sessions.open(request("main"));
      await stage.stores.tenant("rival").sessions.open(request("main"));
      await stage.tenant.entries.append(session.sessionId, [say("a"), say("b")]);
      const health = await stage.stores.health("full");
      expect(health).toMatchObject({ ok: true, sessions: 2, entries: 4, problems: [] });
      expect(health.sizeBytes).toBeGreaterThan(0);
      expect(health.schemaVersion).toBeGreaterThan(0);
    });

    it("may be closed twice", async () => {
      await stage.stores.close();
      await expect(stage.stores.close()).resolves.toBeUndefined();
    });
  });
}
