/**
 * Which methods a caller with access to some agents may call. The parameters say what a request touches; a request
 * that touches more than one agent needs access to the whole tenant.
 */
import type { MethodName } from "@pincer/sdk";
import type { Caller } from "./caller.ts";

/**
 * free: concerns no agent. agent: needs `agentId`. session: needs `session`, `sessionKey`, `sessionId` or `idOrKey`.
 * run: needs `runId`. tenant: concerns all agents.
 */
export type MethodScope = "free" | "agent" | "session" | "run" | "tenant";

/** The agent that a session or run belongs to; undefined if it does not exist. */
export interface ScopeLookups {
  agentOfSession(idOrKey: string): Promise<string | undefined>;
  agentOfRun(runId: string): Promise<string | undefined>;
}

/** Whether the caller can reach what the request touches. */
export async function isWithinScope(
  caller: Pick<Caller, "scope">,
  method: MethodName,
  params: Record<string, unknown>,
  lookups: ScopeLookups,
): Promise<boolean> {
  const { scope } = caller;
  if (scope.type === "tenant") return true;
  // A gateway serves one workspace, and sign-in refuses callers that are limited to others.
  if (scope.type === "workspace") return scope.workspaceIds.length > 0;
  const kind = method === "connect" ? "free" : scopeOf[method];
  if (kind === "free") return true;
  const agents = await agentsOf(kind, params, lookups);
  return agents.length > 0 && agents.every((agentId) => scope.agentIds.includes(agentId));
}

/** All names in a request count; an unknown name belongs to nobody. */
async function agentsOf(
  kind: Exclude<MethodScope, "free">,
  params: Record<string, unknown>,
  lookups: ScopeLookups,
): Promise<string[]> {
  if (kind === "tenant") return [];
  const found: Array<string | undefined> = [];
  const named = (name: string) => {
    const value = params[name];
    return typeof value === "string" ? value : undefined;
  };
  const agentId = named("agentId");
  if (agentId !== undefined) found.push(agentId);
  for (const name of ["session", "sessionKey", "sessionId", "idOrKey"]) {
    const value = named(name);
    if (value !== undefined) found.push(await lookups.agentOfSession(value));
  }
  const runId = named("runId");
  if (runId !== undefined) found.push(await lookups.agentOfRun(runId));
  if (kind === "run" && runId === undefined) return [];
  return found.map((each) => each ?? "");
}

export const scopeOf = {
  "events.subscribe": "free",
  "events.unsubscribe": "free",
  "gateway.status": "free",
  "gateway.stop": "tenant",
  "gateway.restart": "tenant",
  "gateway.reload": "tenant",
  "agent.run": "agent",
  "agent.continue": "agent",
  "agent.wait": "run",
  "agent.abort": "run",
  "tools.invoke": "agent",
  "runs.list": "session",
  "runs.events": "run",
  "runs.replay": "run",
  "audit.query": "tenant",
  "audit.verify": "tenant",
  "audit.export": "tenant",
  "sessions.list": "agent",
  "sessions.find": "session",
  "sessions.entries": "session",
  "sessions.rename": "session",
  "sessions.delete": "session",
  "sessions.import": "tenant",
  "tape.info": "session",
  "tape.anchors": "session",
  "tape.search": "session",
  "tape.handoff": "session",
  "tape.reset": "session",
  "context.show": "session",
  "backup.create": "tenant",
  "backup.list": "tenant",
  "backup.verify": "tenant",
  "status.get": "tenant",
  "doctor.run": "tenant",
  "pairing.list": "tenant",
  "pairing.export": "tenant",
  "pairing.approve": "tenant",
  "pairing.revoke": "tenant",
  "pairing.import": "tenant",
  "owner.claim": "tenant",
  "owner.list": "tenant",
  "owner.remove": "tenant",
  "outbox.list": "tenant",
  "outbox.get": "tenant",
  "outbox.retry": "tenant",
  "outbox.drop": "tenant",
  "deadletters.list": "tenant",
  "deadletters.get": "tenant",
  "deadletters.retry": "tenant",
  "deadletters.drop": "tenant",
  "models.list": "free",
  "models.providers": "free",
  "models.resolve": "free",
  "models.status": "agent",
  "models.test": "agent",
  "models.refresh": "tenant",
  "auth.status": "tenant",
  "auth.put": "tenant",
  "auth.use": "tenant",
  "auth.logout": "tenant",
  "auth.order": "tenant",
  "auth.import": "tenant",
  "auth.export": "tenant",
  "auth.test": "tenant",
  "auth.ways": "tenant",
  "auth.login": "tenant",
  "auth.leave": "tenant",
  "auth.answer": "tenant",
  "usage.report": "agent",
  "usage.totals": "session",
  "usage.daily": "agent",
  "usage.budgets": "tenant",
  "notices.list": "tenant",
  "notices.dismiss": "tenant",
  "rules.list": "agent",
  "rules.add": "agent",
  "rules.remove": "tenant",
  "approvals.list": "tenant",
  "approvals.get": "tenant",
  "approvals.approve": "tenant",
  "approvals.deny": "tenant",
  "grants.list": "tenant",
  "grants.revoke": "tenant",
  "policy.explain": "tenant",
  "commands.list": "free",
  "commands.run": "session",
  "undo.list": "session",
  "undo.show": "session",
  "undo.apply": "session",
  "memory.status": "agent",
  "memory.search": "agent",
  "memory.get": "agent",
  "memory.index": "agent",
  "memory.unconfirmed": "agent",
  "memory.confirm": "agent",
  "memory.drop": "agent",
  "access.list": "tenant",
  "access.createToken": "tenant",
  "access.createCode": "tenant",
  "access.revoke": "tenant",
  "access.revokeOthers": "tenant",
  "access.approve": "tenant",
  "access.deny": "tenant",
  "agents.list": "tenant",
  "agents.add": "tenant",
  "agents.remove": "tenant",
  "agents.config": "tenant",
  "agents.configure": "tenant",
  "channels.list": "tenant",
  "channels.status": "tenant",
  "channels.kinds": "tenant",
  "channels.test": "tenant",
  "channels.add": "tenant",
  "channels.remove": "tenant",
  "channels.peers": "tenant",
  "setup.status": "tenant",
  "setup.find": "tenant",
  "setup.take": "tenant",
  "setup.tryModel": "tenant",
  "setup.name": "tenant",
  "setup.done": "tenant",
  "chat.history": "session",
  "chat.send": "session",
  "chat.resend": "session",
  "chat.abort": "session",
  "config.get": "tenant",
  "config.set": "tenant",
  "config.unset": "tenant",
  "config.history": "tenant",
  "config.diff": "tenant",
  "config.revert": "tenant",
  "config.file": "tenant",
  "config.schema": "free",
  "health.get": "free",
  "logs.tail": "tenant",
  "nodes.register": "free",
  "nodes.list": "tenant",
  "nodes.invoke": "tenant",
  "nodes.result": "free",
  "plugins.list": "tenant",
  "reach.status": "tenant",
  "send.message": "tenant",
} as const satisfies Record<Exclude<MethodName, "connect">, MethodScope>;
