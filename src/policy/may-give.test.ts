import { permissionPoints } from "@pincer/sdk";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { CallerScope } from "./caller.ts";
import { givableRoles, isRoleWithin, isScopeWithin, mayGive } from "./may-give.ts";
import { holds, roles } from "./permission-points.ts";

const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 });
const scopes: fc.Arbitrary<CallerScope> = fc.oneof(
  fc.constant({ type: "tenant" } as const),
  ids.map((workspaceIds) => ({ type: "workspace" as const, workspaceIds })),
  ids.map((agentIds) => ({ type: "agent" as const, agentIds })),
);
const holders = fc.record({ role: fc.constantFrom(...roles), scope: scopes });

it("TEN-02 nobody gives a permission that they do not hold", () => {
  fc.assert(
    fc.property(holders, holders, (giver, gift) => {
      fc.pre(mayGive(giver, gift));
      const gained = permissionPoints.filter((point) => holds(gift.role, point) && !holds(giver.role, point));
      expect(gained).toEqual([]);
    }),
  );
});

it("TEN-02 what is given through others is never more than the first one had", () => {
  fc.assert(
    fc.property(fc.array(holders, { minLength: 2, maxLength: 6 }), (chain) => {
      fc.pre(chain.every((each, index) => index === 0 || mayGive(chain[index - 1] ?? each, each)));
      const [first, last] = [chain[0], chain.at(-1)];
      expect(first && last && mayGive(first, last)).toBe(true);
    }),
  );
});

it("everybody may hand on what they have, and the owner everything", () => {
  fc.assert(
    fc.property(holders, (holder) => {
      expect(mayGive(holder, holder)).toBe(true);
      expect(mayGive({ role: "owner", scope: { type: "tenant" } }, holder)).toBe(true);
    }),
  );
});

it("TEN-02 which role may give which", () => {
  const table = Object.fromEntries(
    givableRoles.map((giver) => [giver, givableRoles.filter((role) => isRoleWithin(role, giver)).join(" ")]),
  );
  expect(table).toEqual({
    owner: "owner admin developer viewer auditor node",
    admin: "admin developer viewer auditor node",
    developer: "developer viewer",
    viewer: "viewer",
    auditor: "auditor",
    node: "node",
  });
});

it("a confined caller reaches no further through somebody else", () => {
  const work: CallerScope = { type: "agent", agentIds: ["work"] };
  expect(isScopeWithin({ type: "tenant" }, work)).toBe(false);
  expect(isScopeWithin({ type: "agent", agentIds: ["work", "home"] }, work)).toBe(false);
  expect(isScopeWithin({ type: "workspace", workspaceIds: ["work"] }, work)).toBe(false);
  expect(isScopeWithin(work, { type: "workspace", workspaceIds: ["work"] })).toBe(false);
});
