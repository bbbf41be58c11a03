/** What every storage promises about credentials. */
import { describe, expect, it } from "vitest";
import { formatCredentialKey } from "../credentials/credential-key.ts";
import { unused, type CredentialDraft } from "../credentials/credentials.ts";
import type { Stage } from "./stage.ts";

const draft = (id: string, more: Partial<CredentialDraft> = {}): CredentialDraft => ({
  id,
  agentId: null,
  provider: "anthropic",
  type: "api_key",
  label: "…1234",
  expiresAt: null,
  source: "login",
  sealed: `sealed ${id}`,
  ...more,
});

export function describeCredentials(stage: Stage): void {
  describe("credentials", () => {
    const shared = (id: string) => ({ agentId: null, id });

    it("AUTH-02 keeps what it was given, each tenant for itself", async () => {
      const { credentials } = stage.tenant;
      const put = await credentials.put(draft("a"));
      expect(put).toEqual({
        ...draft("a"),
        version: Date.UTC(2026, 0, 1, 12),
        createdAt: "2026-01-01T12:00:00.000Z",
        updatedAt: "2026-01-01T12:00:00.000Z",
        use: unused(),
      });
      expect(await credentials.get(shared("a"))).toEqual(put);
      expect(await credentials.get(shared("b"))).toBeUndefined();
      const rival = stage.stores.tenant("rival").credentials;
      expect(await rival.list()).toEqual([]);
      expect(await rival.get(shared("a"))).toBeUndefined();
      expect(await rival.remove(shared("a"))).toBe(false);
      expect(await credentials.list()).toEqual([put]);
    });

    it("AUTH-01 tells an agent's own from the one of that name that holds for all, also in their use", async () => {
      const { credentials } = stage.tenant;
      await credentials.put(draft("a"));
      await credentials.put(draft("a", { agentId: "main", sealed: "own" }));
      await credentials.put(draft("z", { provider: "aaa" }));
      const found = await credentials.list();
      expect(found.map(({ id, agentId }) => [id, agentId])).toEqual([
        ["z", null],
        ["a", null],
        ["a", "main"],
      ]);
      const own = { agentId: "main", id: "a" };
      await credentials.noteUse({ ...own, provider: "anthropic" }, (use) => ({ ...use, errorCount: 3 }));
      expect((await credentials.get(own))?.use.errorCount).toBe(3);
      expect((await credentials.get(shared("a")))?.use.errorCount).toBe(0);
      expect([...(await credentials.uses()).keys()]).toEqual([formatCredentialKey(own)]);
      expect(await credentials.remove(shared("a"))).toBe(true);
      expect((await credentials.get(own))?.sealed).toBe("own");
    });

    it("AUTH-13 writes a renewed secret only over the version that was read", async () => {
      const { credentials } = stage.tenant;
      const { version } = await credentials.put(draft("a", { type: "oauth" }));
      const fresh = { sealed: "new", expiresAt: "2026-01-01T13:00:00.000Z" };
      const outcomes = await Promise.all(
        [1, 2, 3].map(() => credentials.renew({ ...shared("a"), version }, fresh)),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await credentials.get(shared("a"))).toMatchObject({ ...fresh, version: version + 1 });
    });

    it("AUTH-13 lets nobody renew what was replaced, or removed and stored again, in the meantime", async () => {
      const { credentials } = stage.tenant;
      const { version } = await credentials.put(draft("a"));
      const replaced = await credentials.put(draft("a", { sealed: "other" }));
      expect(replaced.version).toBeGreaterThan(version);
      const fresh = { sealed: "late", expiresAt: null };
      expect(await credentials.renew({ ...shared("a"), version }, fresh)).toBeUndefined();
      await credentials.remove(shared("a"));
      expect(await credentials.renew({ ...shared("a"), version: replaced.version }, fresh)).toBeUndefined();
      await stage.clock.advance(1000);
      const back = await credentials.put(draft("a"));
      expect(back.version).toBeGreaterThan(replaced.version);
    });

    it("AUTH-07 forgets what is known of the use of one that is replaced or removed", async () => {
      const { credentials } = stage.tenant;
      const key = { ...shared("a"), provider: "anthropic" };
      await credentials.put(draft("a"));
      await credentials.noteUse(key, (use) => ({ ...use, errorCount: 1, lastError: "auth" }));
      expect((await credentials.put(draft("a"))).use).toEqual(unused());
      await credentials.noteUse(key, (use) => ({ ...use, errorCount: 1 }));
      expect(await credentials.remove(key)).toBe(true);
      expect(await credentials.remove(key)).toBe(false);
      expect((await credentials.uses()).size).toBe(0);
    });

    it("AUTH-08 counts every one of many failures that are noted at once, also for a name without a row", async () => {
      const { credentials } = stage.tenant;
      const key = { ...shared("config:openai"), provider: "openai" };
      await Promise.all(
        Array.from({ length: 20 }, () =>
          credentials.noteUse(key, (use) => ({ ...use, errorCount: use.errorCount + 1 })),
        ),
      );
      expect((await credentials.uses()).get(formatCredentialKey(key))?.errorCount).toBe(20);
    });

    it("AUTH-04 keeps an order per agent and provider, without doubles, until it is taken away", async () => {
      const { credentials } = stage.tenant;
      await credentials.setOrder(null, "anthropic", ["b", "a", "b"]);
      await credentials.setOrder(null, "openai", ["c"]);
      await credentials.setOrder("main", "anthropic", ["a"]);
      expect(await credentials.orders(null)).toEqual({ anthropic: ["b", "a"], openai: ["c"] });
      expect(await credentials.orders("main")).toEqual({ anthropic: ["a"] });
      await credentials.setOrder(null, "openai", []);
      expect(await credentials.orders(null)).toEqual({ anthropic: ["b", "a"] });
      expect(await stage.stores.tenant("rival").credentials.orders(null)).toEqual({});
      await credentials.put(draft("b"));
      await credentials.remove(shared("b"));
      expect(await credentials.orders(null)).toEqual({ anthropic: ["a"] });
    });

    it("AUTH-04 AUTH-07 shows at once whatever has changed of records, uses and orders", async () => {
      const { credentials } = stage.tenant;
      const key = { ...shared("a"), provider: "anthropic" };
      const together = async (agentId: string | null) => ({
        records: await credentials.list(),
        uses: await credentials.uses(),
        orders: { own: await credentials.orders(agentId), shared: await credentials.orders(null) },
      });
      const changes: Array<() => Promise<unknown>> = [
        async () => {},
        () => credentials.put(draft("a")),
        () => credentials.noteUse(key, (use) => ({ ...use, errorCount: use.errorCount + 1 })),
        () => credentials.noteUse(key, (use) => ({ ...use, errorCount: use.errorCount + 1 })),
        () => credentials.setOrder(null, "anthropic", ["b", "a"]),
        () => credentials.setOrder("main", "anthropic", ["a"]),
        async () =>
          credentials.renew(
            { ...key, version: (await credentials.get(key))?.version ?? 0 },
            { sealed: "new", expiresAt: null },
          ),
        () => credentials.remove(key),
      ];
      const seen: unknown[] = [];
      for (const change of changes) {
        await change();
        const outlook = await credentials.outlook("main");
        expect(outlook).toEqual(await together("main"));
        expect(await credentials.outlook(null)).toEqual(await together(null));
        seen.push(outlook);
      }
      expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBeGreaterThan(4);
      expect(await stage.stores.tenant("rival").credentials.outlook("main")).toEqual({
        records: [],
        uses: new Map(),
        orders: { own: {}, shared: {} },
      });
    });

    it("returns nothing that a later caller could find changed", async () => {
      const { credentials } = stage.tenant;
      await credentials.put(draft("a"));
      await credentials.setOrder(null, "anthropic", ["a"]);
      const [record] = await credentials.list();
      if (record) Object.assign(record, { sealed: "spoilt" });
      (await credentials.orders(null))["anthropic"]?.push("spoilt");
      expect(JSON.stringify(await credentials.outlook(null))).not.toContain("spoilt");
    });

    it("AUTH-02 knows which one worked last", async () => {
      const { credentials } = stage.tenant;
      const used = (id: string, lastUsedAt: string | null, agentId: string | null = null) =>
        credentials.noteUse({ agentId, id, provider: "anthropic" }, (use) => ({ ...use, lastUsedAt }));
      await used("a", "2026-01-01T12:00:02.000Z");
      await used("b", "2026-01-01T12:00:01.000Z");
      await used("c", null);
      await used("d", "2026-01-01T12:00:03.000Z", "main");
      expect(await credentials.lastGood(null)).toEqual({ anthropic: "a" });
      expect(await credentials.lastGood("main")).toEqual({ anthropic: "d" });
    });
  });
}
