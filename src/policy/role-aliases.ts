/** Names that other products and identity providers have for our roles. */
import type { GivableRole } from "./may-give.ts";

/**
 * What a role's name means where nobody says otherwise. That of the owner is not among them: whoever signs tokens elsewhere makes owners
 * here only when the config says so.
 */
export const roleAliases: Readonly<Record<string, GivableRole>> = {
  admin: "admin",
  tenant_admin: "admin",
  developer: "developer",
  workspace_admin: "developer",
  member: "developer",
  user: "developer",
  viewer: "viewer",
  auditor: "auditor",
};
