import { methods, permissionPoints, type PermissionPoint } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { permissionOf } from "./method-access.ts";
import { holds, permissionOfCommand, roles } from "./permission-points.ts";

const asked = Object.entries(methods).filter(([name]) => name !== "connect");

describe("permission points", () => {
  it.each(asked)("TEN-04 %s names the permission that it needs", (name) => {
    expect(permissionPoints).toContain(permissionOf(name));
  });

  it("a method that changes something never goes by a permission to look", () => {
    const changing = asked.filter(([, { effect }]) => effect !== "read");
    expect(changing.length).toBeGreaterThan(30);
    expect(changing.filter(([name]) => permissionOf(name)?.endsWith(".view"))).toEqual([]);
  });

  it("TEN-02 what brings in the owner's words or looks at any place of the machine is not for those who only work or look", () => {
    const allowed = (method: string) => roles.filter((role) => holds(role, permissionOf(method)));
    expect(allowed("sessions.import")).toEqual(["owner"]);
    expect(allowed("memory.confirm")).toEqual(["owner"]);
    for (const method of ["auth.import", "setup.find", "setup.take"])
      expect(allowed(method)).toEqual(["owner"]);
    expect(allowed("backup.verify")).toEqual(["owner", "admin"]);
  });

  it("TEN-03 whatever nobody was granted is denied: unknown methods, for every role", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...roles), (name, role) => {
        fc.pre(!Object.hasOwn(methods, name));
        expect(holds(role, permissionOf(name))).toBe(false);
      }),
    );
    for (const name of ["constructor", "__proto__", "toString", "connect"]) {
      expect(permissionOf(name)).toBeUndefined();
      expect(permissionOfCommand(name)).toBeUndefined();
    }
  });

  it("the owner holds every point, and each role no more than its list", () => {
    const held = (role: (typeof roles)[number]) => permissionPoints.filter((point) => holds(role, point));
    expect(held("owner")).toEqual([...permissionPoints]);
    expect(permissionPoints.filter((point) => !holds("admin", point))).toEqual([
      "tools.invoke",
      "rules.write",
      "policy.write",
      "owner.write",
      "owner.speak",
      "auth.export",
      "setup.machine",
    ]);
    expect(held("developer")).toEqual([
      "state.view",
      "sessions.view",
      "approvals.view",
      "config.view",
      "logs.view",
      "agent.run",
      "undo.apply",
      "sessions.write",
      "memory.write",
      "notices.write",
    ] satisfies PermissionPoint[]);
    expect(held("viewer")).toEqual(["state.view", "sessions.view"]);
    expect(held("auditor")).toEqual([
      "state.view",
      "people.view",
      "approvals.view",
      "audit.view",
      "audit.export",
      "config.view",
      "logs.view",
      "access.view",
    ]);
    expect(held("node")).toEqual(["nodes.attach"]);
    expect(held("peer")).toEqual(["agent.run"]);
  });

  it("SAFE-09 answering is a permission of its own, which only the owner and administrators hold", () => {
    for (const name of ["approvals.approve", "approvals.deny", "grants.revoke"])
      expect(permissionOf(name)).toBe("approvals.answer");
    for (const name of ["approve", "deny"]) expect(permissionOfCommand(name)).toBe("approvals.answer");
    expect(roles.filter((role) => holds(role, "approvals.answer"))).toEqual(["owner", "admin"]);
  });

  it("SAFE-09 a caller who may not answer has no other way to: not by a line said as the owner, not by the owner's hand", () => {
    for (const name of ["sessions.import", "tools.invoke"]) {
      const able = roles.filter((role) => holds(role, permissionOf(name)));
      expect(able.filter((role) => !holds(role, "approvals.answer"))).toEqual([]);
    }
    expect(roles.filter((role) => holds(role, permissionOf("sessions.import")))).toEqual(["owner"]);
  });
});
