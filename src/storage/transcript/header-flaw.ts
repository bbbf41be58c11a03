import { formatSessionKey, normaliseAgentId, parseSessionKey, type SessionEntryBody } from "@pincer/sdk";
import { isSafeSessionId } from "./safe-session-id.ts";

/** Why a session cannot be taken in from a transcript with this header; undefined when it can. */
export function headerFlaw(header: SessionEntryBody, tenantId: string): string | undefined {
  if (!isSafeSessionId(header.id)) return "its session id cannot name a file";
  if (normaliseAgentId(header.agentId) !== header.agentId) return "its agent id is not one";
  if (header.tenantId !== tenantId) return "it belongs to another tenant";
  const parsed = parseSessionKey(header.sessionKey, header);
  if (!parsed.ok || formatSessionKey(parsed.scope) !== header.sessionKey) return "its session key is not one";
  if (parsed.scope.agentId !== header.agentId) return "its session key names another agent";
  return undefined;
}
