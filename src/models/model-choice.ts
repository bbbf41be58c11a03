import type { Config } from "../config/schema.ts";

/** What the config says for one agent. */
export interface ModelChoice {
  primary: string | undefined;
  fallbacks: string[];
}

/** Fallbacks that an agent does not name are those of all agents. */
export function modelChoiceOf({ defaults, list }: Config["agents"], agentId: string): ModelChoice {
  const own = list.find(({ id }) => id === agentId)?.model;
  const { primary, fallbacks } =
    typeof own === "string" ? { primary: own, fallbacks: undefined } : (own ?? {});
  return {
    primary: primary ?? defaults.model.primary,
    fallbacks: [...(fallbacks ?? defaults.model.fallbacks)],
  };
}
