/** A question to the owner in words, and what can be pressed to answer it. What is seen is what would be done: nothing in it can hide or look like another. */
import type { ApprovalView, MessageAction } from "@pincer/sdk";
import type { Say } from "../../infra/texts.ts";
import { inertAddresses } from "../../policy/provenance/guard-reply.ts";
import { visibleCommand } from "../../sandbox/shell/visible-command.ts";

export interface ApprovalWords {
  text: string;
  actions: MessageAction[];
}

/** `others`: what else waits. */
export function sayApproval(
  approval: ApprovalView,
  others: readonly ApprovalView[],
  say: Say,
  /** Whether it is told elsewhere than in the conversation that it is of. */
  isElsewhere = false,
): ApprovalWords {
  const { id, tool, command, reason, cause } = approval;
  // Networks look at addresses in a message by themselves, but for those in a block: what is only asked about must not be asked for by that.
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

/** Who answered it, and how: for the place where it was asked. */
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
  const told = { argument, value: line(value), from: line(from), sentence: line(sentence) };
  return say(sentence === "" ? "approval.cause" : "approval.cause.sentence", told);
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

/** A text of somebody else cannot end the block that it is shown in. */
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

/** `2026-01-01 12:00 UTC`: those who read it may be anywhere. */
const minuteOf = (time: string): string => `${time.slice(0, 16).replace("T", " ")} UTC`;
