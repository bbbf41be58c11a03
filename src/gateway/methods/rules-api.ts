/** The owner's standing rules. */
import { understandRule } from "../../policy/rules/understand-rule.ts";
import type { RuleDenial } from "../../storage/rules/rules.ts";
import type { Config } from "../../config/schema.ts";
import type { Rulebook } from "../../policy/rules/rulebook.ts";
import { requireKnownAgent } from "./auth-known.ts";
import { actorOf, type Api } from "./api.ts";

export interface RulesApiParts {
  rulebook: Rulebook;
  config(): Config;
  defaultAgentId: string;
}

export function createRulesApi({ rulebook, config, defaultAgentId }: RulesApiParts): Api<"rules"> {
  return {
    async list({ agentId }) {
      return { rules: await rulebook.list(agentId === undefined ? {} : { agentId }) };
    },
    async add({ text, agentId, deny, match, remind }, until) {
      requireKnownAgent(agentId, { agents: config().agents, defaultAgentId });
      return rulebook.add({ text, agentId: agentId ?? null, deny, match, remind, setBy: actorOf(until) });
    },
    async remove({ id }, until) {
      return { removed: await rulebook.remove(id, actorOf(until)) };
    },
  };
}

/** Whole tools that the words forbid without naming them: more than somebody may have meant. */
export function toolsTakenAway(text: string): RuleDenial[] {
  const understood = understandRule(text);
  const denials = understood ? [understood, ...(understood.also ?? [])] : [];
  return denials.filter(
    ({ tools, match, deed }) => !match && !deed && tools.some((name) => !text.toLowerCase().includes(name)),
  );
}
