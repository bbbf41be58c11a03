/** Weighs one call: collects what is known about it, and asks the policy. Nothing runs, and nobody is asked. */
import {
  recipientOf,
  toolFailure,
  type CallDescription,
  type Tool,
  type ToolCallBlock,
  type ToolCallContext,
  type ToolResult,
  type ToolVisibility,
} from "@pincer/sdk";
import { decide, type PolicyObject, type PolicySubject } from "../policy/decide.ts";
import type { Decision } from "../policy/decision.ts";
import type { Finding } from "../policy/finding.ts";
import { explainSteps, type PolicyStep } from "../policy/explain-steps.ts";
import { saidByTool } from "../infra/gate-reasons.ts";
import type { ToolRule } from "../policy/tool-access.ts";
import { groupsOf } from "../policy/tool-groups.ts";
import { commandsOfCall } from "../sandbox/shell/commands-of-call.ts";
import type { PreparedCall, ToolExecutor } from "../tools/tool-executor.ts";
import type { ToolSet } from "../tools/tool-set.ts";
import { callOf, describeCall } from "./approval-question.ts";
import type { CallFacts } from "./call-facts.ts";
import type { Judged } from "./judge-call.ts";
import type { CallApprovals } from "./call-approvals.ts";

/** What of the place of a call counts when it is weighed. */
export interface WeighingPlace {
  conversation?: ToolCallContext["conversation"] | undefined;
  /** Where and for whom tools are shown. If left out, only tools that are shown everywhere. */
  visibility?: ToolVisibility | undefined;
  /** The working directory; rules about paths then match relative names as well. */
  workdir?: string | undefined;
  /**
   * The owner's standing rules, read again before each call and used instead of those passed in: a rule that changes
   * during a turn counts at once. If it throws, nothing runs.
   */
  rulesNow?: (() => Promise<readonly ToolRule[]>) | undefined;
  /**
   * What speaks against a call, by what the owner asked for and what was read. Left out: a person makes the call. If
   * it throws, the call does not run.
   */
  judge?:
    | ((call: ToolCallBlock, facts: CallFacts, recipients: ResolveRecipient) => Promise<Judged>)
    | undefined;
  /** Counts what the addresses of a call that may run tell their hosts. Left out: nothing is counted. */
  pay?: ((call: ToolCallBlock, facts: CallFacts) => Promise<Finding | undefined>) | undefined;
  /** Left out if nobody can be asked: calls that need approval are then refused. */
  approvals?: CallApprovals | undefined;
}

/** Whom a call of a tool would reach, as the tool resolves it; undefined if it does not say. Never throws. */
export type ResolveRecipient = (call: Pick<CallFacts, "tool" | "arguments">) => Promise<string | undefined>;

/** A tool without a call; asks whether the tool is shown at all. */
export type NamedTool = Pick<ToolCallBlock, "name">;

export type ExplainedCall =
  | { type: "explained"; decision: Decision; steps: PolicyStep[] }
  /** No such tool, or the arguments do not fit it. */
  | { type: "failed"; result: ToolResult };

export type Weighed =
  | Extract<ExplainedCall, { type: "failed" }>
  | {
      type: "weighed";
      subject: PolicySubject;
      object: PolicyObject;
      decision: Decision;
      byHand: ToolCallContext["byHand"];
      judged?: Judged | undefined;
      facts: CallFacts | undefined;
    };

export interface Weighing {
  /** Throws what looking up rules, origins and grants throws. */
  weigh(block: ToolCallBlock, byHand: ToolCallContext["byHand"]): Promise<Weighed>;
  /** The policy's decision about a call, or about showing a tool, and why. Throws as `weigh` does. */
  explain(block: ToolCallBlock | NamedTool): Promise<ExplainedCall>;
}

