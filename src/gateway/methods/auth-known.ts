/**
 * Which providers and agents credentials can be for: an unknown name is probably a typo, and reported before anything
 * is stored or asked.
 */
import { nearestName } from "../../config/check-config.ts";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";

/** Throws `config/not-found`. `more` are agents that are known although the config does not list them. */
export function requireKnownAgent(
  agentId: string | null | undefined,
  {
    agents,
    defaultAgentId,
    more = [],
  }: { agents: Config["agents"]; defaultAgentId: string; more?: string[] },
): void {
  const known = [...new Set([defaultAgentId, ...agents.list.map(({ id }) => id), ...more])];
  if (agentId === null || agentId === undefined || known.includes(agentId)) return;
  throw failure(
    "config/not-found",
    "failure.no-agent",
    { agentId, known: known.join(", ") },
    { hint: "failure.no-agent.hint" },
  );
}

/** Throws `model/not-found`, with the one that was probably meant. */
export function requireKnownProvider(provider: string, known: string[]): void {
  if (known.includes(provider)) return;
  const nearest = nearestName(provider, known);
  throw failure(
    "model/not-found",
    "models.unknown-provider",
    { provider, nearest: nearest ?? "" },
    { hint: nearest === undefined ? "auth.unknown-provider.hint" : "auth.unknown-provider.nearest" },
  );
}
