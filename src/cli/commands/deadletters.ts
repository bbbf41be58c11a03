/** `pincer deadletters`: messages that were given up because they took the gateway down, and what to do with them. */
import type { Command } from "commander";
import { printJson, type CommandContext } from "../command.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi, firstLine, isSure, placeName } from "./with-api.ts";

interface Options {
  json?: boolean;
  limit?: number;
  before?: number;
  yes?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const letters = program.command("deadletters").description(say("deadletters.about"));
  const one = (name: "show" | "retry" | "drop") =>
    letters
      .command(name)
      .argument("<id>", say("deadletters.id"))
      .description(say(`deadletters.${name}`))
      .option("--json", say("help.json"));

  letters
    .command("list")
    .description(say("deadletters.list"))
    .option("--limit <n>", say("desk.limit"), wholeNumber(say), 50)
    .option("--before <n>", say("desk.before"), wholeNumber(say))
    .option("--json", say("help.json"))
    .action(
      context.run(({ json, limit = 50, before }: Options) =>
        withApi("deadletters", place, async ({ api }) => {
          const most = Math.min(limit, 1000);
          const found = await api.list({ limit: most, ...(before === undefined ? {} : { before }) });
          if (json) return printJson(terminal, found);
          if (found.letters.length === 0) return terminal.err(`${say("deadletters.list.none")}\n`);
          const rows = found.letters.map(({ id, person, queuedAt, texts }) => [
            id,
            person.name ?? person.id,
            queuedAt,
            firstLine(texts.join("\n")),
          ]);
          terminal.out(plainText(table(rows)));
          const last = found.letters.at(-1);
          if (last && rows.length === most) terminal.err(`${say("desk.more", { before: last.position })}\n`);
        }),
      ),
    );

  one("show").action(
    context.run((id: string, { json }: Options) =>
      withApi("deadletters", place, async ({ api }) => {
        const found = await api.get({ id });
        if (json) return printJson(terminal, found);
        const { letter } = found;
        const rows = [
          [
            letter.id,
            letter.kind === "turn"
              ? say("deadletters.claims", { count: letter.claims })
              : say("deadletters.no-turn"),
          ],
          ["←", `${letter.person.name ?? ""} ${letter.person.id}`.trim()],
          ["→", placeName(letter.destination)],
          ["session", letter.sessionKey ?? "-"],
          ["queued", letter.queuedAt],
        ];
        terminal.out(plainText(`${table(rows)}\n${letter.texts.join("\n\n")}\n`));
      }),
    ),
  );

  one("retry").action(
    context.run((id: string, { json }: Options) =>
      withApi("deadletters", place, async ({ api, where }) => {
        const retried = await api.retry({ id });
        if (json) return printJson(terminal, retried);
        terminal.err(`${say("deadletters.retried", { id })}\n`);
        if (where === "home") terminal.err(`${say("desk.later")}\n`);
      }),
    ),
  );

  one("drop")
    .option("-y, --yes", say("desk.yes"))
    .action(
      context.run((id: string, { json, yes }: Options) =>
        withApi("deadletters", place, async ({ api }) => {
          const { letter } = await api.get({ id });
          const question = say("deadletters.drop.sure", {
            who: plainText(letter.person.name ?? letter.person.id),
          });
          if (!(await isSure(context, question, { yes, otherwise: "deadletters.drop.not" }))) return 1;
          const dropped = await api.drop({ id });
          if (json) return printJson(terminal, dropped);
          return terminal.err(`${say("deadletters.dropped", { id })}\n`);
        }),
      ),
    );
}
