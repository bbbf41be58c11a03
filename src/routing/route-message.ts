/** Decides which agent and which session a message belongs to. */
import { formatSessionKey, parseSessionKey, type PincerError, type SessionScope } from "@pincer/sdk";
import { failure } from "../infra/failure.ts";

export interface RoutingFacts {
  tenantId: string;
  workspaceId: string;
  defaultAgentId: string;
  /** Ids of the configured agents; the default one is always among the known. */
  agentIds: readonly string[];
}

export interface RouteRequest {
  /** A session key in any of its spellings; left out = the owner's main session. */
  sessionKey?: string;
  agentId?: string;
}

export interface Route {
  scope: SessionScope;
  agentId: string;
  /** The canonical spelling. */
  sessionKey: string;
  /** What decided: `explicit-key`, `explicit-agent` or `default`. */
  rule: "explicit-key" | "explicit-agent" | "default";
}

/** Throws PincerError `session/bad-key` or `usage/not-found`. */
export function routeMessage(request: RouteRequest, facts: RoutingFacts): Route {
  const agentId = request.agentId ?? facts.defaultAgentId;
  requireAgent(agentId, facts);
  const home = { tenantId: facts.tenantId, workspaceId: facts.workspaceId, agentId };
  if (request.sessionKey === undefined) {
    const rule = request.agentId ? "explicit-agent" : "default";
    return routeTo({ ...home, conversation: { type: "main" } }, rule);
  }

  const parsed = parseSessionKey(request.sessionKey, home);
  if (!parsed.ok) throw badKey(parsed.reason);
  if (parsed.scope.tenantId !== facts.tenantId || parsed.scope.workspaceId !== facts.workspaceId) {
    throw failure("session/bad-key", "failure.foreign-key");
  }
  requireAgent(parsed.scope.agentId, facts);
  return routeTo(parsed.scope, "explicit-key");
}

/** For where a key that nobody knows makes a session: as a name of one, nobody means an id that they copied. Throws `session/bad-key`. */
export function refuseSessionId(sessionKey: string | undefined): void {
  if (sessionKey === undefined || !isSessionId.test(sessionKey)) return;
  throw failure(
    "session/bad-key",
    "failure.session-id",
    { id: sessionKey },
    { hint: "failure.session-id.hint" },
  );
}

const isSessionId = /^s_[0-9A-HJKMNP-TV-Z]{26}$/i;

/** What is said to somebody whose session key cannot be read. */
export const badKey = (reason: string): PincerError =>
  failure("session/bad-key", "failure.bad-key", { reason }, { hint: "failure.bad-key.hint" });

function requireAgent(agentId: string, facts: RoutingFacts): void {
  if (agentId === facts.defaultAgentId || facts.agentIds.includes(agentId)) return;
  const known = [...new Set([facts.defaultAgentId, ...facts.agentIds])].join(", ");
  throw failure("usage/not-found", "failure.no-agent", { agentId, known }, { hint: "failure.no-agent.hint" });
}

const routeTo = (scope: SessionScope, rule: Route["rule"]): Route => ({
  scope,
  agentId: scope.agentId,
  sessionKey: formatSessionKey(scope),
  rule,
});
