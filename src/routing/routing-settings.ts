/** What the config says about routing. */
import type { Config } from "../config/schema.ts";
import { agentFacts } from "./find-agent.ts";
import type { RoutingSettings } from "./find-place.ts";

const usualDebounceMs = 300;

export const routingSettings = (
  config: Config,
  defaultAgentId: string,
  /** The folder is made when a turn begins: commands work without it. */
  { workdirPathOf }: { workdirPathOf(agentId: string): string },
): RoutingSettings => ({
  ...agentFacts(config, defaultAgentId),
  ...config.session,
  queueMode: config.queue.mode,
  queueCap: config.queue.cap,
  debounceMs: config.queue.debounceMs ?? usualDebounceMs,
  commandPrefixes: config.commands.prefixes,
  shellPassthrough: config.commands.shellPassthrough,
  workdirOf: workdirPathOf,
});
