/** What would be done, in words for whoever is asked about it and as it is compared before it runs. */
import { createHash } from "node:crypto";
import type { CallDescription, Tool, ToolCallBlock, ToolCallContext, ToolVisibility } from "@pincer/sdk";
import { grantKeys, type PolicyObject } from "../policy/decide.ts";
import type { Decision } from "../policy/decision.ts";
import type { AskedCall } from "./owners-word.ts";

/** Where a call would run, as its tool is told it. */
interface Hand {
  place: ToolVisibility | undefined;
  conversation: ToolCallContext["conversation"] | undefined;
}

export const callOf = ({ place, conversation }: Hand): Pick<ToolCallContext, "place" | "conversation"> => ({
  ...(place && { place }),
  ...(conversation && { conversation }),
});

/** What a tool says nothing about is all of its arguments. */
export async function describeCall(tool: Tool, input: unknown, hand: Hand): Promise<CallDescription> {
  const own = await tool.describe?.(input, callOf(hand));
  return own ?? { shown: JSON.stringify(input, null, 2), exact: JSON.stringify([tool.name, input]) };
}

/** The question about a call: what exactly would be done, why it is asked, and how far a yes may reach. Pure. */
export function askedCall(
  block: ToolCallBlock,
  object: PolicyObject & { description: CallDescription },
  decision: Decision,
): AskedCall {
  const { tool, description } = object;
  const { shown, command, exact } = description;
  const keys = grantKeys(object, decision);
  return {
    callId: block.id,
    subject: {
      tool: tool.name,
      call: { name: block.name, arguments: block.arguments },
      shown,
      ...(command && { command }),
      digest: createHash("sha256")
        .update(JSON.stringify([tool.name, block.arguments, exact]))
        .digest("hex"),
    },
    reason: decision.reason,
    rule: `${decision.rule.layer}: ${decision.rule.source}`,
    cause: decision.cause,
    scopes: [
      "once",
      ...(keys.task ? ["task" as const] : []),
      ...(keys.recipient ? ["recipient" as const] : []),
      ...(keys.shape ? ["shape" as const] : []),
    ],
    keys,
  };
}
