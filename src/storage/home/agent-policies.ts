import type { Config } from "../../config/schema.ts";
import { defaultAgentOf } from "../../config/default-agent.ts";
import type { AgentPolicy } from "../stores.ts";

/** The agents of a config as they are written down: those that it lists, and the default one. */
export function agentPolicies({ agents }: Pick<Config, "agents">): AgentPolicy[] {
  const ids = new Set([defaultAgentOf({ agents }), ...agents.list.map(({ id }) => id)]);
  return Array.from(ids, (id) => {
    const agent = agents.list.find((each) => each.id === id);
    const own = typeof agent?.model === "string" ? { primary: agent.model } : agent?.model;
    return {
      id,
      name: agent?.name ?? id,
      modelPolicy: { ...agents.defaults.model, ...own },
      toolPolicy: { ...agent?.tools },
    };
  });
}
