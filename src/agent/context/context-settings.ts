/** The config of an agent's context: the defaults overridden by the agent's own settings. */
import { machineZone } from "../../infra/local-time.ts";
import type { ContextOptions } from "../prompt/prompt.ts";
import { merge } from "../../config/config-layers.ts";
import type { Config } from "../../config/schema.ts";
import { timeZoneOf } from "../../config/time-zones.ts";

type Defaults = Config["agents"]["defaults"];

export interface ContextSettings {
  options: ContextOptions;
  timezone: string;
  compaction: Defaults["compaction"];
  pruning: { mode: Defaults["contextPruning"]["mode"]; ttlMs: number; keepLastAssistants: number };
  bootstrap: { maxChars: number; totalMaxChars: number };
  memory: Config["memory"];
  result: Config["tools"]["result"];
}

export function contextSettings(config: Config, agentId: string): ContextSettings {
  const { defaults, list } = config.agents;
  const agent = list.find((each) => each.id === agentId);
  const pruning = merge(defaults.contextPruning, agent?.contextPruning ?? {}) as Defaults["contextPruning"];
  return {
    options: merge(defaults.context, agent?.context ?? {}) as ContextOptions,
    timezone: knownZone(agent?.userTimezone ?? defaults.userTimezone),
    compaction: merge(defaults.compaction, agent?.compaction ?? {}) as Defaults["compaction"],
    pruning: {
      mode: pruning.mode,
      ttlMs: milliseconds(pruning.ttl),
      keepLastAssistants: pruning.keepLastAssistants,
    },
    bootstrap: {
      maxChars: agent?.bootstrapMaxChars ?? defaults.bootstrapMaxChars,
      totalMaxChars: agent?.bootstrapTotalMaxChars ?? defaults.bootstrapTotalMaxChars,
    },
    memory: config.memory,
    result: config.tools.result,
  };
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The schema lets nothing else through. */
function milliseconds(text: string): number {
  const [, amount = "5", unit = "m"] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? [];
  return Number(amount) * units[unit as keyof typeof units];
}

/** The machine's own zone if none is named, or an unknown one, which the config loader reports. */
const knownZone = (name: string | undefined): string =>
  (name === undefined ? undefined : timeZoneOf(name)) ?? machineZone();
