import { formatSessionKey, normaliseAgentId, parseSessionKey, type SessionEntryBody } from "@pincer/sdk";
import type { Say } from "../../infra/texts.ts";
import { isSafeSessionId } from "./safe-session-id.ts";

/** Why a session cannot be taken in from a transcript with this header; undefined when it can. */
export function headerFlaw(header: SessionEntryBody, tenantId: string, say: Say): string | undefined {
  if (!isSafeSessionId(header.id)) return say("transcript.flaw.session-id");
  if (normaliseAgentId(header.agentId) !== header.agentId) return say("transcript.flaw.agent-id");
  if (header.tenantId !== tenantId) return say("transcript.flaw.tenant");
  const parsed = parseSessionKey(header.sessionKey, header);
  if (!parsed.ok || formatSessionKey(parsed.scope) !== header.sessionKey) return say("transcript.flaw.key");
  if (parsed.scope.agentId !== header.agentId) return say("transcript.flaw.key-agent");
  return undefined;
}
