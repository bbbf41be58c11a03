/** The standing rules of the owner. */
import { Type } from "typebox";
import { answer, method, name, ofAgent } from "./method.ts";

export const rulesMethods = {
  /** By id; for an agent, the rules for every agent and its own. */
  "rules.list": method({
    params: ofAgent,
    result: answer<{ rules: RuleView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "agent",
  }),
  /**
   * `deny` and `match` replace what the words say; with `remind` nothing is enforced. The same words again return the
   * existing rule.
   */
  "rules.add": method({
    params: {
      text: Type.String({ maxLength: 10_000 }),
      ...ofAgent,
      deny: Type.Optional(Type.Array(name, { maxItems: 100 })),
      match: Type.Optional(Type.Array(name, { maxItems: 100 })),
      remind: Type.Optional(Type.Boolean()),
    },
    result: answer<{ rule: RuleView; added: boolean }>(),
    effect: "change",
    permission: "rules.write",
    scope: "agent",
  }),
  "rules.remove": method({
    params: { id: Type.Integer({ minimum: 1 }) },
    result: answer<{ removed: RuleView }>(),
    effect: "change",
    permission: "rules.write",
    scope: "tenant",
  }),
};

/** Without `match` and `deed` the tools may not run at all; with them, not with such arguments, and not to do that. */
export interface RuleDenialView {
  tools: string[];
  match?: string[];
  deed?: "delete";
}

/** A standing rule of the owner. */
export interface RuleView {
  id: number;
  text: string;
  /** Null: a reminder. `also` is set if the rule is about several things. */
  enforcement: (RuleDenialView & { also?: RuleDenialView[] }) | null;
  /** Null: for every agent. */
  agentId: string | null;
  setBy: string;
  createdAt: string;
}
