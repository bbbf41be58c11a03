/** The text of a request for approval. It must be recognisable as such, whatever its content imitates. */
import type { ApprovalScope, ApprovalView } from "@pincer/sdk";
import { formatDuration } from "../infra/format-amounts.ts";
import type { Say } from "../infra/texts.ts";
import { keyWords } from "./key-words.ts";

const mostOthers = 3;

/** Everything a person has to know before answering. */
export function approvalWords(
  approval: ApprovalView,
  { say, now, others = [] }: { say: Say; now: number; others?: readonly ApprovalView[] },
): string {
  const { id, tool, command, reason, rule, cause, personId, sessionKey, turnId } = approval;
  const environment = Object.entries(command?.environment ?? {}).map(([name, value]) => `${name}=${value}`);
  const state = approvalState(approval, say, now);
  const facts: Array<readonly [label: string, values: readonly string[]]> = [
    [say("approvals.label.directory"), command ? [command.directory] : []],
    [say("approvals.label.environment"), environment],
    [say("approvals.label.programs"), command?.programs ?? []],
    [say("approvals.label.wall"), command ? [command.wall] : []],
    [say("approvals.label.reason"), [reason]],
    [say("approvals.label.rule"), [rule]],
    [say("approvals.label.cause"), cause ? [causeWords(cause, say)] : []],
    [say("approvals.label.for"), [say("approvals.for", { person: personId, session: sessionKey, turnId })]],
    [say("approvals.label.scopes"), approval.state === "pending" ? [scopeWords(approval, say)] : []],
  ];
  return [
    `${id} · ${say("approvals.asks", { tool: visible(tool) })} · ${state}`,
    ...quoted(approval.shown),
    ...facts.flatMap(([label, values]) => values.map((value) => `  ${label}: ${visible(value)}`)),
    ...(others.length === 0 ? [] : [say("approvals.also-waits", { waiting: otherWords(others, say) })]),
  ].join("\n");
}

/** `waits, 23 h left`; `approved, by cli:owner`. */
export function approvalState({ state, expiresAt, answeredBy }: ApprovalView, say: Say, now: number): string {
  const told = say(`approvals.state.${state}`);
  if (state !== "pending")
    return answeredBy === null ? told : `${told}, ${say("approvals.by", { by: answeredBy })}`;
  const leftMs = Date.parse(expiresAt) - now;
  const left = leftMs > 0 ? say("approvals.left", { left: roundly(leftMs) }) : say("approvals.no-time-left");
  return `${told}, ${left}`;
}

/** What a yes came to. */
export function answeredWords({ id, state, scope, keys }: ApprovalView, say: Say): string {
  if (state === "denied") return say("approvals.denied", { id });
  const reached = scope ?? "once";
  return say(`approvals.approved.${reached}`, { id, key: keyOf(keys, reached, say) });
}

/** What a yes may be given for, each with the letter that gives it. */
export function scopeChoices(
  { scopes, keys }: Pick<ApprovalView, "scopes" | "keys">,
  say: Say,
): Array<{ letter: string; scope: ApprovalScope; words: string }> {
  const offered = (["once", "task", "recipient", "shape"] as const).filter((scope) => scopes.includes(scope));
  return offered.map((scope) => ({
    letter: letters[scope],
    scope,
    words: say(`approvals.key.${scope}`, { key: keyOf(keys, scope, say) }),
  }));
}

const letters: Record<ApprovalScope, string> = { once: "y", task: "t", recipient: "r", shape: "s" };

/** Characters that are not seen, or that turn the order of others around, are shown by their number: nothing may hide in a request. */
const visible = (text: string): string =>
  text.replace(
    hidden,
    (sign) => `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );

const hidden = /(?!\t)[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0\u{E0000}-\u{E0FFF}]/gu;

/** Behind a mark on each line: a text of several lines cannot look like ours. */
const quoted = (text: string): string[] => text.split(/\r\n|[\n\r]/).map((line) => `  │ ${visible(line)}`);

const causeWords = ({ argument, value, from, sentence }: NonNullable<ApprovalView["cause"]>, say: Say) =>
  say(sentence === "" ? "approvals.cause" : "approvals.cause.sentence", { argument, value, from, sentence });

const scopeWords = ({ scopes, keys }: ApprovalView, say: Say): string =>
  scopes
    .map((scope) => (scope === "once" || !keys[scope] ? scope : `${scope} (${keyWords(keys[scope], say)})`))
    .join(", ");

function keyOf(keys: ApprovalView["keys"], scope: ApprovalScope, say: Say): string {
  const key = scope === "once" ? undefined : keys[scope];
  return key === undefined ? "-" : visible(keyWords(key, say));
}

function otherWords(others: readonly ApprovalView[], say: Say): string {
  const rest = others.length - mostOthers;
  const named = others.slice(0, mostOthers).map(({ id, tool }) => `${id} (${tool})`);
  return [...named, ...(rest > 0 ? [say("approvals.more", { count: rest })] : [])].join(", ");
}

/** Whole seconds, minutes or hours, so that it does not pretend to know better. */
const roundly = (milliseconds: number): string => {
  const unit = milliseconds >= 7_200_000 ? 3_600_000 : milliseconds >= 120_000 ? 60_000 : 1000;
  return formatDuration(Math.ceil(milliseconds / unit) * unit);
};
