/** `pincer rules`: the owner's standing rules, stored outside of all conversations. */
import type { Command } from "commander";
import { failure } from "../../infra/failure.ts";
import { denialWords, ruleScope, ruleSet } from "../../infra/rule-report.ts";
import { printJson, type CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi } from "./with-api.ts";

interface Options {
  agent?: string;
  deny?: string[];
  match?: string[];
  remind?: boolean;
  yes?: boolean;
  json?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const rules = program.command("rules").description(say("rules.about"));

  rules
    .command("add")
    .argument("<words...>", say("rules.words"))
    .description(say("rules.add"))
    .option("--agent <id>", say("rules.agent"))
    .option("--deny <tool>", say("rules.deny"), collect)
    .option("--match <text>", say("rules.match"), collect)
    .option("--remind", say("rules.remind"))
    .option("--yes", say("rules.yes"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (words: string[], { agent, deny, match, remind, yes, json }: Options) => {
        const isExplicit = deny !== undefined || match !== undefined || remind === true;
        const { toolsTakenAway } = await import("../../gateway/methods/rules-api.ts");
        const lost = isExplicit || yes ? [] : toolsTakenAway(words.join(" "));
        if (lost.length > 0) {
          terminal.err(`${say("rules.takes-away", { denials: denialWords(lost, say) })}\n`);
          const sure = await confirm(terminal, say("rules.takes-away.ask"), false);
          if (sure === "nobody-to-ask")
            throw failure("usage/bad-argument", "rules.not-set", {}, { hint: "rules.not-set.hint" });
          if (sure === "no") {
            terminal.err(`${say("rules.not-set")}\n`);
            return 1;
          }
        }
        return withApi("rules", place, async ({ api }) => {
          const outcome = await api.add({
            text: words.join(" "),
            ...(agent === undefined ? {} : { agentId: agent }),
            ...(deny ? { deny } : {}),
            ...(match ? { match } : {}),
            ...(remind ? { remind } : {}),
          });
          if (json) return printJson(terminal, outcome);
          terminal.err(`${plainText(ruleSet(outcome, say))}\n`);
        });
      }),
    );

  rules
    .command("list")
    .description(say("rules.list"))
    .option("--agent <id>", say("rules.agent"))
    .option("--json", say("help.json"))
    .action(
      context.run(({ agent, json }: Options) =>
        withApi("rules", place, async ({ api }) => {
          const found = await api.list(agent === undefined ? {} : { agentId: agent });
          if (json) return printJson(terminal, found);
          if (found.rules.length === 0) return terminal.err(`${say("rules.list.none")}\n`);
          const rows = found.rules.map((rule) => [
            String(rule.id),
            say(rule.enforcement ? "rules.state.enforced" : "rules.state.reminder"),
            rule.agentId ?? say("rules.every-agent"),
            ruleScope(rule, say),
            rule.text,
          ]);
          terminal.out(plainText(table(rows)));
        }),
      ),
    );

  rules
    .command("remove")
    .argument("<id>", say("rules.id"), wholeNumber(say))
    .description(say("rules.remove"))
    .option("--json", say("help.json"))
    .action(
      context.run((id: number, { json }: Options) =>
        withApi("rules", place, async ({ api }) => {
          const outcome = await api.remove({ id });
          if (json) return printJson(terminal, outcome);
          terminal.err(`${plainText(say("rules.removed", { id, text: outcome.removed.text }))}\n`);
        }),
      ),
    );
}

const collect = (value: string, values: string[] = []): string[] => [...values, value];
