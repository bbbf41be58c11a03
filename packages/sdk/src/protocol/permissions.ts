/** What a method can require of its caller: a permission, and a scope within the tenant. */

export const permissionPoints = [
  "state.view",
  "sessions.view",
  "people.view",
  "approvals.view",
  "audit.view",
  "audit.export",
  "config.view",
  "logs.view",
  "access.view",
  "agent.run",
  "tools.invoke",
  "tools.risky",
  "undo.apply",
  "approvals.answer",
  "rules.write",
  "policy.write",
  "models.policy",
  "sessions.write",
  "sessions.delete",
  "memory.write",
  "notices.write",
  "outbox.write",
  "pairing.write",
  "owner.write",
  "owner.speak",
  "messages.send",
  "access.write",
  "agents.write",
  "nodes.attach",
  "nodes.use",
  "config.write",
  "auth.write",
  "auth.export",
  "setup.machine",
  "backup.create",
  "gateway.control",
] as const;
export type PermissionPoint = (typeof permissionPoints)[number];

/**
 * free: not about any agent. agent: `agentId` is required. session: `sessionKey` is required. run: `runId` is
 * required. tenant: about all agents.
 */
export type MethodScope = "free" | "agent" | "session" | "run" | "tenant";
