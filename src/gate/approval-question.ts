/** Describes a call: for the person who is asked about it, and for the comparison before it runs. */
import { createHash } from "node:crypto";
import {
  fieldsText,
  type CallDescription,
  type Tool,
  type ToolCallBlock,
  type ToolCallContext,
  type ToolVisibility,
} from "@pincer/sdk";
import { grantKeys, recipientKey, type PolicyObject } from "../policy/decide.ts";
import type { Decision } from "../policy/decision.ts";
import { fieldsOf } from "./approvals/call-fields.ts";
import type { ApprovalQuestion } from "./call-round.ts";

/** Where a call would run, as far as its tool may know. */
interface CallSite {
  place: ToolVisibility | undefined;
  conversation: ToolCallContext["conversation"] | undefined;
}

export const callOf = ({
  place,
  conversation,
}: CallSite): Pick<ToolCallContext, "place" | "conversation"> => ({
  ...(place && { place }),
  ...(conversation && { conversation }),
});

/** A tool without a description of its own is described by all of its arguments. */
export async function describeCall(tool: Tool, input: unknown, site: CallSite): Promise<CallDescription> {
  const described = await tool.describe?.(input, callOf(site));
  return (
    described ?? {
      shown: fieldsText(fieldsOf(tool, input)),
      exact: JSON.stringify([tool.name, input]),
    }
  );
}

/** The question about a call: what exactly it would do, why we ask, and how far a yes may reach. Pure. */
export function approvalQuestion(
  block: ToolCallBlock,
  object: PolicyObject & { description: CallDescription },
  decision: Decision,
): ApprovalQuestion {
  const { tool, description } = object;
  const { shown, command, exact, recipient } = description;
  // Where the card asks to whom as well, a yes may last for whom: what may be told is asked again.
  const whom = decision.reasons.some(({ code }) => code === "other-recipient" || code === "other-host");
  const keys = { ...(whom && recipientKey(object)), ...grantKeys(object, decision) };
  return {
    callId: block.id,
    subject: {
      tool: tool.name,
      call: { name: block.name, arguments: block.arguments },
      shown,
      fields: fieldsOf(tool, object.input ?? block.arguments),
      ...(recipient !== undefined && { recipient }),
      ...(command && { command }),
      digest: createHash("sha256")
        .update(JSON.stringify([tool.name, block.arguments, exact]))
        .digest("hex"),
    },
    reason: decision.reason,
    reasons: decision.reasons,
    rule: `${decision.rule.layer}: ${decision.rule.source}`,
    cause: decision.cause,
    scopes: [
      "once",
      ...(keys.task ? ["task" as const] : []),
      ...(keys.while ? ["while" as const] : []),
      ...(keys.recipient ? ["recipient" as const] : []),
      ...(keys.shape ? ["shape" as const] : []),
    ],
    keys,
  };
}
