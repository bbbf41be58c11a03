/** `pincer outbox`: outgoing messages, and those that could not be sent. */
import type { OutboxView } from "@pincer/sdk";
import type { Command } from "commander";
import { printJson, type CommandContext } from "../command.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi, firstLine, isSure, placeName } from "./with-api.ts";

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
    .option("--limit <n>", say("option.limit"), wholeNumber(say), 50)
    .option("--before <n>", say("option.before"), wholeNumber(say))
    .option("--json", say("help.json"))
    .action(
      context.run(({ json, all, limit = 50, before }: Options) =>
        withApi("outbox", place, async ({ api }) => {
          const most = Math.min(limit, 1000);
          const found = await api.list({
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
          if (last && rows.length === most)
            terminal.err(`${say("option.more", { before: last.position })}\n`);
        }),
      ),
    );

  one("show").action(
    context.run((id: string, { json }: Options) =>
      withApi("outbox", place, async ({ api }) => {
        const found = await api.get({ id });
        if (json) return printJson(terminal, found);
        terminal.out(plainText(render(found.message)));
      }),
    ),
  );

  one("retry").action(
    context.run((id: string, { json }: Options) =>
      withApi("outbox", place, async ({ api, where }) => {
        const retried = await api.retry({ id });
        if (json) return printJson(terminal, retried);
        terminal.err(`${say("outbox.retried", { id })}\n`);
        if (where === "home") terminal.err(`${say("option.later")}\n`);
      }),
    ),
  );

  one("drop")
    .option("-y, --yes", say("option.yes"))
    .action(
      context.run((id: string, { json, yes }: Options) =>
        withApi("outbox", place, async ({ api }) => {
          const { message } = await api.get({ id });
          const question = say("outbox.drop.sure", { to: plainText(placeName(message.destination)) });
          if (!(await isSure(context, question, { yes, otherwise: "outbox.drop.not" }))) return 1;
          const dropped = await api.drop({ id });
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
