/** What somebody may hand on: never more than they have themselves, in what they may do and in what they reach. */
import { permissionPoints } from "@pincer/sdk";
import type { Caller, CallerScope } from "./caller.ts";
import { holds, type Role } from "./permission-points.ts";

/** The roles that can be handed on; a peer is anybody who writes in a chat. */
export const givableRoles = [
  "owner",
  "admin",
  "developer",
  "viewer",
  "auditor",
  "node",
] as const satisfies Role[];
export type GivableRole = (typeof givableRoles)[number];

export const mayGive = (
  giver: Pick<Caller, "role" | "scope">,
  gift: { role: Role; scope: CallerScope },
): boolean => isRoleWithin(gift.role, giver.role) && isScopeWithin(gift.scope, giver.scope);

/** A role is within another if the other may do everything that it may. */
export const isRoleWithin = (role: Role, other: Role): boolean =>
  permissionPoints.every((point) => !holds(role, point) || holds(other, point));

export function isScopeWithin(scope: CallerScope, other: CallerScope): boolean {
  if (other.type === "tenant") return true;
  if (other.type === "workspace") {
    return scope.type === "workspace" && scope.workspaceIds.every((id) => other.workspaceIds.includes(id));
  }
  return scope.type === "agent" && scope.agentIds.every((id) => other.agentIds.includes(id));
}
