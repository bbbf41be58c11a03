import { parseSessionKey } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Caller } from "../policy/caller.ts";
import { askerOf, isOwnConversation } from "./asker.ts";

const home = { tenantId: "t_default", workspaceId: "w_default", agentId: "main" };
const caller = (id: string, role: Caller["role"] = "developer"): Caller => ({
  id,
  name: id,
  role,
  way: "token",
  tenantId: "t_default",
  scope: { type: "tenant" },
});
const owner = caller("owner", "owner");

describe("who asks", () => {
  it("the owner speaks wherever they like, as the owner", () => {
    expect(askerOf(owner, "web", { sessionKey: "dm:telegram:42" }, home)).toEqual({
      sessionKey: "dm:telegram:42",
      channel: "web",
      reach: { isAtHome: false },
      person: { role: "owner", id: "web:owner" },
    });
    expect(askerOf(owner, "cli", {}, home)).not.toHaveProperty("sessionKey");
  });

  it("GW-11 anybody else is never the owner, whatever their role is", () => {
    for (const role of ["admin", "developer", "viewer", "auditor", "node", "peer"] as const) {
      const { person } = askerOf(caller("token:1", role), "web", {}, home);
      expect(person).toEqual({ role: "peer", id: "web:token:1", name: "token:1" });
    }
  });

  it("GW-11 anybody else has conversations of their own: one without a name, and those that they name", () => {
    const [ann, bob] = [caller("user:ann"), caller("user:bob")];
    const keyOf = (who: Caller, sessionKey?: string) =>
      askerOf(who, "web", sessionKey === undefined ? {} : { sessionKey }, home).sessionKey ?? "";
    const keys = [keyOf(ann), keyOf(bob), keyOf(ann, "work"), keyOf(bob, "work")];
    expect(new Set(keys).size).toBe(4);
    for (const key of [keyOf(ann), keyOf(ann, "work")]) {
      expect(isOwnConversation(ann, key, home)).toBe(true);
      expect(isOwnConversation(bob, key, home)).toBe(false);
      expect(isOwnConversation(owner, key, home)).toBe(true);
      expect(keyOf(ann, key)).toBe(key);
      expect(() => keyOf(bob, key)).toThrow("is not yours");
    }
  });

  it("GW-11 whatever key somebody names leads into a conversation of theirs, or is refused", () => {
    const [ann, bob] = [caller("user:ann"), caller("user:bob")];
    const part = fc.constantFrom(
      "main",
      "dm",
      "user",
      "user:ann",
      "user:bob",
      "agent",
      "telegram",
      "thread",
      "group",
      "42",
      "%",
      "..",
      "",
      "work",
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 7 }), (parts) => {
        const sessionKey = parts.join(":");
        const key = (() => {
          try {
            return askerOf(ann, "web", { sessionKey }, home).sessionKey;
          } catch {
            return undefined;
          }
        })();
        fc.pre(key !== undefined);
        expect(parseSessionKey(key ?? "", home).ok).toBe(true);
        expect(isOwnConversation(ann, key ?? "", home)).toBe(true);
        expect(isOwnConversation(bob, key ?? "", home)).toBe(false);
      }),
    );
  });

  it("refuses a key that is none", () => {
    expect(() => askerOf(caller("user:ann"), "web", { sessionKey: "agent:::" }, home)).toThrow(
      expect.objectContaining({ code: "session/bad-key" }),
    );
  });
});