export function createWeighing(
  { tools, executor }: { tools: ToolSet; executor: ToolExecutor },
  rules: readonly ToolRule[],
  where: WeighingPlace,
): Weighing {
  const { conversation, visibility: place, workdir, rulesNow, approvals } = where;

  return {
    weigh,
    async explain(block) {
      if (!("arguments" in block)) return explainShown(block);
      const weighed = await weigh(block, undefined);
      if (weighed.type === "failed") return weighed;
      const { subject, object, decision, judged } = weighed;
      return { type: "explained", decision, steps: explainSteps(subject, object, judged?.findings) };
    },
  };

  /** Collects what is known about a call and asks the policy. Nothing runs, and nobody is asked. */
  async function weigh(block: ToolCallBlock, byHand: ToolCallContext["byHand"]): Promise<Weighed> {
    // Invalid arguments pass unchanged; the executor reports what is wrong with them.
    const request = { name: block.name, arguments: block.invalidArguments ?? block.arguments };
    const tool = tools.find(block.name);
    const prepared = await executor.prepare(request);
    if (!tool) return { type: "failed", result: failureOf(prepared) };
    const isOwnersCall = byHand !== undefined && place?.userRoles.includes("owner") === true;
    const subject: PolicySubject = { ...(await subjectNow()), isOwnersCall };
    const commands = await commandsRuled(tool, subject.rules, block);
    const called = { tool, arguments: block.arguments, workdir, commands };
    const first = decide(subject, "run", called);
    if (first.verdict === "deny")
      return { type: "weighed", subject, object: called, decision: first, byHand, facts: undefined };
    if ("failed" in prepared) return { type: "failed", result: prepared.failed };
    const { input } = prepared;
    const hand = { place, conversation };
    // If a tool cannot say what the call would do, its error is the result.
    const reasons = isOwnersCall ? undefined : await approvalReasons(tool, input, hand).catch(failedBy);
    if (reasons && "ok" in reasons) return { type: "failed", result: reasons };
    const needsApproval = reasons;
    const judge = isOwnersCall ? undefined : where.judge;
    const isDescribed = needsApproval !== undefined || first.verdict === "ask" || (judge && reaches(tool));
    const described = isDescribed ? await describeCall(tool, input, hand).catch(failedBy) : undefined;
    if (described && "ok" in described) return { type: "failed", result: described };
    const description = described;
    const isOwnConversation = goesToOwnConversation(tool, input, description);
    const known: PolicyObject = { ...called, input, needsApproval, description, isOwnConversation };
    const facts = callFacts(known);
    const judged = await judge?.(block, facts, recipientBy(hand));
    const isAsked = isDescribed || (judged !== undefined && judged.findings.length > 0);
    // A call that cannot be made is not asked about.
    const shown =
      isAsked && !isDescribed ? await describeCall(tool, input, hand).catch(failedBy) : description;
    if (shown && "ok" in shown) return { type: "failed", result: shown };
    const below = judged?.shownBelow;
    const object: PolicyObject = {
      ...known,
      description: shown && below ? { ...shown, shown: `${shown.shown}\n\n${below}` } : shown,
    };
    const granted = { ...subject, grants: isAsked ? await approvals?.grants() : undefined };
    const decision = decide(granted, "run", object, judged?.findings);
    return { type: "weighed", subject: granted, object, decision, byHand, judged, facts };
  }

  function recipientBy(hand: Parameters<typeof describeCall>[2]): ResolveRecipient {
    return async ({ tool: name, arguments: given }) => {
      const tool = tools.find(name);
      const prepared = await executor.prepare({ name, arguments: given });
      if (!tool || "failed" in prepared) return undefined;
      const described = await describeCall(tool, prepared.input, hand).catch(failedBy);
      return "ok" in described ? undefined : described.recipient;
    };
  }

  async function explainShown({ name }: NamedTool): Promise<ExplainedCall> {
    const tool = tools.find(name);
    if (!tool) return { type: "failed", result: failureOf(await executor.prepare({ name, arguments: {} })) };
    const subject = await subjectNow();
    const decision = decide(subject, "show", { tool });
    return { type: "explained", decision, steps: explainSteps(subject, { tool }) };
  }

  async function subjectNow(): Promise<PolicySubject> {
    const standing = await rulesNow?.();
    return {
      place,
      rules: standing ? [...rules.filter(({ type }) => type !== "standing"), ...standing] : rules,
    };
  }

  function goesToOwnConversation(
    tool: Tool,
    input: unknown,
    description: CallDescription | undefined,
  ): boolean | undefined {
    const recipients = Object.entries(tool.controls).filter(([, kind]) => kind === "recipient");
    if (recipients.length === 0) return undefined;
    const values = input as Record<string, unknown>;
    const isNobodyNamed = recipients.every(([argument]) => values[argument] === undefined);
    // A call without any recipient, such as a calendar entry without guests, reaches nobody.
    if (isNobodyNamed && description?.recipient === undefined) return undefined;
    if (!conversation || description?.recipient === undefined) return false;
    return description.recipient === recipientOf(conversation);
  }
}

/** Whether the tool must say whom a call reaches before it can be judged. */
const reaches = ({ controls, leaves }: Tool): boolean =>
  leaves.length > 0 || Object.values(controls).some((kind) => kind !== "path" && kind !== "program");

const callFacts = ({ tool, input, description, isOwnConversation }: PolicyObject): CallFacts => ({
  tool: tool.name,
  effect: tool.effectOf?.(input) ?? tool.effect,
  controls: tool.controls,
  leaves: tool.leaves,
  arguments: typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {},
  recipient: description?.recipient,
  isOwnConversation,
  looksAt: tool.resultOrigin,
  changes: tool.changes?.(input),
});

async function approvalReasons(tool: Tool, input: unknown, hand: Parameters<typeof callOf>[0]) {
  const said = await tool.needsApproval?.(input, callOf(hand));
  return said === undefined ? undefined : saidByTool(said);
}

const failedBy = (error: unknown): ToolResult =>
  toolFailure("execution_error", error instanceof Error ? error.message : String(error));

const failureOf = (prepared: PreparedCall): ToolResult =>
  "failed" in prepared ? prepared.failed : toolFailure("tool_not_found", "there is no such tool");

const runsPrograms = ({ name }: Tool): boolean => groupsOf(name).includes("group:runtime");

/** Parsing the command is expensive, so it happens only if a standing rule exists. */
async function commandsRuled(tool: Tool, rules: readonly ToolRule[], block: ToolCallBlock) {
  const isRuled = runsPrograms(tool) && rules.some(({ type }) => type === "standing");
  return isRuled ? commandsOfCall(block.arguments) : undefined;
}
