/**
 * A question to the owner as text with buttons. The text shows exactly what would be done: no part of it can hide or
 * imitate another.
 */
import type { ApprovalView, MessageAction } from "@pincer/sdk";
import type { Say } from "../../infra/texts.ts";
import { inertAddresses } from "../../policy/provenance/guard-reply.ts";
import { visibleCommand } from "../../sandbox/shell/visible-command.ts";

export interface ApprovalWords {
  text: string;
  actions: MessageAction[];
}

/** `others`: the other approvals that wait. */
export function sayApproval(
  approval: ApprovalView,
  others: readonly ApprovalView[],
  say: Say,
  /** True if the question is shown outside the conversation that it belongs to. */
  isElsewhere = false,
): ApprovalWords {
  const { id, tool, command, reason, cause } = approval;
  // Networks fetch previews of addresses in a message, except inside a block. The question itself must not cause a
  // request.
  const line = (text: string) => inertAddresses(shortened(oneLine(text), mostOfLine, say, id));
  const lines = [
    say("approval.asks", { id, tool }),
    fenced(shortened(visibleCommand(approval.shown), mostShown, say, id)),
    ...(command
      ? [
          say("approval.directory", { directory: line(command.directory) }),
          ...named(say, "approval.environment", environmentOf(command.environment).map(line)),
          ...named(say, "approval.programs", command.programs.map(line)),
          say("approval.wall", { wall: line(command.wall) }),
        ]
      : []),
    ...(isElsewhere
      ? [say("approval.whose", { person: line(approval.personId), session: line(approval.sessionKey) })]
      : []),
    say("approval.reason", { reason: line(reason) }),
    ...(cause ? [sayCause(cause, say, line)] : []),
    ...(others.length > 0 ? [say("approval.others", { others: namesOf(others) })] : []),
    say("approval.how", { id, scopes: approval.scopes.join("|"), until: minuteOf(approval.expiresAt) }),
  ];
  return { text: lines.join("\n"), actions: actionsOf(approval, say) };
}

/** Who answered, and how; shown where the question was asked. */
export function sayAnswer({ id, state, scope, answeredBy }: ApprovalView, say: Say): string {
  const by = answeredBy ?? "-";
  if (state !== "approved" && state !== "spent") return say("approval.denied-by", { id, by });
  return say("approval.approved-by", { id, by, scope: say(`approval.scope.${scope ?? "once"}`) });
}

function actionsOf({ id, scopes }: ApprovalView, say: Say): MessageAction[] {
  const yes = scopes.map((scope) => ({
    label: say(`approval.press.${scope}`),
    send: `/approve ${id} ${scope}`,
  }));
  return [...yes, { label: say("approval.press.no"), send: `/deny ${id}` }];
}

function sayCause(
  { argument, value, from, sentence }: NonNullable<ApprovalView["cause"]>,
  say: Say,
  line: (text: string) => string,
): string {
  const values = { argument, value: line(value), from: line(from), sentence: line(sentence) };
  return say(sentence === "" ? "approval.cause" : "approval.cause.sentence", values);
}

const named = (
  say: Say,
  key: "approval.environment" | "approval.programs",
  values: readonly string[],
): string[] => (values.length === 0 ? [] : [say(key, { values: values.join(", ") })]);

const environmentOf = (environment: Record<string, string>): string[] =>
  Object.entries(environment).map(([name, value]) => `${name}=${value}`);

const namesOf = (others: readonly ApprovalView[]): string => {
  const rest = others.length - mostNamed;
  const shown = others.slice(0, mostNamed).map(({ id, tool }) => `${id} (${tool})`);
  return [...shown, ...(rest > 0 ? [`+${rest}`] : [])].join(", ");
};

/** The text comes from outside: it must not be able to close the block. */
function fenced(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}\n${text}\n${fence}`;
}

const oneLine = (text: string): string => visibleCommand(text.replaceAll(/\s*\n\s*/g, " ")).trim();

function shortened(text: string, most: number, say: Say, id: string): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)} ${say("approval.more", { count: text.length - most, id })}`;
}

const mostShown = 6000;
const mostOfLine = 500;
const mostNamed = 5;

/** `2026-01-01 12:00 UTC`, because readers may be in any time zone. */
const minuteOf = (time: string): string => `${time.slice(0, 16).replace("T", " ")} UTC`;
