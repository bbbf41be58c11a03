/**
 * Which tools a run may see and use. Asked twice, before a tool is shown to the model and before it runs,
 * and answered by the same function; deny wins, and every answer has a reason.
 */
import type { ToolVisibility } from "@pincer/sdk";
import type { SimpleCommand } from "../sandbox/shell/command-reading.ts";
import type { DecidingRule } from "./decision.ts";
import { createArgumentReader, type ArgumentReader } from "./rules/argument-match.ts";

export type ToolRule =
  /** No tools at all; `source` says why. */
  | { type: "off"; source: string; names: readonly string[] }
  /** None of these, whatever another rule allows. */
  | { type: "deny"; source: string; names: readonly string[] }
  /** Nothing but these; an empty list limits nothing. */
  | { type: "only"; source: string; names: readonly string[] }
  /** What the owner ruled: none of these, or with `match` none of these with such arguments. */
  | { type: "standing"; source: string; names: readonly string[]; match: readonly string[] }
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
  reason: string;
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
  const reader = readerOf(names, question);
  const listed = (rule: ToolRule) => names.some((name) => rule.names.includes(name));
  const deny = (layer: DecidingRule["layer"], { source }: ToolRule, reason: string): ToolAccess => ({
    allowed: false,
    reason,
    rule: { layer, source },
  });
  const off = rules.find((rule) => rule.type === "off");
  if (off) return deny("switch", off, off.source);
  const limits = rules.filter((rule) => rule.type === "only" && rule.names.length > 0);
  const standing = rules.find((rule) => rule.type === "standing" && listed(rule) && forbids(rule, reader));
  if (standing) return deny("standing", standing, standing.source);
  const denial = rules.find((rule) => rule.type === "deny" && listed(rule));
  if (denial) return deny("deny", denial, `denied by ${denial.source}`);
  const limit = limits.find((rule) => !listed(rule));
  if (limit)
    return deny(limit.source.startsWith("this run") ? "run" : "agent", limit, `not in ${limit.source}`);
  const elsewhere = rules.find(
    (rule) => rule.type === "when" && listed(rule) && !isShown(rule, question.place),
  );
  if (elsewhere) return deny("visibility", elsewhere, `not here or not for this person: ${elsewhere.source}`);
  const modes = rules.filter((rule) => rule.type === "mode" && listed(rule));
  const granting = rules.find((rule) => rule.type === "granted");
  const isGranted = limits.length > 0 || modes.length > 0;
  if (granting && !isGranted)
    return deny("edition", granting, `no list of the config grants it (${granting.source})`);
  const asking = modes.find((rule) => rule.type === "mode" && rule.mode === "approval-required");
  if (asking) {
    const rule = { layer: "mode" as const, source: asking.source };
    return { allowed: true, reason: `needs the owner's yes (${asking.source})`, rule, asks: true };
  }
  const reason = limits.map((rule) => `in ${rule.source}`).join(", ");
  const source = limits[0]?.source ?? modes[0]?.source;
  return source === undefined
    ? { allowed: true, reason: "allowed by default", rule: { layer: "edition", source: "edition" } }
    : { allowed: true, reason: reason || `allowed by ${source}`, rule: { layer: "agent", source } };
}

/** Before there is a call, nothing is known that a rule about arguments could meet: the tool is shown. */
const forbids = ({ match }: { match: readonly string[] }, reader: ArgumentReader | undefined): boolean =>
  match.length === 0 || reader?.holds(match) === true;

/** One for all rules: what a call is made with may be long. */
function readerOf(names: readonly string[], question: ToolQuestion): ArgumentReader | undefined {
  if (question.arguments === undefined) return undefined;
  return createArgumentReader({
    arguments: question.arguments,
    workdir: question.workdir,
    touches: question.touches,
    commands: question.commands,
    isProgram: names.includes("group:runtime"),
  });
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
