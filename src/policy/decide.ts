/**
 * Decides whether something may happen: allow, ask or deny, with the deciding rule. Called before a tool is shown and
 * before it runs; nothing else decides. Deny wins, then ask, unless the owner has already granted it.
 */
import type { CallDescription, GateReason, Tool, ToolVisibility } from "@pincer/sdk";
import type { SimpleCommand } from "../sandbox/shell/command-reading.ts";
import { decisionOf, type Decision, type DecidingRule } from "./decision.ts";
import { gateReason } from "../infra/gate-reasons.ts";
import type { Finding } from "./finding.ts";
import { decideToolAccess, type ToolRule } from "./tool-access.ts";
import { namesOf, pathsTouched } from "./tool-groups.ts";

/** Who asks, where, and which rules apply there. */
export interface PolicySubject {
  /** Unknown: tools that are shown only in some places are not shown. */
  place: ToolVisibility | undefined;
  rules: readonly ToolRule[];
  /** Existing grants of the owner, by key. */
  grants?: ReadonlyMap<string, { id: string }> | undefined;
  /** True if the owner wrote this call by hand. */
  isOwnersCall?: boolean | undefined;
}

export interface PolicyObject {
  tool: Tool;
  /** As the model wrote them. */
  arguments?: unknown;
  /** As the tool would receive them. */
  input?: unknown;
  workdir?: string | undefined;
  /** The shell commands in the arguments. */
  commands?: readonly SimpleCommand[] | undefined;
  /** Why the tool itself asks for approval. */
  needsApproval?: readonly GateReason[] | undefined;
  description?: CallDescription | undefined;
  /** Whether it goes to the conversation that the turn answers. */
  isOwnConversation?: boolean | undefined;
}

/** `findings`: what the gate has against the call itself. Pure. */
export function decide(
  subject: PolicySubject,
  action: "show" | "run",
  object: PolicyObject,
  findings: readonly Finding[] = [],
): Decision {
  const { place, rules } = subject;
  const { tool } = object;
  const touches = pathsTouched(tool.name, object.arguments);
  const question = {
    place,
    workdir: object.workdir,
    arguments: object.arguments,
    commands: object.commands,
    touches,
  };
  const access = decideToolAccess(namesOf(tool), rules, question);
  if (!access.allowed) return decisionOf("deny", access.rule, access.reasons);
  if (tool.isVisible && !(place && tool.isVisible(place))) return notHere(tool);
  if (action === "show" || subject.isOwnersCall) return decisionOf("allow", access.rule, access.reasons);

  const isOwners = place?.userRoles.includes("owner") === true;
  // A tool that asks by itself shows all that it would do: that nobody asked for it is no second question.
  const isAsked = ({ check }: Finding) => object.needsApproval !== undefined && check === "grant";
  const found = findings
    .filter((each) => !isAsked(each))
    .sort((a, b) => Number(b.verdict === "deny") - Number(a.verdict === "deny"));
  const [first] = found;
  if (first?.verdict === "deny") return fromFinding(first, "deny");
  // Other people's turns must not bother the owner with ideas of strangers.
  if (first && !isOwners) return fromFinding(first, "deny");
  const asks = [askingRule(object, access), ...found.map((each) => fromFinding(each, "ask"))].filter(
    (each) => each !== undefined,
  );
  // A grant covers only what it was given for; other reasons to ask remain.
  const open = asks.filter((asked) => grantFor(subject, object, asked) === undefined);
  const [worst, ...others] = [...open].sort((a, b) => weight(b) - weight(a));
  // The question names every reason against the call.
  if (worst) {
    const cause = worst.cause ?? others.find((each) => each.cause)?.cause;
    const reasons = [worst, ...others].flatMap((each) => each.reasons);
    return decisionOf(worst.verdict, worst.rule, reasons, cause);
  }
  const [asked] = asks;
  const grant = asked && grantFor(subject, object, asked);
  if (!grant) return decisionOf("allow", access.rule, access.reasons);
  const { id: source } = grant;
  return decisionOf("allow", { layer: "grant", source }, [gateReason("granted", { source })]);
}

