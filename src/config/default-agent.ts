import type { Config } from "./schema.ts";

/** The agent that answers where nothing names another. */
export const defaultAgentOf = ({ agents }: Pick<Config, "agents">): string =>
  agents.list.find((agent) => agent.default)?.id ?? "main";
