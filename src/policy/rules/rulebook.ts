/** How the owner sets, lists and removes standing rules: at a terminal, through a gateway or in a chat. */
import { failure } from "../../infra/failure.ts";
import type { RuleEnforcement, RuleStore, StandingRule } from "../../storage/rules/rules.ts";
import { isReservedName } from "../tool-groups.ts";
import { isMatchable } from "./argument-match.ts";
import { understandRule } from "./understand-rule.ts";

export interface RuleRequest {
  text: string;
  /** Null: for every agent. */
  agentId: string | null;
  setBy: string;
  /** Tools and groups to deny, instead of those that the words imply. */
  deny?: readonly string[] | undefined;
  /** What the arguments of a call must not contain, instead of what the words imply. */
  match?: readonly string[] | undefined;
  /** Makes it a reminder only, whatever the words say. */
  remind?: boolean | undefined;
}

export interface Rulebook {
  /**
   * On disk when it resolves. The same words again return the existing rule. Throws `usage/empty-input`,
   * `usage/bad-argument` and `tool/not-found`.
   */
  add(request: RuleRequest): Promise<{ rule: StandingRule; added: boolean }>;
  /** By id. */
  list(query?: { agentId?: string }): Promise<StandingRule[]>;
  /** Throws `rule/not-found`. */
  remove(id: number, actor: string): Promise<StandingRule>;
}

/** Every rule is part of every prompt. */
const longestRule = 500;
const mostRules = 100;

export function createRulebook({
  rules,
  isToolName = () => false,
}: {
  rules: Pick<RuleStore, "add" | "list" | "remove">;
  /** Knows the names and aliases of tools besides the reserved ones. */
  isToolName?: (name: string) => boolean;
}): Rulebook {
  return {
    async add(request) {
      const text = plainWords(request.text);
      const enforcement = enforcementOf({ ...request, text }, isToolName);
      const { agentId, setBy } = request;
      const present = await rules.list();
      const isThere = present.some((rule) => rule.text === text && rule.agentId === agentId);
      if (!isThere && present.length >= mostRules)
        throw failure(
          "usage/bad-argument",
          "rules.too-many",
          { most: mostRules },
          { hint: "rules.too-many.hint" },
        );
      const outcome = await rules.add({ text, enforcement, agentId, setBy });
      if (!outcome.added && JSON.stringify(outcome.rule.enforcement) !== JSON.stringify(enforcement))
        throw failure(
          "usage/bad-argument",
          "rules.otherwise",
          { id: outcome.rule.id },
          { hint: "rules.otherwise.hint" },
        );
      return outcome;
    },
    list: (query) => rules.list(query),
    async remove(id, actor) {
      const removed = await rules.remove(id, actor);
      if (!removed) throw failure("rule/not-found", "rules.unknown", { id }, { hint: "rules.unknown.hint" });
      return removed;
    },
  };
}

/** One line, so that a rule cannot imitate other parts of the prompt. */
function plainWords(given: string): string {
  const text = given.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  if (text === "") throw failure("usage/empty-input", "rules.empty", {}, { hint: "rules.empty.hint" });
  const length = [...text].length;
  if (length > longestRule)
    throw failure("usage/bad-argument", "rules.too-long", { length, most: longestRule });
  return text;
}

function enforcementOf(
  { text, deny = [], match = [], remind = false }: RuleRequest,
  isToolName: (name: string) => boolean,
): RuleEnforcement | null {
  const isExplicit = deny.length > 0 || match.length > 0;
  if (remind && isExplicit) throw failure("usage/bad-argument", "rules.remind-or-deny");
  if (remind) return null;
  const understood = understandRule(text, isToolName);
  if (!isExplicit) return understood;
  for (const name of deny)
    if (!isReservedName(name) && !isToolName(name))
      throw failure("tool/not-found", "rules.no-tool", { name }, { hint: "failure.no-tool.hint" });
  for (const each of match)
    if (!isMatchable(each))
      throw failure(
        "usage/bad-argument",
        "rules.match-empty",
        { match: each.trim() },
        { hint: "rules.match-empty.hint" },
      );
  const said = understood && [understood, ...(understood.also ?? [])].flatMap((denial) => denial.tools);
  const tools = deny.length > 0 ? deny : said;
  if (!tools) throw failure("usage/bad-argument", "rules.match-what", {}, { hint: "rules.match-what.hint" });
  const wanted = match.map((each) => each.trim());
  return { tools: [...new Set(tools)], ...(wanted.length > 0 && { match: [...new Set(wanted)] }) };
}
