/**
 * Decides whether something may happen: allow, ask or deny, with the deciding rule. Called before a tool is shown and
 * before it runs; nothing else decides. Deny wins, then ask, unless the owner has already granted it.
 */
import type { CallDescription, Tool, ToolVisibility } from "@pincer/sdk";
import type { SimpleCommand } from "../sandbox/shell/command-reading.ts";
import type { Decision, DecidingRule } from "./decision.ts";
import type { CallFacts, Finding } from "./provenance/facts.ts";
import type { Provenance } from "./provenance/provenance.ts";
import { protectedIn } from "./protected-paths.ts";
import { plain, standsAt } from "./provenance/words.ts";
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
  needsApproval?: string | undefined;
  description?: CallDescription | undefined;
  /** Whether it goes to the conversation that the turn answers. */
  isOwnConversation?: boolean | undefined;
}

/** Without provenance nothing is known about the origin of the arguments, and it causes no question. Pure. */
export function decide(
  subject: PolicySubject,
  action: "show" | "run",
  object: PolicyObject,
  provenance?: Provenance,
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
  if (!access.allowed) return { verdict: "deny", reason: access.reason, rule: access.rule };
  if (tool.isVisible && !(place && tool.isVisible(place))) return notHere(tool);
  if (action === "show" || subject.isOwnersCall)
    return { verdict: "allow", reason: access.reason, rule: access.rule };

  const found = provenance ? findingsOf(object, provenance) : [];
  const [first] = found;
  if (first?.verdict === "deny") return fromFinding(first, "deny");
  // Other people's turns must not bother the owner with ideas of strangers.
  if (first && place?.userRoles.includes("owner") !== true) return fromFinding(first, "deny");
  const asks = [askingRule(object, access), ...found.map((each) => fromFinding(each, "ask"))].filter(
    (each) => each !== undefined,
  );
  // A grant covers only what it was given for; other reasons to ask remain.
  const open = asks.filter((asked) => grantFor(subject, object, asked) === undefined);
  const [worst, ...others] = [...open].sort((a, b) => weight(b) - weight(a));
  // The question names every reason against the call.
  if (worst) return { ...worst, reason: [worst, ...others].map(({ reason }) => reason).join("; ") };
  const [asked] = asks;
  const grant = asked && grantFor(subject, object, asked);
  return grant
    ? { verdict: "allow", reason: `granted (${grant.id})`, rule: { layer: "grant", source: grant.id } }
    : { verdict: "allow", reason: access.reason, rule: access.rule };
}

/** The worst reason leads, so that a yes to one thing does not cover a worse one. */
const weight = ({ rule }: Decision): number =>
  rule.layer === "secret" ? 2 : rule.layer === "provenance" ? 1 : 0;

const notHere = ({ name }: Tool): Decision => ({
  verdict: "deny",
  reason: "not here or not for this person",
  rule: { layer: "visibility", source: name },
});

function askingRule(
  { needsApproval, tool }: PolicyObject,
  access: { asks?: true; reason: string; rule: DecidingRule },
): Decision | undefined {
  if (access.asks) return { verdict: "ask", reason: access.reason, rule: access.rule };
  if (needsApproval === undefined) return undefined;
  return { verdict: "ask", reason: needsApproval, rule: { layer: "tool", source: tool.name } };
}

const fromFinding = ({ check, reason, cause }: Finding, verdict: "ask" | "deny"): Decision => ({
  verdict,
  reason,
  rule: { layer: check === "secret" ? "secret" : "provenance", source: check },
  ...(cause && { cause }),
});

function findingsOf(object: PolicyObject, provenance: Provenance): Finding[] {
  const facts = callFacts(object);
  const steering = judgeProtected(object, facts, provenance);
  return [...(steering ? [steering] : []), ...provenance.judge(facts)].sort(
    (a, b) => Number(b.verdict === "deny") - Number(a.verdict === "deny"),
  );
}

