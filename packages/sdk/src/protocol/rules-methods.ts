/** The standing rules of the owner. */
import { Type, type TObject } from "typebox";
import { change, name, ofAgent, read, type Method } from "./method.ts";

export const rulesMethods = {
  /** By id; those of an agent are those for every agent and its own. */
  "rules.list": read(ofAgent),
  /** `deny` and `match` stand instead of what the words say; with `remind` nothing is enforced. The same words again are the rule that is there. */
  "rules.add": change({
    text: Type.String({ maxLength: 10_000 }),
    ...ofAgent,
    deny: Type.Optional(Type.Array(name, { maxItems: 100 })),
    match: Type.Optional(Type.Array(name, { maxItems: 100 })),
    remind: Type.Optional(Type.Boolean()),
  }),
  "rules.remove": change({ id: Type.Integer({ minimum: 1 }) }),
} as const satisfies Record<string, Method<TObject>>;

/** Without `match` the tools may not run at all; with it, not with such arguments. */
export interface RuleDenialView {
  tools: string[];
  match?: string[];
}

/** A standing rule of the owner. */
export interface RuleView {
  id: number;
  text: string;
  /** Null: a reminder. `also` is there where the rule speaks of several things. */
  enforcement: (RuleDenialView & { also?: RuleDenialView[] }) | null;
  /** Null: for every agent. */
  agentId: string | null;
  setBy: string;
  createdAt: string;
}

export interface RulesResults {
  "rules.list": { rules: RuleView[] };
  "rules.add": { rule: RuleView; added: boolean };
  "rules.remove": { removed: RuleView };
}
