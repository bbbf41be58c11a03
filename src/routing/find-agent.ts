/** Which agent answers: the most specific binding that matches, else the default agent. */
import type { InboundMessage, Peer } from "@pincer/sdk";
import type { Config } from "../config/schema.ts";

export type Binding = Config["bindings"][number];

export interface AgentFacts {
  bindings: readonly Binding[];
  defaultAgentId: string;
  /** Ids of the configured agents; the default one is always among the known. */
  agentIds: readonly string[];
}

/** What a config says about it. */
export const agentFacts = (config: Config, defaultAgentId: string): AgentFacts => ({
  bindings: config.bindings,
  defaultAgentId,
  agentIds: config.agents.list.map((agent) => agent.id),
});

export interface AgentChoice {
  agentId: string;
  /** What decided: `binding.peer` … `binding.channel`, `default`; `… unknown-agent` when it named an agent that is not there. */
  rule: string;
}

/** From the most specific to the least. */
const tiers = ["peer", "parent-peer", "guild", "team", "account", "channel"] as const;
type Tier = (typeof tiers)[number];

/** Never throws. Of equally specific bindings the one with more conditions wins, then the first. */
export function findAgent(message: InboundMessage, facts: AgentFacts): AgentChoice {
  const [best] = facts.bindings
    .map((binding) => ({ binding, tier: tierOf(binding.match, message) }))
    .filter((found): found is { binding: Binding; tier: Tier } => found.tier !== undefined)
    .sort(
      (one, other) =>
        tiers.indexOf(one.tier) - tiers.indexOf(other.tier) ||
        conditions(other.binding.match) - conditions(one.binding.match),
    );
  if (!best) return { agentId: facts.defaultAgentId, rule: "default" };

  const { agentId } = best.binding;
  const rule = `binding.${best.tier}`;
  const isKnown = agentId === facts.defaultAgentId || facts.agentIds.includes(agentId);
  return isKnown ? { agentId, rule } : { agentId: facts.defaultAgentId, rule: `${rule} unknown-agent` };
}

/** Undefined when one condition does not hold. A rule for a group or room also holds for the threads below it, one step weaker. */
function tierOf(match: Binding["match"], message: InboundMessage): Tier | undefined {
  if (!isAny(match.channel) && match.channel !== message.channel) return undefined;
  if (!isAny(match.accountId) && match.accountId !== message.accountId) return undefined;
  if (match.guildId !== undefined && match.guildId !== message.guildId) return undefined;
  if (match.teamId !== undefined && match.teamId !== message.teamId) return undefined;
  if (match.parentPeer && match.parentPeer.id !== message.parentPeerId) return undefined;
  if (match.peer) {
    const kind = kinds[match.peer.kind];
    if (kind === message.peer.kind && match.peer.id === message.peer.id) return "peer";
    return kind !== "user" && match.peer.id === message.parentPeerId ? "parent-peer" : undefined;
  }
  if (match.parentPeer) return "parent-peer";
  if (match.guildId !== undefined) return "guild";
  if (match.teamId !== undefined) return "team";
  return isAny(match.accountId) ? "channel" : "account";
}

const isAny = (text: string | undefined): boolean => text === undefined || text === "*";

const conditions = (match: Binding["match"]): number =>
  Object.values(match).filter((value) => value !== undefined && value !== "*").length;

/** The words that people write for the three kinds of peer. */
const kinds: Record<NonNullable<Binding["match"]["peer"]>["kind"], Peer["kind"]> = {
  user: "user",
  direct: "user",
  dm: "user",
  group: "group",
  room: "room",
  channel: "room",
};
