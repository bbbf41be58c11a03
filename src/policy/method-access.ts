/**
 * What a method needs of its caller, as it is declared: a permission, and for those who are confined to some agents, that what the request
 * touches is theirs. What it touches is told by its parameters; a request that touches more than an agent is for those who have the whole
 * tenant.
 */
import { methods, type MethodName, type MethodScope, type PermissionPoint } from "@pincer/sdk";
import type { Caller } from "./caller.ts";

/** Whose agent a session or a run is; undefined where there is none. */
export interface ScopeLookups {
  agentOfSession(idOrKey: string): Promise<string | undefined>;
  agentOfRun(runId: string): Promise<string | undefined>;
}

/** Undefined: there is no such method, so nobody may ask it. `connect` needs none, and comes before anybody is known. */
export const permissionOf = (method: string): PermissionPoint | undefined =>
  Object.hasOwn(methods, method) ? (methods[method as MethodName].permission ?? undefined) : undefined;

/** Whether what the request touches is within what the caller reaches. */
export async function isWithinScope(
  caller: Pick<Caller, "scope">,
  method: MethodName,
  params: Record<string, unknown>,
  lookups: ScopeLookups,
): Promise<boolean> {
  const { scope } = caller;
  if (scope.type === "tenant") return true;
  // A gateway serves one space, and its doors let nobody in who is confined to others.
  if (scope.type === "workspace") return scope.workspaceIds.length > 0;
  const kind = methods[method].scope;
  if (kind === "free") return true;
  const agents = await agentsOf(kind, params, lookups);
  return agents.length > 0 && agents.every((agentId) => scope.agentIds.includes(agentId));
}

/** Everything that a request names counts; a name that leads nowhere is nobody's. */
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
  const sessionKey = named("sessionKey");
  if (sessionKey !== undefined) found.push(await lookups.agentOfSession(sessionKey));
  const runId = named("runId");
  if (runId !== undefined) found.push(await lookups.agentOfRun(runId));
  if (kind === "run" && runId === undefined) return [];
  return found.map((each) => each ?? "");
}
