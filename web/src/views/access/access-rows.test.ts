import type { AccessView } from "@pincer/sdk";
import { accessRoles } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { accessRows, confinedTo, givable, roles, wayKey } from "./access-rows.ts";

const access = (id: string, more: Partial<AccessView> = {}): AccessView => ({
  id,
  kind: "browser",
  role: "owner",
  name: "Firefox",
  scope: { type: "tenant" },
  way: "code",
  createdAt: "2026-01-01T12:00:00.000Z",
  createdBy: "owner",
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  ...more,
});

describe("who has a way in", () => {
  it("UI-01 is listed by kind, this browser first, then the most recently used", () => {
    const listed = [
      access("old"),
      access("me"),
      access("token", { kind: "token" }),
      access("late", { lastUsedAt: "2026-01-02T12:00:00.000Z" }),
    ];
    expect(accessRows(listed, "browser", "browser:me").map(({ view, isOwn }) => [view.id, isOwn])).toEqual([
      ["me", true],
      ["late", false],
      ["old", false],
    ]);
    expect(accessRows(listed, "token", "browser:token").map(({ isOwn }) => isOwn)).toEqual([false]);
  });

  it("knows every role, and what somebody may hand on", () => {
    expect([...roles].sort()).toEqual([...accessRoles].sort());
    expect(givable("owner")).toContain("owner");
    expect(givable("admin")).not.toContain("owner");
  });

  it("says how somebody came in, and what they are confined to", () => {
    expect([wayKey("passkey"), wayKey("jwt")]).toEqual(["access.way.passkey", "access.way.other"]);
    expect(confinedTo(access("x", { scope: { type: "agent", agentIds: ["work", "home"] } }))).toBe(
      "work, home",
    );
    expect(confinedTo(access("x"))).toBe("");
  });
});
