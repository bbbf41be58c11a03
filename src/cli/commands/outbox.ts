/** `pincer outbox`: what is on its way out, and what could not be sent. */
import type { OutboxView } from "@pincer/sdk";
import type { Command } from "commander";
import { printJson, type CommandContext } from "../command.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { atDesk, firstLine, isSure, placeName } from "./at-desk.ts";

interface Options {
  json?: boolean;
  all?: boolean;
  limit?: number;
  before?: number;
  yes?: boolean;
}

const allStates: Array<"queued" | "sending" | "uncertain" | "sent" | "failed" | "dropped"> = [
  "queued",
  "sending",
  "uncertain",
  "sent",
  "failed",
  "dropped",
];

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const outbox = program.command("outbox").description(say("outbox.about"));
  const one = (name: "show" | "retry" | "drop") =>
    outbox
      .command(name)
      .argument("<id>", say("outbox.id"))
      .description(say(`outbox.${name}`))
      .option("--json", say("help.json"));

  outbox
    .command("list")
    .description(say("outbox.list"))
    .option("--all", say("outbox.all"))
    .option("--limit <n>", say("desk.limit"), wholeNumber(say), 50)
    .option("--before <n>", say("desk.before"), wholeNumber(say))
    .option("--json", say("help.json"))
    .action(
      context.run(({ json, all, limit = 50, before }: Options) =>
        atDesk("outbox", place, async ({ desk }) => {
          const most = Math.min(limit, 1000);
          const found = await desk.list({
            limit: most,
            ...(before === undefined ? {} : { before }),
            ...(all ? { states: allStates } : {}),
          });
          if (json) return printJson(terminal, found);
          if (found.messages.length === 0) return terminal.err(`${say("outbox.list.none")}\n`);
          const rows = found.messages.map(({ id, state, destination, createdAt, text, error }) => [
            id,
            state,
            placeName(destination),
            createdAt,
            error ? `${firstLine(text, 30)}  [${error.code}]` : firstLine(text),
          ]);
          terminal.out(plainText(table(rows)));
          const last = found.messages.at(-1);
          if (last && rows.length === most) terminal.err(`${say("desk.more", { before: last.position })}\n`);
        }),
      ),
    );

  one("show").action(
    context.run((id: string, { json }: Options) =>
      atDesk("outbox", place, async ({ desk }) => {
        const found = await desk.get({ id });
        if (json) return printJson(terminal, found);
        terminal.out(plainText(render(found.message)));
      }),
    ),
  );

  one("retry").action(
    context.run((id: string, { json }: Options) =>
      atDesk("outbox", place, async ({ desk, where }) => {
        const retried = await desk.retry({ id });
        if (json) return printJson(terminal, retried);
        terminal.err(`${say("outbox.retried", { id })}\n`);
        if (where === "home") terminal.err(`${say("desk.later")}\n`);
      }),
    ),
  );

  one("drop")
    .option("-y, --yes", say("desk.yes"))
    .action(
      context.run((id: string, { json, yes }: Options) =>
        atDesk("outbox", place, async ({ desk }) => {
          const { message } = await desk.get({ id });
          const question = say("outbox.drop.sure", { to: plainText(placeName(message.destination)) });
          if (!(await isSure(context, question, { yes, otherwise: "outbox.drop.not" }))) return 1;
          const dropped = await desk.drop({ id });
          if (json) return printJson(terminal, dropped);
          return terminal.err(`${say("outbox.dropped", { id })}\n`);
        }),
      ),
    );
}

function render(message: OutboxView): string {
  const { id, state, kind, destination, createdAt, sentAt, attempts, nextAt, notAfter, error, turnId, text } =
    message;
  const rows = [
    [id, `${kind}, ${state}`],
    ["→", placeName(destination)],
    ["created", createdAt],
    ...(sentAt ? [["sent", sentAt]] : []),
    ["attempts", String(attempts)],
    ...(nextAt ? [["next", nextAt]] : []),
    ["until", notAfter],
    ...(turnId ? [["run", turnId]] : []),
    ...(error ? [["error", `${error.code}: ${error.message}`]] : []),
  ];
  return `${table(rows)}\n${text}\n`;
}
