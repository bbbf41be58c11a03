import type { StandingRule } from "../../storage/rules/rules.ts";
import type { ToolRule } from "../tool-access.ts";

/** What the owner's rules mean at the gate; a reminder means nothing there. */
export const standingRules = (rules: readonly StandingRule[]): ToolRule[] =>
  rules.flatMap(({ id, text, enforcement }): ToolRule[] =>
    (enforcement ? [enforcement, ...(enforcement.also ?? [])] : []).map(({ tools, match = [] }) => ({
      type: "standing",
      source: `standing rule ${id}: ${text}`,
      names: tools,
      match,
    })),
  );
