/**
 * Which tools a run may see and use. Asked twice, before a tool is shown to the model and before it runs,
 * and answered by the same function; deny wins, and every answer has a reason.
 */
export interface ToolAccessRules {
  /** Off: no tools at all in this run. */
  enabled: boolean;
  /** Names this run is limited to; empty = no limit. */
  runAllow: readonly string[];
  /** From config; empty = no limit. */
  allow: readonly string[];
  /** From config; wins over everything. */
  deny: readonly string[];
}

export type ToolAccess = { allowed: true; reason: string } | { allowed: false; reason: string };

/** `names` are the tool's name and its aliases: a rule may use any of them. */
export function decideToolAccess(names: readonly string[], rules: ToolAccessRules): ToolAccess {
  const listed = (list: readonly string[]) => names.some((name) => list.includes(name));
  if (!rules.enabled) return { allowed: false, reason: "tools are switched off for this run" };
  if (listed(rules.deny)) return { allowed: false, reason: "denied by tools.deny" };
  if (rules.allow.length > 0 && !listed(rules.allow)) return { allowed: false, reason: "not in tools.allow" };
  if (rules.runAllow.length > 0 && !listed(rules.runAllow)) {
    return { allowed: false, reason: "not in this run's --tool-allow" };
  }
  return {
    allowed: true,
    reason: rules.runAllow.length > 0 ? "in this run's --tool-allow" : "allowed by default",
  };
}
