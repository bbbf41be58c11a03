/** `pincer usage`: what models have used and cost, by model, session, agent, day or credential. */
import type { UsageView } from "@pincer/sdk";
import { InvalidArgumentError, type Command } from "commander";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { usageAmounts } from "../../infra/usage-words.ts";
import { printJson, type CommandContext } from "../command.ts";
import { dayOption } from "../day-option.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi } from "./with-api.ts";

const groupings = ["model", "session", "agent", "day", "credential"] as const;
type Grouping = (typeof groupings)[number];

interface Options {
  by: Grouping;
  days?: number;
  from?: string;
  to?: string;
  session?: string;
  agent?: string;
  limit: number;
  json?: boolean;
}

const usualDays = 30;
const dayMs = 86_400_000;

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  program
    .command("usage")
    .description(say("usage.about"))
    .option("--by <what>", say("usage.by"), (text) => readGrouping(text, say), "model")
    .option("--days <n>", say("usage.days"), wholeNumber(say))
    .option("--from <day>", say("usage.from"), dayOption("from", say))
    .option("--to <day>", say("usage.to"), dayOption("to", say))
    .option("--session <key>", say("usage.session"))
    .option("--agent <id>", say("usage.agent"))
    .option("--limit <n>", say("usage.limit"), wholeNumber(say), 50)
    .option("--json", say("help.json"))
    .action(
      context.run((options: Options) => {
        const { by, session, agent, json } = options;
        const limit = Math.min(options.limit, 999);
        const range = rangeOf(options, Date.now());
        return withApi("usage", { program, context }, async ({ api }) => {
          const found = await api.report({
            by,
            // One more than is shown tells whether there are more.
            limit: limit + 1,
            ...range,
            ...(session === undefined ? {} : { sessionKey: session }),
            ...(agent === undefined ? {} : { agentId: agent }),
          });
          const sums = found.sums.slice(0, limit);
          if (json) return printJson(terminal, { by, ...range, sums, total: found.total });
          if (sums.length === 0) return terminal.err(`${say("usage.none")}\n`);
          terminal.out(plainText(render(by, sums, found.total, say)));
          if (found.sums.length > limit) terminal.err(`${say("usage.more")}\n`);
        });
      }),
    );
}

function render(
  by: Grouping,
  sums: ReadonlyArray<UsageView & { key: string }>,
  total: UsageView,
  say: Say,
): string {
  const cells = (name: string, amounts: UsageView) => {
    const { calls, failures, input, output, cached, cost } = usageAmounts(amounts);
    return [name, calls, failures, input, output, cached, cost];
  };
  const head = ["calls", "failures", "in", "out", "cache", "cost"] as const;
  return table([
    [say(`usage.column.${by}`), ...head.map((name) => say(`usage.column.${name}`))],
    // A list of days is read in their order.
    ...(by === "day" ? sums.toSorted((a, b) => (a.key < b.key ? 1 : -1)) : sums).map((sum) =>
      cells(sum.key, sum),
    ),
    cells(say("usage.total"), total),
  ]);
}

/** Throws `usage/bad-argument` where two ways of saying it are mixed. */
function rangeOf({ days, from, to }: Options, now: number): { from?: string; to?: string } {
  if (days !== undefined && (from !== undefined || to !== undefined))
    throw failure("usage/bad-argument", "usage.days-or-range");
  if (from !== undefined || to !== undefined)
    return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const today = Math.floor(now / dayMs) * dayMs;
  // Beyond this no date can be written; nothing was used before it either.
  const past = Math.min((days ?? usualDays) - 1, 10_000) * dayMs;
  return { from: new Date(today - past).toISOString() };
}

function readGrouping(text: string, say: Say): Grouping {
  const by = groupings.find((each) => each === text);
  if (!by) throw new InvalidArgumentError(say("usage.not-by", { by: text }));
  return by;
}