/** The worst reason leads, so that a yes to one thing does not cover a worse one. */
const weight = ({ rule }: Decision): number => {
  if (rule.layer === "secret") return 3;
  if (rule.layer !== "provenance") return 0;
  return rule.source === sourcesCheck ? 2 : 1;
};

/** The name of the check for private things that a call may tell. */
const sourcesCheck = "sources";

const notHere = ({ name: source }: Tool): Decision =>
  decisionOf("deny", { layer: "visibility", source }, [gateReason("not-here")]);

function askingRule(
  { needsApproval, tool }: PolicyObject,
  access: { asks?: true; reasons: readonly GateReason[]; rule: DecidingRule },
): Decision | undefined {
  if (access.asks) return decisionOf("ask", access.rule, access.reasons);
  return needsApproval && decisionOf("ask", { layer: "tool", source: tool.name }, needsApproval);
}

const fromFinding = ({ check, code, values, cause }: Finding, verdict: "ask" | "deny"): Decision =>
  decisionOf(
    verdict,
    { layer: check === "secret" ? "secret" : "provenance", source: check },
    [{ code, values: { ...values } }],
    cause,
  );

/**
 * A yes for a recipient says whom, and nothing else: which private things may be told, who reads along, which addresses
 * are read, with which values, what of a paste is meant, and which changes go out unseen is asked each time.
 */
const settledEachTime: ReadonlySet<string> = new Set([
  sourcesCheck,
  "audience",
  "address",
  "value",
  "paste",
  "unseen",
]);

/** What a yes would cover under the wider scopes. Pure. */
export function grantKeys(
  { tool, description }: Pick<PolicyObject, "tool" | "description">,
  { rule }: Pick<Decision, "rule">,
): { task?: string; while?: string; recipient?: string; shape?: string } {
  const about = rule.layer === "provenance" || rule.layer === "secret" ? rule.source : rule.layer;
  const kind = description?.recipient ?? (isAboutToolOnly(rule) ? (description?.shape ?? "") : "");
  // A yes to one command does not cover other commands.
  const isWhole = rule.layer === "mode" && description?.command === undefined;
  const isTellable = kind !== "" || rule.layer === "secret" || isWhole;
  // The shape of a command says nothing about its recipient.
  const isAboutTool = isAboutToolOnly(rule);
  const isAboutRecipient = rule.layer !== "secret" && !settledEachTime.has(about);
  const task = isTellable ? `${tool.name} ${about} ${kind}`.trim() : undefined;
  return {
    ...(task !== undefined && { task }),
    // A secret may leave in this task at most.
    ...(task !== undefined && rule.layer !== "secret" && { while: task }),
    ...(isAboutRecipient && recipientKey({ tool, description })),
    ...(description?.shape !== undefined && isAboutTool && { shape: `${tool.name} ${description.shape}` }),
  };
}

/** A yes to whom a tool reaches. Pure. */
export const recipientKey = ({
  tool,
  description,
}: Pick<PolicyObject, "tool" | "description">): { recipient?: string } =>
  description?.recipient === undefined ? {} : { recipient: `${tool.name} to ${description.recipient}` };

const isAboutToolOnly = ({ layer }: DecidingRule): boolean => layer === "tool" || layer === "mode";

function grantFor(
  { grants, place }: PolicySubject,
  object: PolicyObject,
  asked: Decision,
): { id: string } | undefined {
  // The owner's grants apply to the owner's own work only.
  if (!grants || place?.userRoles.includes("owner") !== true) return undefined;
  const { task, while: timed, recipient, shape } = grantKeys(object, asked);
  // A yes to telling somebody private things is one to writing to them.
  const telling =
    asked.rule.layer === "provenance"
      ? grantKeys(object, { rule: { layer: "provenance", source: sourcesCheck } }).task
      : undefined;
  return [task, timed, telling, recipient, shape]
    .map((key) => (key === undefined ? undefined : grants.get(key)))
    .find(Boolean);
}
