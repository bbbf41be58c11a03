/**
 * Who calls the gateway. The server builds this at sign-in from what it knows about the caller, never from the
 * caller's own claims.
 */
import type { Role } from "./permission-points.ts";

/** How they signed in. open: no proof was required. */
export const waysIn = ["socket", "token", "password", "code", "passkey", "device", "jwt", "open"] as const;
export type WayIn = (typeof waysIn)[number];

/** Which part of the tenant they can reach. */
export type CallerScope =
  | { type: "tenant" }
  | { type: "workspace"; workspaceIds: readonly string[] }
  | { type: "agent"; agentIds: readonly string[] };

export interface Caller {
  /**
   * Permanently unique within the tenant: "owner", "token:<id>", "device:<id>", "browser:<id>", "user:<issuer's
   * subject>", "node:<id>".
   */
  id: string;
  /** For display only; no decision depends on it. */
  name: string;
  role: Role;
  way: WayIn;
  tenantId: string;
  scope: CallerScope;
}

export const ownerCaller = (tenantId: string, way: WayIn): Caller => ({
  id: "owner",
  name: "owner",
  role: "owner",
  way,
  tenantId,
  scope: { type: "tenant" },
});

/** Whether the caller can reach anything in this workspace. */
export const reachesSpace = ({ scope }: Pick<Caller, "scope">, workspaceId: string): boolean =>
  scope.type !== "workspace" || scope.workspaceIds.includes(workspaceId);

/** The agents that they are confined to; undefined: every one. */
export const agentsWithin = (scope: CallerScope | undefined): string[] | undefined =>
  scope?.type === "agent" ? [...scope.agentIds] : undefined;

/** Whether the caller acts as the owner; everybody else was admitted by the owner. */
export const isOwner = ({ role }: Pick<Caller, "role">): boolean => role === "owner";
