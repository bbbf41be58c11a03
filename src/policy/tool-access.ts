/**
 * Which tools a run may see and use. Asked twice, before a tool is shown to the model and before it runs,
 * and answered by the same function; deny wins, and every answer has a reason.
 */
export type ToolRule =
  /** No tools at all; `source` says why. */
  | { type: "off"; source: string; names: readonly string[] }
  /** None of these, whatever another rule allows. */
  | { type: "deny"; source: string; names: readonly string[] }
  /** Nothing but these; an empty list limits nothing. */
  | { type: "only"; source: string; names: readonly string[] };

export type ToolAccess = { allowed: true; reason: string } | { allowed: false; reason: string };

/** `names` are all that a rule may call the tool by: its name, its aliases and its groups. */
export function decideToolAccess(names: readonly string[], rules: readonly ToolRule[]): ToolAccess {
  const listed = (rule: ToolRule) => names.some((name) => rule.names.includes(name));
  const off = rules.find((rule) => rule.type === "off");
  if (off) return { allowed: false, reason: off.source };
  const limits = rules.filter((rule) => rule.type === "only" && rule.names.length > 0);
  const denial = rules.find((rule) => rule.type === "deny" && listed(rule));
  if (denial) return { allowed: false, reason: `denied by ${denial.source}` };
  const limit = limits.find((rule) => !listed(rule));
  if (limit) return { allowed: false, reason: `not in ${limit.source}` };
  const reason = limits.map((rule) => `in ${rule.source}`).join(", ");
  return { allowed: true, reason: reason || "allowed by default" };
}
