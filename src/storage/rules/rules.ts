/** Standing rules of the owner, stored outside of all conversations. */

/** Without `match` and `deed` the tools may not run at all; with them, not with such arguments, and not to do that. */
export interface RuleDenial {
  /** Names, aliases and groups of tools, and `effect:write` for every tool that writes. */
  tools: string[];
  /** A call whose arguments hold one of these, upper and lower case alike, is refused. */
  match?: string[];
  /** Only calls that do this are refused. */
  deed?: "delete";
}

/** What a rule forbids at the gate. */
export interface RuleEnforcement extends RuleDenial {
  /** Its other prohibitions, if there are several. */
  also?: RuleDenial[];
}

export interface StandingRule {
  /** Small numbers that rise and are never given twice. */
  id: number;
  text: string;
  /** Null: only a reminder for the model. */
  enforcement: RuleEnforcement | null;
  /** Null: for every agent. */
  agentId: string | null;
  /** Who set it: `cli:owner`, `telegram:42`. */
  setBy: string;
  createdAt: string;
}

export interface RuleStore {
  /** On the disk once it has resolved. The same words for the same agent again answer the rule that is there. */
  add(
    rule: Pick<StandingRule, "text" | "enforcement" | "agentId" | "setBy">,
  ): Promise<{ rule: StandingRule; added: boolean }>;
  /** By id. Those of an agent, where one is named, are those for every agent and its own. */
  list(query?: { agentId?: string }): Promise<StandingRule[]>;
  /** The rule that was removed; an audit record of it remains. Undefined when there was none. */
  remove(id: number, actor: string): Promise<StandingRule | undefined>;
  /** Rises with every change; for those who keep what they made of the rules. */
  version(): Promise<number>;
}