export function callFacts({ tool, input, description, isOwnConversation }: PolicyObject): CallFacts {
  return {
    tool: tool.name,
    effect: tool.effectOf?.(input) ?? tool.effect,
    controls: tool.controls,
    leaves: tool.leaves,
    arguments: typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {},
    recipient: description?.recipient,
    isOwnConversation,
    askedBy: tool.askedBy,
    looksAt: tool.resultOrigin,
  };
}

const changes =
  /\b(?:write|add|put|change|edit|update|append|note|save|remove|delete|replace|fix|set|record|rename|create|make)\b|写|改|加|记|删|存|更新/iu;

/** A mention of the file is not a request to change it. */
const asksToChange = (words: string, path: string): boolean =>
  (words.match(/(?:[^.!?;。！？；\n]|\.(?=\w))+[.!?;。！？；\n]?/gu) ?? []).some(
    (sentence) =>
      standsAt(sentence, path) >= 0 &&
      changes.test(sentence) &&
      !/[?？]\s*$|\b(?:never|not|don['’]?t)\b|不要|别/u.test(sentence),
  );

const lasting =
  /\bfrom now on\b|\balways\b|\bpermanent(?:ly)?\b|\bin future\b|\bremember\b|以后|今后|从现在|永远|记住/iu;

/** Files that steer the assistant change only if the owner asks for it. */
function judgeProtected(
  { tool }: PolicyObject,
  { arguments: given }: CallFacts,
  provenance: Provenance,
): Finding | undefined {
  if (tool.effect !== "write" || !provenance.isTainted()) return undefined;
  const [path] = protectedIn(tool.name, given);
  if (path === undefined) return undefined;
  const said = plain(provenance.task().join("\n"));
  // The spelling matters: the last part of a path alone may name something else.
  const name = plain(path.replace(/^\.\//u, ""));
  if (provenance.task().some((words) => asksToChange(plain(words), name))) return undefined;
  const { newText, content, text, patch } = given;
  const written = [newText, content, text, patch].find((each) => typeof each === "string");
  // "From now on …": then the text must be in the owner's own words.
  if (lasting.test(said) && typeof written === "string" && provenance.of(written).trusted) return undefined;
  return {
    verdict: "ask",
    check: "protected",
    reason: `${path} steers the assistant itself, and strangers' texts were read before`,
    cause: { argument: "path", value: path, from: "nowhere", sentence: "" },
  };
}

/** What a yes would cover under the wider scopes. Pure. */
export function grantKeys(
  { tool, description }: Pick<PolicyObject, "tool" | "description">,
  { rule }: Pick<Decision, "rule">,
): { task?: string; recipient?: string; shape?: string } {
  const about = rule.layer === "provenance" || rule.layer === "secret" ? rule.source : rule.layer;
  const isSecret = rule.layer === "secret";
  const kind = description?.recipient ?? (isAboutToolOnly(rule) ? (description?.shape ?? "") : "");
  // A yes to one command does not cover other commands.
  const isWhole = rule.layer === "mode" && description?.command === undefined;
  const isTellable = kind !== "" || rule.layer === "secret" || isWhole;
  // The shape of a command says nothing about its recipient.
  const isAboutTool = isAboutToolOnly(rule);
  return {
    ...(isTellable && { task: `${tool.name} ${about} ${kind}`.trim() }),
    ...(description?.recipient !== undefined &&
      !isSecret && { recipient: `${tool.name} to ${description.recipient}` }),
    ...(description?.shape !== undefined && isAboutTool && { shape: `${tool.name} ${description.shape}` }),
  };
}

const isAboutToolOnly = ({ layer }: DecidingRule): boolean => layer === "tool" || layer === "mode";

function grantFor(
  { grants, place }: PolicySubject,
  object: PolicyObject,
  asked: Decision,
): { id: string } | undefined {
  // The owner's grants apply to the owner's own work only.
  if (!grants || place?.userRoles.includes("owner") !== true) return undefined;
  const { task, recipient, shape } = grantKeys(object, asked);
  return [task, recipient, shape]
    .map((key) => (key === undefined ? undefined : grants.get(key)))
    .find(Boolean);
}
