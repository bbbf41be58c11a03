/** `pincer notices`: what needs the owner's attention. */
import type { Command } from "commander";
import { sayNotice } from "../../infra/say-notice.ts";
import { printJson, type CommandContext } from "../command.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi } from "./with-api.ts";

interface Options {
  json?: boolean;
  all?: boolean;
  limit?: number;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const notices = program.command("notices").description(say("notices.about"));

  notices
    .command("list")
    .description(say("notices.list"))
    .option("--all", say("notices.all"))
    .option("--limit <n>", say("option.limit"), wholeNumber(say), 50)
    .option("--json", say("help.json"))
    .action(
      context.run(({ json, all, limit = 50 }: Options) =>
        withApi("notices", place, async ({ api }) => {
          const found = await api.list({ limit: Math.min(limit, 1000), all: all === true });
          const said = found.notices.map((notice) => ({ ...notice, said: sayNotice(notice, say) }));
          if (json) return printJson(terminal, { notices: said });
          if (said.length === 0) return terminal.err(`${say("notices.list.none")}\n`);
          terminal.out(plainText(table(said.map((notice) => [notice.id, notice.createdAt, notice.said]))));
        }),
      ),
    );

  notices
    .command("dismiss")
    .argument("<id>", say("notices.id"))
    .description(say("notices.dismiss"))
    .option("--json", say("help.json"))
    .action(
      context.run((id: string, { json }: Options) =>
        withApi("notices", place, async ({ api }) => {
          const dismissed = await api.dismiss({ id });
          if (json) return printJson(terminal, dismissed);
          terminal.err(`${say("notices.dismissed")}\n`);
        }),
      ),
    );
}
