/** The text form of which credential is meant: `/anthropic-main` holds for every agent, `main/anthropic-main` for one. */
import type { CredentialKey } from "./credentials.ts";

/** An agent's id has no slash, so whatever a name holds, the first one ends the agent. */
export const formatCredentialKey = ({ agentId, id }: CredentialKey): string => `${agentId ?? ""}/${id}`;

export function parseCredentialKey(text: string): CredentialKey {
  const slash = text.indexOf("/");
  return { agentId: text.slice(0, slash) || null, id: text.slice(slash + 1) };
}
