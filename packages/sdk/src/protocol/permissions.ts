/** What a method can ask of its caller: a permission, and how much of the tenant the caller must reach. */

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
 * free: nothing of an agent is in it. agent: `agentId` must be named. session: `sessionKey` must be named. run: `runId` must be named.
 * tenant: it is about all of them.
 */
export type MethodScope = "free" | "agent" | "session" | "run" | "tenant";
