/** The tools of one turn, judged by what it was told and shown: how a turn's gate is put together. */
import type { ToolRule } from "../policy/tool-access.ts";
import type { ToolExecutor } from "../tools/tool-executor.ts";
import type { ToolSet } from "../tools/tool-set.ts";
import { describeCall } from "./approval-question.ts";
import { gateTools, type CallPlace, type GatedTools } from "./gated-tools.ts";
import { scoutTool } from "./leaving/judge-address.ts";
import type { OpenTurn, TurnGate, TurnJudge } from "./turn-gate.ts";

export interface GateTurnParts {
  gate: Pick<TurnGate, "open">;
  bound: { tools: ToolSet; executor: ToolExecutor };
  rules: readonly ToolRule[];
  /** Left out where no turn runs, or is looked at: then nothing is judged by its words. */
  turn?: Omit<OpenTurn, "tools" | "shownTools" | "hasScout" | "recipientOf"> | undefined;
  place: Omit<CallPlace, keyof TurnJudge>;
}

export interface GatedTurn {
  gated: GatedTools;
  judged: Partial<TurnJudge>;
}

/** What the turn is shown may be told later: its parts are asked for at each call. */
export function gateTurn({ gate, bound, rules, turn, place }: GateTurnParts): GatedTurn {
  const judged: Partial<TurnJudge> = turn
    ? gate.open({
        ...turn,
        tools: bound.tools,
        shownTools: () =>
          gated.standings().flatMap(({ tool, decision }) => (decision.verdict === "deny" ? [] : [tool])),
        hasScout: () => hasScout,
        async recipientOf(call) {
          const tool = bound.tools.find(call.tool);
          const hand = { place: place.visibility, conversation: place.conversation };
          return tool?.describe && (await describeCall(tool, call.arguments, hand)).recipient;
        },
      })
    : {};
  const gated = gateTools(bound, rules, { ...judged, ...place });
  const hasScout = gated.descriptions.some(({ name }) => name === scoutTool);
  return { gated, judged };
}
