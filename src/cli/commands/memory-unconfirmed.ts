/** `pincer memory unconfirmed`, `confirm` and `drop`: what was learnt from others, and whether it counts. */
import type { Command } from "commander";
import { oneLine } from "../../infra/one-line.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi } from "./with-api.ts";

interface Options {
  agent?: string;
  all?: boolean;
  json?: boolean;
}

export function registerUnconfirmed(
  memory: Command,
  place: { program: Command; context: CommandContext },
): void {
  const { say, terminal, run } = place.context;
  const ofAgent = ({ agent }: Options) => (agent === undefined ? {} : { agentId: agent });
  const tell = (text: string) => terminal.err(`${plainText(text)}\n`);

  memory
    .command("unconfirmed")
    .description(say("memory.unconfirmed"))
    .command("list", { isDefault: true })
    .description(say("memory.unconfirmed.list"))
    .option("--agent <id>", say("memory.agent"))
    .option("--json", say("help.json"))
    .action(
      run((options: Options) =>
        withApi("memory", place, async ({ api }) => {
          const { lines } = await api.unconfirmed(ofAgent(options));
          if (options.json) return printJson(terminal, { lines });
          if (lines.length === 0) return tell(say("memory.unconfirmed.none"));
          const rows = lines.map(({ ref, path, line, label, text }) => [
            ref,
            oneLine(`${path}:${line}`),
            oneLine(label),
            oneLine(text),
          ]);
          terminal.out(plainText(table(rows)));
          tell(say("memory.unconfirmed.next"));
        }),
      ),
    );

  memory
    .command("confirm")
    .argument("[ref]", say("memory.ref"))
    .description(say("memory.confirm"))
    .option("--all", say("memory.confirm.all"))
    .option("--agent <id>", say("memory.agent"))
    .option("--json", say("help.json"))
    .action(
      run((ref: string | undefined, options: Options) =>
        withApi("memory", place, async ({ api }) => {
          const outcome = await api.confirm({
            ...ofAgent(options),
            ...(ref === undefined ? {} : { ref }),
            ...(options.all ? { all: true } : {}),
          });
          if (options.json) return printJson(terminal, outcome);
          tell(say("memory.confirm.done", { count: outcome.confirmed.length }));
        }),
      ),
    );

  memory
    .command("drop")
    .argument("<ref>", say("memory.ref"))
    .description(say("memory.drop"))
    .option("--agent <id>", say("memory.agent"))
    .option("--json", say("help.json"))
    .action(
      run((ref: string, options: Options) =>
        withApi("memory", place, async ({ api }) => {
          const outcome = await api.drop({ ...ofAgent(options), ref });
          if (options.json) return printJson(terminal, outcome);
          tell(say("memory.drop.done", { text: oneLine(outcome.dropped.text) }));
        }),
      ),
    );
}
