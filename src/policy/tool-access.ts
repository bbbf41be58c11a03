/**
 * Which tools a run may see and use. Asked twice, before a tool is shown to the model and before it runs,
 * and answered by the same function; deny wins, and every answer has a reason.
 */
import type { GateReason, ToolVisibility } from "@pincer/sdk";
import type { SimpleCommand } from "../sandbox/shell/command-reading.ts";
import type { DecidingRule } from "./decision.ts";
import { gateReason } from "../infra/gate-reasons.ts";
import { createArgumentReader, type ArgumentReader } from "./rules/argument-match.ts";
import { deletes } from "./rules/deletes.ts";

export type ToolRule =
  /** No tools at all. */
  | { type: "off"; source: string; names: readonly string[]; why?: GateReason }
  /** None of these, whatever another rule allows. */
  | { type: "deny"; source: string; names: readonly string[] }
  /** Nothing but these; an empty list limits nothing. */
  | { type: "only"; source: string; names: readonly string[] }
  /** What the owner ruled: none of these, or with `match` none of these with such arguments, or with `deed` none of these to do that. */
  | {
      type: "standing";
      source: string;
      names: readonly string[];
      match: readonly string[];
      deed?: "delete";
      why?: GateReason;
    }
  /** What holds for these besides: freely, or only with the owner's yes. */
  | { type: "mode"; source: string; names: readonly string[]; mode: "allow" | "approval-required" }
  /** Nothing but what some list or mode of the config names. */
  | { type: "granted"; source: string; names: readonly string[] }
  /** These only where everything holds that is said here; an empty list says nothing. */
  | ({ type: "when"; source: string; names: readonly string[] } & ShownWhere);

interface ShownWhere {
  channels: readonly string[];
  /** `channel:id`, or the id alone. */
  chats: readonly string[];
  roles: readonly string[];
}

export interface ToolAccess {
  allowed: boolean;
  reasons: readonly GateReason[];
  rule: DecidingRule;
  /** The owner is asked before it runs. */
  asks?: true;
}

/** What is known besides the tool: where and for whom it would run, and of a call what it would run with. */
export interface ToolQuestion {
  /** Unknown: whatever is shown only in some places is not shown. */
  place?: ToolVisibility | undefined;
  arguments?: unknown;
  /** Where relative paths begin. */
  workdir?: string | undefined;
  /** Paths that the call touches though its arguments do not say so. */
  touches?: readonly string[] | undefined;
  /** What a shell would make of the call, where it is a command. */
  commands?: readonly SimpleCommand[] | undefined;
}

/** `names` are all that a rule may call the tool by: its name, its aliases, its groups and its effect. */
export function decideToolAccess(
  names: readonly string[],
  rules: readonly ToolRule[],
  question: ToolQuestion = {},
): ToolAccess {
  const found = findRules(names, rules, question);
  const { limits, modes } = found;
  if (found.off) return deny("switch", found.off);
  if (found.standing) return deny("standing", found.standing);
  if (found.denial) return deny("deny", found.denial);
  if (found.limit) {
    const { source } = found.limit;
    return deny(source.startsWith("--") ? "run" : "agent", found.limit, gateReason("not-in", { source }));
  }
  if (found.elsewhere) {
    const { source } = found.elsewhere;
    return deny("visibility", found.elsewhere, gateReason("not-here-by", { source }));
  }
  const isGranted = limits.length > 0 || modes.length > 0;
  if (found.granting && !isGranted) {
    const { source } = found.granting;
    return deny("edition", found.granting, gateReason("not-granted", { source }));
  }
  const asking = modes.find(wantsApproval);
  if (asking) {
    const { source } = asking;
    const reasons = [gateReason("needs-yes", { source })];
    return { allowed: true, reasons, rule: { layer: "mode", source }, asks: true };
  }
  const source = limits[0]?.source ?? modes[0]?.source;
  if (source === undefined) return byDefault;
  const within = limits.map((rule) => gateReason("in", { source: rule.source }));
  const reasons = within.length > 0 ? within : [gateReason("allowed-by", { source })];
  return { allowed: true, reasons, rule: { layer: "agent", source } };
}

