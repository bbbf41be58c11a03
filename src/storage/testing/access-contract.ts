/** What every storage promises about those who have a way in. */
import { describe, expect, it } from "vitest";
import type { NewAccess } from "../access/access.ts";
import type { Stage } from "./stage.ts";

const entry = (more: Partial<NewAccess> = {}): NewAccess => ({
  kind: "token",
  role: "developer",
  name: "laptop",
  scope: { type: "tenant" },
  way: "token",
  createdBy: "owner",
  expiresAt: null,
  secretDigest: "d1",
  ...more,
});
const device = (publicKey: string) => ({ publicKey, name: "phone", wants: "owner", address: "10.0.0.9" });
const hourMs = 3_600_000;

export function describeAccess(stage: Stage): void {
  describe("ways in", () => {
    const put = async (more: Partial<NewAccess> = {}) => {
      const outcome = await stage.tenant.access.put(entry(more));
      if (outcome.type !== "stored") throw new Error(outcome.type);
      return outcome.access;
    };
    const codes = () => {
      let next = 0;
      return () => `CODE000${++next}`;
    };

    it("keeps what was let in, and finds it by the digest of its secret", async () => {
      const scope = { type: "agent", agentIds: ["work"] } as const;
      const made = await put({ scope, boundTo: "token:abc", expiresAt: "2026-01-02T00:00:00.000Z" });
      expect(made).toMatchObject({
        kind: "token",
        role: "developer",
        name: "laptop",
        scope,
        boundTo: "token:abc",
        createdBy: "owner",
        createdAt: "2026-01-01T12:00:00.000Z",
        lastUsedAt: null,
        expiresAt: "2026-01-02T00:00:00.000Z",
        revokedAt: null,
      });
      expect(await stage.tenant.access.findByDigest("d1")).toEqual(made);
      expect(await stage.tenant.access.get(made.id)).toEqual(made);
      expect(await stage.tenant.access.findByDigest("d2")).toBeUndefined();
    });

    it("finds nothing of another tenant", async () => {
      const { id } = await put();
      const other = stage.stores.tenant("other").access;
      expect(await other.findByDigest("d1")).toBeUndefined();
      expect(await other.get(id)).toBeUndefined();
      expect(await other.revoke(id, "owner")).toEqual([]);
      expect(await other.list({ all: true })).toEqual([]);
      expect(await stage.tenant.access.findByDigest("d1")).toBeDefined();
    });

    it("does not find what is over, to the millisecond", async () => {
      await put({ expiresAt: new Date(stage.clock.now() + 1000).toISOString() });
      await stage.clock.advance(999);
      expect(await stage.tenant.access.findByDigest("d1")).toBeDefined();
      await stage.clock.advance(1);
      expect(await stage.tenant.access.findByDigest("d1")).toBeUndefined();
      expect(await stage.tenant.access.list()).toEqual([]);
      expect(await stage.tenant.access.list({ all: true })).toHaveLength(1);
    });

    it("does not bring back by a use what is over or taken back", async () => {
      const later = new Date(stage.clock.now() + 10 * hourMs).toISOString();
      const over = await put({ expiresAt: new Date(stage.clock.now() + 1000).toISOString() });
      const revoked = await put({ secretDigest: "d2" });
      await stage.tenant.access.revoke(revoked.id, "owner");
      await stage.clock.advance(1000);
      await stage.tenant.access.touch(over.id, later);
      await stage.tenant.access.touch(revoked.id, later);
      expect(await stage.tenant.access.list()).toEqual([]);
    });

    it("notes a use at most once a minute, and with it until when it is good", async () => {
      const { id } = await put({ expiresAt: "2026-01-02T00:00:00.000Z" });
      await stage.tenant.access.touch(id, "2026-01-03T00:00:00.000Z");
      await stage.clock.advance(59_999);
      await stage.tenant.access.touch(id, "2026-01-04T00:00:00.000Z");
      expect(await stage.tenant.access.get(id)).toMatchObject({
        lastUsedAt: "2026-01-01T12:00:00.000Z",
        expiresAt: "2026-01-03T00:00:00.000Z",
      });
      await stage.clock.advance(1);
      await stage.tenant.access.touch(id);
      expect(await stage.tenant.access.get(id)).toMatchObject({
        lastUsedAt: "2026-01-01T12:01:00.000Z",
        expiresAt: "2026-01-03T00:00:00.000Z",
      });
    });

    it("takes one back with everything that it let in, once", async () => {
      const root = await put();
      const child = await put({ secretDigest: "d2", createdBy: `token:${root.id}` });
      const browser = await put({ secretDigest: "d3", kind: "browser", createdBy: `token:${child.id}` });
      const other = await put({ secretDigest: "d4" });
      const revoked = await stage.tenant.access.revoke(root.id, "owner");
      expect(revoked.map(({ id }) => id)).toEqual([root.id, child.id, browser.id]);
      expect((await stage.tenant.access.list()).map(({ id }) => id)).toEqual([other.id]);
      expect(await stage.tenant.access.findByDigest("d3")).toBeUndefined();
      expect(await stage.tenant.access.revoke(root.id, "owner")).toEqual([]);
      const traces = await stage.tenant.audit.list({ limit: 10, action: "access-revoke" });
      expect(traces.map(({ resourceId }) => resourceId).sort()).toEqual(
        [root.id, child.id, browser.id].sort(),
      );
    });

    it("never holds more than a thousand live ones", async () => {
      // At once, so that they share their syncs.
      await Promise.all(Array.from({ length: 1000 }, (_, count) => put({ secretDigest: `x${count}` })));
      expect(await stage.tenant.access.put(entry({ secretDigest: "one more" }))).toEqual({ type: "full" });
    });

    it("forgets what has been over for long", async () => {
      const { id } = await put();
      await stage.tenant.access.revoke(id, "owner");
      await stage.clock.advance(31 * 24 * hourMs);
      await put({ secretDigest: "d2" });
      expect(await stage.tenant.access.get(id)).toBeUndefined();
    });

    it("SEC-02 remembers who stands behind what is there, however long they have been over", async () => {
      const browser = await put({ kind: "browser", createdBy: "chat:telegram:42" });
      const token = await put({ secretDigest: "d2", createdBy: `browser:${browser.id}` });
      await stage.tenant.access.revoke(browser.id, "owner", { ids: [token.id] });
      await stage.clock.advance(31 * 24 * hourMs);
      await put({ secretDigest: "d3" });
      expect(await stage.tenant.access.get(browser.id)).toMatchObject({ createdBy: "chat:telegram:42" });
      await stage.tenant.access.revoke(token.id, "owner");
      await stage.clock.advance(31 * 24 * hourMs);
      await put({ secretDigest: "d4" });
      await put({ secretDigest: "d5" });
      expect(await stage.tenant.access.get(token.id)).toBeUndefined();
      expect(await stage.tenant.access.get(browser.id)).toBeUndefined();
    });

    it("gives this gateway one name for good, and every tenant its own", async () => {
      const id = await stage.tenant.access.gatewayId();
      expect(await stage.tenant.access.gatewayId()).toBe(id);
      expect(await stage.stores.tenant("other").access.gatewayId()).not.toBe(id);
    });

    it("remembers a device that asks, with the same code until it is answered", async () => {
      const makeCode = codes();
      const first = await stage.tenant.access.askForDevice(device("k1"), makeCode);
      expect(first).toMatchObject({ type: "pending", isNew: true, request: { code: "CODE0001" } });
      const renamed = { ...device("k1"), name: "the owner's own phone", wants: "viewer" };
      expect(await stage.tenant.access.askForDevice(renamed, makeCode)).toMatchObject({
        isNew: false,
        request: { code: "CODE0001", name: "phone", wants: "owner" },
      });
      expect(await stage.tenant.access.listPending()).toHaveLength(1);
      expect(await stage.stores.tenant("other").access.listPending()).toEqual([]);
    });

    it("makes another code where two devices would have the same", async () => {
      await stage.tenant.access.askForDevice(device("k1"), () => "SAME");
      const made = ["SAME", "OTHER"];
      const second = await stage.tenant.access.askForDevice(device("k2"), () => made.shift() ?? "");
      expect(second).toMatchObject({ request: { code: "OTHER" } });
    });

    it("lets ten devices ask at once, each for an hour", async () => {
      const makeCode = codes();
      for (let count = 0; count < 10; count++) {
        await stage.tenant.access.askForDevice(device(`k${count}`), makeCode);
      }
      expect(await stage.tenant.access.askForDevice(device("k10"), makeCode)).toEqual({ type: "full" });
      await stage.clock.advance(hourMs);
      expect(await stage.tenant.access.listPending()).toEqual([]);
      expect(await stage.tenant.access.askForDevice(device("k10"), makeCode)).toMatchObject({ isNew: true });
    });

    it("lets a device in as the owner says, by its code in any spelling, once", async () => {
      await stage.tenant.access.askForDevice(device("k1"), () => "ABCD2345");
      const as = {
        role: "viewer",
        scope: { type: "tenant" },
        createdBy: "owner",
        expiresAt: null,
      } as const;
      expect(await stage.tenant.access.findDevice("k1")).toBeUndefined();
      const outcome = await stage.tenant.access.approveDevice("abcd-2345", as);
      expect(outcome).toMatchObject({
        type: "approved",
        access: { kind: "device", role: "viewer", name: "phone" },
      });
      expect(await stage.tenant.access.findDevice("k1")).toMatchObject({ role: "viewer" });
      expect(await stage.tenant.access.approveDevice("ABCD2345", as)).toEqual({ type: "unknown" });
      expect(await stage.tenant.access.listPending()).toEqual([]);
    });

    it("lets no device in whose time to be answered is over", async () => {
      await stage.tenant.access.askForDevice(device("k1"), () => "ABCD2345");
      await stage.clock.advance(hourMs);
      const as = { role: "viewer", scope: { type: "tenant" }, createdBy: "owner", expiresAt: null } as const;
      expect(await stage.tenant.access.approveDevice("ABCD2345", as)).toEqual({ type: "unknown" });
      expect(await stage.tenant.access.findDevice("k1")).toBeUndefined();
    });

    it("sends a device away, which may ask again", async () => {
      await stage.tenant.access.askForDevice(device("k1"), () => "ABCD2345");
      const [request] = await stage.tenant.access.listPending();
      expect(await stage.tenant.access.denyDevice(request?.id ?? "", "owner")).toEqual(request);
      expect(await stage.tenant.access.denyDevice("ABCD2345", "owner")).toBeUndefined();
      expect(await stage.tenant.access.askForDevice(device("k1"), () => "NEXT2345")).toMatchObject({
        isNew: true,
      });
    });
  });
}
