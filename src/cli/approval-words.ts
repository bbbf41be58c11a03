/** The text of a request for approval. It must be recognisable as such, whatever its content imitates. */
import {
  approvalScopes,
  originWords,
  type ApprovalScope,
  type ApprovalView,
  type GrantedTurnView,
} from "@pincer/sdk";
import { formatDuration } from "../infra/format-amounts.ts";
import { reasonTexts, sayGranted, sayReasons } from "../infra/gate-reasons.ts";
import type { Say } from "../infra/texts.ts";
import { keyWords } from "./key-words.ts";

const mostOthers = 3;

/** What is asked together: of a card with several each has its number there. */
export type ShownCard = readonly [ApprovalView, ...ApprovalView[]];

/** Everything a person has to know before answering. */
export function approvalWords(
  card: ShownCard,
  { say, now, others = [] }: { say: Say; now: number; others?: readonly ApprovalView[] },
): string {
  const [first] = card;
  const { personId, sessionKey, turnId } = first;
  const waiting = card.find(({ state }) => state === "pending");
  const state = approvalState(waiting ?? first, say, now);
  const isJoint = first.card !== undefined && card.length > 1;
  const asks = isJoint
    ? say("approvals.asks-many", { count: card.length })
    : say("approvals.asks", { tool: visible(first.tool) });
  return [
    `${isJoint ? idOf(first) : first.id} · ${asks} · ${state}`,
    ...card.flatMap((approval) => [
      ...(isJoint ? [`${numberOf(approval)}. ${visible(approval.tool)} (${approval.id})`] : []),
      ...quoted(approval.shown),
      ...factLines(factsOf(approval, say)),
    ]),
    ...factLines([
      [
        say("approvals.label.for"),
        [say("approvals.for", { person: visible(personId), session: visible(sessionKey), turnId })],
      ],
      [say("approvals.label.scopes"), waiting ? [scopeWords(card, say)] : []],
    ]),
    ...(others.length === 0 ? [] : [say("approvals.also-waits", { waiting: otherWords(others, say) })]),
  ].join("\n");
}

type Fact = readonly [label: string, values: readonly string[]];

const factLines = (facts: readonly Fact[]): string[] =>
  facts.flatMap(([label, values]) => values.map((value) => `  ${label}: ${value}`));

function factsOf(approval: ApprovalView, say: Say): Fact[] {
  const { command, rule, cause } = approval;
  const environment = Object.entries(command?.environment ?? {}).map(([name, value]) => `${name}=${value}`);
  const wall = command?.wall === "" ? say("approvals.wall.none") : command?.wall;
  return [
    [say("approvals.label.directory"), command ? [visible(command.directory)] : []],
    [say("approvals.label.environment"), environment.map(visible)],
    [say("approvals.label.programs"), (command?.programs ?? []).map(visible)],
    [say("approvals.label.wall"), wall === undefined ? [] : [visible(wall)]],
    [say("approvals.label.reason"), [reasonLine(approval, say)]],
    [say("approvals.label.rule"), [visible(rule)]],
    [say("approvals.label.cause"), cause ? [causeWords(cause, say)] : []],
  ];
}

/** The id by which all that is asked together is answered. */
export const idOf = ({ id, card }: ApprovalView): string => card?.id ?? id;

const numberOf = ({ card }: ApprovalView): number => card?.number ?? 1;

/** `waits, 23 h left`; `approved, by cli:owner`. */
export function approvalState({ state, expiresAt, answeredBy }: ApprovalView, say: Say, now: number): string {
  const told = say(`approvals.state.${state}`);
  if (state !== "pending")
    return answeredBy === null ? told : `${told}, ${say("approvals.by", { by: answeredBy })}`;
  const leftMs = Date.parse(expiresAt) - now;
  const left = leftMs > 0 ? say("approvals.left", { left: roundly(leftMs) }) : say("approvals.no-time-left");
  return `${told}, ${left}`;
}

/** What an answer came to. */
export function answeredWords(answered: readonly ApprovalView[], say: Say): string {
  const [yes, no] = [answered.filter(isYes), answered.filter((each) => !isYes(each))];
  const ids = (of: readonly ApprovalView[]) => of.map(({ id }) => id).join(", ");
  const [first] = yes;
  if (!first) return say("approvals.denied", { id: ids(no) });
  if (no.length > 0) return say("approvals.chosen", { yes: ids(yes), no: ids(no) });
  const reached = first.scope ?? "once";
  return say(`approvals.approved.${reached}`, { id: ids(yes), key: keyOf(first.keys, reached, say) });
}