const byDefault: ToolAccess = Object.freeze({
  allowed: true,
  reasons: [gateReason("by-default")],
  rule: Object.freeze({ layer: "edition", source: "edition" }),
});

const deny = (
  layer: DecidingRule["layer"],
  { source, why }: ToolRule & { why?: GateReason },
  reason: GateReason = why ?? gateReason("denied-by", { source }),
): ToolAccess => ({ allowed: false, reasons: [reason], rule: { layer, source } });

type RuleOf<Type extends ToolRule["type"]> = Extract<ToolRule, { type: Type }>;

const wantsApproval = ({ mode }: RuleOf<"mode">): boolean => mode === "approval-required";

/** Of each kind the first rule that speaks against the tool, and those that speak for it. */
interface FoundRules {
  off: RuleOf<"off"> | undefined;
  standing: RuleOf<"standing"> | undefined;
  denial: ToolRule | undefined;
  /** A list that does not have it. */
  limit: ToolRule | undefined;
  elsewhere: ToolRule | undefined;
  granting: ToolRule | undefined;
  /** All lists, whether they have it or not. */
  limits: readonly ToolRule[];
  modes: ReadonlyArray<RuleOf<"mode">>;
}

const none: readonly never[] = [];

/** Goes through the rules once: every tool is asked about with every turn. */
function findRules(names: readonly string[], rules: readonly ToolRule[], question: ToolQuestion): FoundRules {
  const found: FoundRules = {
    off: rules.find(isOff),
    standing: undefined,
    denial: undefined,
    limit: undefined,
    elsewhere: undefined,
    granting: undefined,
    limits: none,
    modes: none,
  };
  // Nothing else matters then, and what a call is made with need not be read.
  if (found.off) return found;
  const reader = readerOf(names, question);
  for (const rule of rules) {
    const isListed = lists(rule, names);
    switch (rule.type) {
      case "off":
        break;
      case "standing":
        if (isListed && !found.standing && forbids(rule, reader)) found.standing = rule;
        break;
      case "deny":
        if (isListed) found.denial ??= rule;
        break;
      case "only":
        if (rule.names.length === 0) break;
        if (!isListed) found.limit ??= rule;
        found.limits = [...found.limits, rule];
        break;
      case "when":
        if (isListed && !isShown(rule, question.place)) found.elsewhere ??= rule;
        break;
      case "mode":
        if (isListed) found.modes = [...found.modes, rule];
        break;
      case "granted":
        found.granting ??= rule;
        break;
    }
  }
  return found;
}

const isOff = (rule: ToolRule): rule is RuleOf<"off"> => rule.type === "off";

function lists({ names: listed }: ToolRule, names: readonly string[]): boolean {
  for (const name of names) if (listed.includes(name)) return true;
  return false;
}

/** Before there is a call, nothing is known that a rule about arguments could meet: the tool is shown. */
const forbids = ({ match, deed }: RuleOf<"standing">, call: ReadCall | undefined): boolean =>
  (match.length === 0 || call?.holds(match) === true) && (deed === undefined || call?.deletes() === true);

type ReadCall = ArgumentReader & { deletes(): boolean };

/** One for all rules: what a call is made with may be long. */
function readerOf(names: readonly string[], question: ToolQuestion): ReadCall | undefined {
  if (question.arguments === undefined) return undefined;
  const facts = {
    arguments: question.arguments,
    workdir: question.workdir,
    touches: question.touches,
    commands: question.commands,
    isProgram: names.includes("group:runtime"),
  };
  return { ...createArgumentReader(facts), deletes: () => deletes({ ...facts, names }) };
}

function isShown({ channels, chats, roles }: ShownWhere, place: ToolVisibility | undefined): boolean {
  if (channels.length + chats.length + roles.length === 0) return true;
  if (!place) return false;
  const { channel, chatId, userRoles } = place;
  const isChannel = channel !== undefined && channels.includes(channel);
  const isChat = chatId !== undefined && (chats.includes(chatId) || chats.includes(`${channel}:${chatId}`));
  return (
    (channels.length === 0 || isChannel) &&
    (chats.length === 0 || isChat) &&
    (roles.length === 0 || roles.some((role) => userRoles.includes(role)))
  );
}
