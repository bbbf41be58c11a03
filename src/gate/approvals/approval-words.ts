/**
 * A request to the owner as text with buttons. The text shows exactly what would be done: no part of it can hide or
 * imitate another. What anybody else may have written stands in a block or between marks of code, where networks follow
 * no address, run no command and render no markup.
 */
import { originWords, type ApprovalScope, type ApprovalView, type MessageAction } from "@pincer/sdk";
import { reasonTexts, sayReasons } from "../../infra/gate-reasons.ts";
import type { Say } from "../../infra/texts.ts";
import { visibleCommand } from "../../sandbox/shell/visible-command.ts";
import { quotedLine } from "./quoted-line.ts";

export interface ApprovalWords {
  text: string;
  actions: MessageAction[];
}

/** What is asked together, at least one; of a card with several each is named by its number there. */
export type ShownCard = readonly [ApprovalView, ...ApprovalView[]];

/** `others`: the other approvals that wait. */
export function sayCard(
  card: ShownCard,
  others: readonly ApprovalView[],
  say: Say,
  /** True if the request is shown outside the conversation that it belongs to. */
  isElsewhere = false,
): ApprovalWords {
  const [first] = card;
  const id = idOf(first);
  const isJoint = first.card !== undefined;
  const most = Math.floor(mostShown / card.length);
  const scopes = scopesOf(card);
  const lines = [
    isJoint
      ? say("approval.asks-many", { id, count: card.length })
      : say("approval.asks", { id, tool: first.tool }),
    ...card.flatMap((approval) => [
      ...(isJoint ? [say("approval.item", { number: numberOf(approval), tool: approval.tool })] : []),
      ...whatAndWhy(approval, say, most),
    ]),
    ...(isElsewhere
      ? [
          say("approval.whose", {
            person: quotedLine(first.personId),
            session: quotedLine(first.sessionKey),
          }),
        ]
      : []),
    ...(others.length > 0 ? [say("approval.others", { others: namesOf(others) })] : []),
    say(isJoint ? "approval.how-many" : "approval.how", {
      id,
      scopes: scopes.join("|"),
      number: numberOf(first),
      until: minuteOf(first.expiresAt),
    }),
  ];
  return { text: lines.join("\n"), actions: actionsOf(card, scopes, say) };
}

function whatAndWhy(approval: ApprovalView, say: Say, most: number): string[] {
  const { id, command, cause } = approval;
  return [
    fenced(shortened(visibleCommand(approval.shown), most, say, id)),
    ...(command
      ? [
          say("approval.directory", { directory: quotedLine(command.directory) }),
          ...named(
            say,
            "approval.environment",
            environmentOf(command.environment).map((each) => quotedLine(each)),
          ),
          ...named(
            say,
            "approval.programs",
            command.programs.map((each) => quotedLine(each)),
          ),
          say("approval.wall", {
            wall: command.wall === "" ? say("approval.wall.none") : quotedLine(command.wall),
          }),
        ]
      : []),
    say("approval.reason", { reason: sayReasons(approval, say, quotedLine) }),
    ...(cause ? [sayCause(cause, say)] : []),
  ];
}

/** Who answered, and how; shown where the question was asked. */
export function sayAnswer(card: ShownCard, say: Say): string {
  const [first] = card;
  const id = idOf(first);
  const by = first.answeredBy ?? "-";
  const isYes = ({ state }: ApprovalView) => state === "approved" || state === "spent";
  const scope = say(`approval.scope.${card.find(isYes)?.scope ?? "once"}`);
  const numbers = (of: readonly ApprovalView[]) => of.map(numberOf).join(", ");
  const [yes, no] = [card.filter(isYes), card.filter((each) => !isYes(each))];
  if (yes.length === 0) return say("approval.denied-by", { id, by });
  if (no.length === 0) return say("approval.approved-by", { id, by, scope });
  return say("approval.chosen-by", { id, by, scope, yes: numbers(yes), no: numbers(no) });
}

/** The id by which all of it is answered. */
const idOf = ({ id, card }: ApprovalView): string => card?.id ?? id;

const numberOf = ({ card }: ApprovalView): number => card?.number ?? 1;

/** A yes to several things is for these, or for what they have in common. */
function scopesOf(card: ShownCard): ApprovalScope[] {
  const [first, ...rest] = card;
  const shared = first.scopes.filter((scope) => rest.every(({ scopes }) => scopes.includes(scope)));
  return first.card ? shared.filter((scope) => jointScopes.has(scope)) : shared;
}

/** What is always allowed from now on is decided one by one. */
const jointScopes: ReadonlySet<ApprovalScope> = new Set(["once", "task", "while"]);

function actionsOf(card: ShownCard, scopes: readonly ApprovalScope[], say: Say): MessageAction[] {
  const [first] = card;
  const id = idOf(first);
  const yes = scopes.map((scope) => ({
    label: say(first.card ? "approval.press.all" : `approval.press.${scope}`, {
      scope: say(`approval.scope.${scope}`),
    }),
    send: `/approve ${id} ${scope}`,
  }));
  const some = first.card && card.length > 1 && card.length <= mostSingle ? card : [];
  return [
    ...yes,
    ...some.map((approval) => ({
      label: say("approval.press.only", { number: numberOf(approval) }),
      send: `/approve ${id} ${numberOf(approval)}`,
    })),
    { label: say(first.card ? "approval.press.none" : "approval.press.no"), send: `/deny ${id}` },
  ];
}

/** Which argument it is about, and where its value comes from. */
export function sayCause(
  { argument, value, from, sentence }: NonNullable<ApprovalView["cause"]>,
  say: Say,
): string {
  const key =
    from === "" ? "approval.cause.alone" : sentence === "" ? "approval.cause" : "approval.cause.sentence";
  return say(key, {
    argument: quotedLine(argument),
    value: quotedLine(value),
    from: originWords(from, reasonTexts(say, quotedLine)),
    sentence: quotedLine(sentence),
  });
}

const named = (
  say: Say,
  key: "approval.environment" | "approval.programs",
  values: readonly string[],
): string[] => (values.length === 0 ? [] : [say(key, { values: values.join(", ") })]);

const environmentOf = (environment: Record<string, string>): string[] =>
  Object.entries(environment).map(([name, value]) => `${name}=${value}`);

/** By the ids that answer them; tools of one card stand behind its id. */
const namesOf = (others: readonly ApprovalView[]): string => {
  const cards = Map.groupBy(others, idOf);
  const all = [...cards].map(([id, of]) => `${id} (${of.map(({ tool }) => tool).join(", ")})`);
  const rest = all.length - mostNamed;
  return [...all.slice(0, mostNamed), ...(rest > 0 ? [`+${rest}`] : [])].join(", ");
};

/** The text comes from outside: it must not be able to close the block. */
function fenced(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}\n${text}\n${fence}`;
}

function shortened(text: string, most: number, say: Say, id: string): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)} ${say("approval.more", { count: text.length - most, id })}`;
}

const mostShown = 6000;
const mostNamed = 5;
/** So many buttons for single ones fit beside the others. */
const mostSingle = 4;

/** `2026-01-01 12:00 UTC`, because readers may be in any time zone. */
const minuteOf = (time: string): string => `${time.slice(0, 16).replace("T", " ")} UTC`;