const isYes = ({ state }: ApprovalView): boolean => state === "approved" || state === "spent";

/** What a yes may be given for, each with the letter that gives it. Several have in common what all of them offer. */
export function scopeChoices(
  card: readonly Pick<ApprovalView, "scopes" | "keys">[],
  say: Say,
): Array<{ letter: string; scope: ApprovalScope; words: string }> {
  const [first, ...rest] = card;
  if (!first) return [];
  const choice = (scope: ApprovalScope, words: string) => ({ letter: letters[scope], scope, words });
  if (rest.length > 0)
    return jointScopes
      .filter((scope) => card.every(({ scopes }) => scopes.includes(scope)))
      .map((scope) => choice(scope, say(`approvals.key.all.${scope}`)));
  return approvalScopes
    .filter((scope) => first.scopes.includes(scope))
    .map((scope) => choice(scope, say(`approvals.key.${scope}`, { key: keyOf(first.keys, scope, say) })));
}

/** What is always allowed from now on is decided one by one. */
const jointScopes = ["once", "task", "while"] as const;

const letters: Record<ApprovalScope, string> = {
  once: "y",
  task: "t",
  while: "w",
  recipient: "r",
  shape: "s",
};

/** Characters that are not seen, or that turn the order of others around, are shown by their number: nothing may hide in a request. */
const visible = (text: string): string =>
  text.replace(
    hidden,
    (sign) => `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );

const hidden = /(?!\t)[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0\u{E0000}-\u{E0FFF}]/gu;

/** Behind a mark on each line: a text of several lines cannot look like ours. */
export const quoted = (text: string): string[] =>
  text.split(/\r\n|[\n\r]/).map((line) => `  │ ${visible(line)}`);

/** What anybody may have written, within a sentence of ours: it cannot end the quotation, and no terminal opens it. */
export const marked = (text: string): string =>
  `“${visible(text)
    .replaceAll("“", "<U+201C>")
    .replaceAll("”", "<U+201D>")
    .replaceAll(/\bhttp(?=s?:\/\/)/giu, "hxxp")}”`;

export function causeWords(
  { argument, value, from, sentence }: NonNullable<ApprovalView["cause"]>,
  say: Say,
): string {
  const key =
    from === "" ? "approvals.cause.alone" : sentence === "" ? "approvals.cause" : "approvals.cause.sentence";
  return say(key, {
    argument: visible(argument),
    value: marked(value),
    from: originWords(from, reasonTexts(say, marked)),
    sentence: marked(sentence),
  });
}

/** What was granted in a turn, for lines of the terminal. */
export const grantedLines = (turn: GrantedTurnView, say: Say): string[] => sayGranted(turn, say, marked);

/** Why the gate decided so, for a line of the terminal. */
export const reasonLine = (of: Pick<ApprovalView, "reason" | "reasons">, say: Say): string =>
  sayReasons(of, say, marked);

function scopeWords(card: ShownCard, say: Say): string {
  const [{ keys }] = card;
  return scopeChoices(card, say)
    .map(({ scope }) =>
      scope === "once" || card.length > 1 || !keys[scope]
        ? scope
        : `${scope} (${visible(keyWords(keys[scope], say))})`,
    )
    .join(", ");
}

function keyOf(keys: ApprovalView["keys"], scope: ApprovalScope, say: Say): string {
  const key = scope === "once" ? undefined : keys[scope];
  return key === undefined ? "-" : visible(keyWords(key, say));
}

function otherWords(others: readonly ApprovalView[], say: Say): string {
  const cards = [...Map.groupBy(others, idOf)];
  const rest = cards.length - mostOthers;
  const named = cards
    .slice(0, mostOthers)
    .map(([id, of]) => `${id} (${of.map(({ tool }) => visible(tool)).join(", ")})`);
  return [...named, ...(rest > 0 ? [say("approvals.more", { count: rest })] : [])].join(", ");
}

/** Whole seconds, minutes or hours, so that it does not pretend to know better. */
const roundly = (milliseconds: number): string => {
  const unit = milliseconds >= 7_200_000 ? 3_600_000 : milliseconds >= 120_000 ? 60_000 : 1000;
  return formatDuration(Math.ceil(milliseconds / unit) * unit);
};
