/** What every storage promises about passkeys. */
import { describe, expect, it } from "vitest";
import type { NewPasskey } from "../access/passkeys.ts";
import type { Stage } from "./stage.ts";

const passkey = (credentialId: string, more: Partial<NewPasskey> = {}): NewPasskey => ({
  access: {
    role: "owner",
    name: "laptop",
    scope: { type: "tenant" },
    boundTo: null,
    createdBy: "browser:x_1",
    expiresAt: null,
  },
  credentialId,
  rpId: "localhost",
  publicKey: "a2V5",
  counter: 0,
  transports: ["internal"],
  ...more,
});

export function describePasskeys(stage: Stage): void {
  describe("passkeys", () => {
    const add = async (credentialId: string, more: Partial<NewPasskey> = {}) => {
      const outcome = await stage.tenant.passkeys.add(passkey(credentialId, more));
      if (outcome.type !== "stored") throw new Error(outcome.type);
      return outcome.access;
    };

    it("keeps the key beside the access that it grants, and finds it by its name", async () => {
      const access = await add("one");
      expect(access).toMatchObject({ kind: "passkey", way: "passkey", role: "owner", name: "laptop" });
      expect(await stage.tenant.passkeys.find("one")).toEqual({
        access,
        credentialId: "one",
        rpId: "localhost",
        publicKey: "a2V5",
        counter: 0,
        transports: ["internal"],
      });
      expect(await stage.tenant.access.list()).toEqual([access]);
      expect(await stage.tenant.passkeys.find("two")).toBeUndefined();
      expect(await stage.stores.tenant("other").passkeys.find("one")).toBeUndefined();
    });

    it("accepts a key once, no matter who brings it", async () => {
      await add("one");
      expect(await stage.tenant.passkeys.add(passkey("one", { publicKey: "b3RoZXI" }))).toEqual({
        type: "known",
      });
      expect(await stage.tenant.passkeys.find("one")).toMatchObject({ publicKey: "a2V5" });
      expect(await stage.tenant.access.list()).toHaveLength(1);
    });

    it("finds none that was taken back or is over, and lists those of a place", async () => {
      const { id } = await add("one");
      const expiresAt = new Date(stage.clock.now() + 1000).toISOString();
      await add("two", { access: { ...passkey("two").access, expiresAt } });
      await add("three", { rpId: "desk.example" });
      expect(await stage.tenant.passkeys.listFor("localhost")).toEqual([
        { credentialId: "one", transports: ["internal"] },
        { credentialId: "two", transports: ["internal"] },
      ]);
      await stage.tenant.access.revoke(id, "owner");
      await stage.clock.advance(1000);
      expect(await stage.tenant.passkeys.find("one")).toBeUndefined();
      expect(await stage.tenant.passkeys.find("two")).toBeUndefined();
      expect(await stage.tenant.passkeys.listFor("localhost")).toEqual([]);
      expect(await stage.tenant.passkeys.listFor("desk.example")).toHaveLength(1);
    });

    it("goes with the browser that made it, and takes the browsers along that came by it", async () => {
      const browser = await stage.tenant.access.put({
        ...passkey("one").access,
        kind: "browser",
        way: "code",
        secretDigest: "d1",
        createdBy: "owner",
      });
      if (browser.type !== "stored") throw new Error(browser.type);
      const made = await add("one", {
        access: { ...passkey("one").access, createdBy: `browser:${browser.access.id}` },
      });
      await stage.tenant.access.put({
        ...passkey("one").access,
        kind: "browser",
        way: "passkey",
        secretDigest: "d2",
        createdBy: `passkey:${made.id}`,
      });
      const revoked = await stage.tenant.access.revoke(browser.access.id, "owner");
      expect(revoked.map(({ kind }) => kind)).toEqual(["browser", "passkey", "browser"]);
    });

    it("stays when the browser that made it signs out", async () => {
      const browser = await stage.tenant.access.put({
        ...passkey("one").access,
        kind: "browser",
        way: "code",
        secretDigest: "d1",
        createdBy: "owner",
      });
      if (browser.type !== "stored") throw new Error(browser.type);
      const createdBy = `browser:${browser.access.id}`;
      await add("one", { access: { ...passkey("one").access, createdBy } });
      const ended = await stage.tenant.access.revoke(browser.access.id, createdBy, { kind: "passkey" });
      expect(ended.map(({ kind }) => kind)).toEqual(["browser"]);
      expect(await stage.tenant.passkeys.find("one")).toBeDefined();
    });

    it("notes a use only where the counter rises, or the key does not count", async () => {
      await add("one");
      const { use } = stage.tenant.passkeys;
      expect(await use("one", 0)).toBe(true);
      expect(await use("one", 5)).toBe(true);
      expect(await use("one", 5)).toBe(false);
      expect(await use("one", 4)).toBe(false);
      expect(await use("one", 0)).toBe(false);
      expect(await use("one", 6)).toBe(true);
      expect(await use("none", 1)).toBe(false);
      expect(await stage.tenant.passkeys.find("one")).toMatchObject({ counter: 6 });
    });
  });
}
