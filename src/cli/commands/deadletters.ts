/** `pincer deadletters`: messages that were given up because they crashed the gateway, and what to do with them. */
import type { Command } from "commander";
import { printJson, type CommandContext } from "../command.ts";
import type { Api } from "../../gateway/methods/api.ts";
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

type Letters = Pick<Api<"deadletters">, "list" | "get">;

const mostHeld = 1000;

/** `held` means all that are held, oldest first. */
async function idsOf(api: Letters, id: string): Promise<string[]> {
  if (id !== "held") return [id];
  const { letters } = await api.list({ limit: mostHeld });
  return letters
    .filter(({ isHeld }) => isHeld)
    .map((letter) => letter.id)
    .toReversed();
}

async function whoSent(api: Letters, id: string): Promise<string> {
  const { person } = (await api.get({ id })).letter;
  return plainText(person.name ?? person.id);
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
    .option("--limit <n>", say("option.limit"), wholeNumber(say), 50)
    .option("--before <n>", say("option.before"), wholeNumber(say))
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
          if (last && rows.length === most)
            terminal.err(`${say("option.more", { before: last.position })}\n`);
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
            letter.isHeld
              ? say("deadletters.held")
              : letter.kind === "turn"
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
        const ids = await idsOf(api, id);
        for (const one of ids) await api.retry({ id: one });
        if (json) return printJson(terminal, { retried: id, ...(id === "held" && { ids }) });
        for (const one of ids) terminal.err(`${say("deadletters.retried", { id: one })}\n`);
        if (where === "home") terminal.err(`${say("option.later")}\n`);
      }),
    ),
  );

  one("drop")
    .option("-y, --yes", say("option.yes"))
    .action(
      context.run((id: string, { json, yes }: Options) =>
        withApi("deadletters", place, async ({ api }) => {
          const ids = await idsOf(api, id);
          const question =
            id === "held"
              ? say("deadletters.drop.sure-held", { count: ids.length })
              : say("deadletters.drop.sure", { who: await whoSent(api, id) });
          if (!(await isSure(context, question, { yes, otherwise: "deadletters.drop.not" }))) return 1;
          for (const one of ids) await api.drop({ id: one });
          if (json) return printJson(terminal, { dropped: id, ...(id === "held" && { ids }) });
          for (const one of ids) terminal.err(`${say("deadletters.dropped", { id: one })}\n`);
          return 0;
        }),
      ),
    );
}
