import type { StandingRule } from "../../storage/rules/rules.ts";
import { gateReason } from "../../infra/gate-reasons.ts";
import type { ToolRule } from "../tool-access.ts";

/** The owner's rules as the gate enforces them; reminders have no effect there. */
export const standingRules = (rules: readonly StandingRule[]): ToolRule[] =>
  rules.flatMap(({ id, text, enforcement }): ToolRule[] =>
    (enforcement ? [enforcement, ...(enforcement.also ?? [])] : []).map(({ tools, match = [], deed }) => ({
      type: "standing",
      source: `standing rule ${id}: ${text}`,
      names: tools,
      match,
      ...(deed && { deed }),
      why: gateReason("standing-rule", { rule: String(id), text }),
    })),
  );
