/** Other products' and identity providers' names for our roles. */
import type { GivableRole } from "./may-give.ts";

/** Default meanings. The owner's is not among them: a token issuer creates owners here only if the config says so. */
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
