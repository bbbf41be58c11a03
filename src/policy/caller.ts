/**
 * Who asks something of the gateway. It is made at the door, from what the server knows about whoever proved themselves, and never from what
 * they say about themselves.
 */
import type { Role } from "./permission-points.ts";

/** How they proved it. open: nobody had to prove anything. */
export const waysIn = ["socket", "token", "password", "code", "passkey", "device", "jwt", "open"] as const;
export type WayIn = (typeof waysIn)[number];

/** What of the tenant's they reach. */
export type CallerScope =
  | { type: "tenant" }
  | { type: "workspace"; workspaceIds: readonly string[] }
  | { type: "agent"; agentIds: readonly string[] };

export interface Caller {
  /** Unique for good within the tenant: "owner", "token:<id>", "device:<id>", "browser:<id>", "user:<issuer's subject>", "node:<id>". */
  id: string;
  /** For people to read; nothing is decided by it. */
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

/** Whether anything of a space is within what they reach. */
export const reachesSpace = ({ scope }: Pick<Caller, "scope">, workspaceId: string): boolean =>
  scope.type !== "workspace" || scope.workspaceIds.includes(workspaceId);

/** Whether the caller speaks with the owner's own voice; everybody else is somebody whom the owner let in. */
export const isOwner = ({ role }: Pick<Caller, "role">): boolean => role === "owner";
