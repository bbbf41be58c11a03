/** Resolves what people write to a session. */
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import { routeMessage, type Route, type RouteRequest } from "../../routing/route-message.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";

export interface FindSessionParts {
  openedHome: Pick<OpenHome, "stores" | "tenantId" | "workspaceId" | "defaultAgentId">;
  config(): Config;
}

/** By id, or by key in any spelling (then the active one); left out, the main session. Throws `session/not-found`, `session/bad-key`. */
export async function findSession(
  idOrKey: string | undefined,
  parts: FindSessionParts,
): Promise<SessionRecord> {
  const { stores, workspaceId } = parts.openedHome;
  const byId = idOrKey === undefined ? undefined : await stores.sessions.get(idOrKey);
  if (byId) return byId;
  const { sessionKey, scope } = routeOf(idOrKey === undefined ? {} : { sessionKey: idOrKey }, parts);
  const byKey = await stores.sessions.findActive(workspaceId, sessionKey);
  if (byKey) return byKey;
  // The main session begins with the first message: nobody has to look for it elsewhere.
  throw scope.conversation.type === "main" ? nothingSaid(sessionKey) : noSession(idOrKey ?? sessionKey);
}

/** Throws `session/bad-key`, `usage/not-found`. */
export function routeOf(request: RouteRequest, { openedHome, config }: FindSessionParts): Route {
  const { tenantId, workspaceId, defaultAgentId } = openedHome;
  const agentIds = config().agents.list.map((agent) => agent.id);
  return routeMessage(request, { tenantId, workspaceId, defaultAgentId, agentIds });
}

const nothingSaid = (sessionKey: string) =>
  failure("session/not-found", "failure.nothing-said", { sessionKey }, { hint: "failure.nothing-said.hint" });

const noSession = (id: string) =>
  failure("session/not-found", "failure.no-session", { id }, { hint: "failure.no-session.hint" });
