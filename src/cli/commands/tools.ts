/** `pincer tools`: what tools there are, what they take, and running one by hand. */
import type { Command } from "commander";
import { failure } from "../../infra/failure.ts";
import { reasonLine } from "../approval-words.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";

interface Options {
  json?: boolean;
  args?: string;
  workdir?: string;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal, signal } = context;
  const tools = program.command("tools").description(say("tools.about"));
  const open = async (options: Options) => {
    const [{ openToolApi }, { openApi }] = await Promise.all([
      import("../../operate/tool-api.ts"),
      import("../../app/open-api.ts"),
    ]);
    return openToolApi({ ...context, version: program.version() ?? "", openApi }, options);
  };

  tools
    .command("list")
    .description(say("tools.list"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (options: Options) => {
        const all = (await open(options)).list();
        if (options.json) return printJson(terminal, all);
        terminal.out(table(all.map(({ name, effect, description }) => [name, effect, description])));
      }),
    );

  tools
    .command("info")
    .argument("<name>", say("tools.name"))
    .description(say("tools.info"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (name: string, options: Options) => {
        const tool = (await open(options)).info(name);
        if (options.json) return printJson(terminal, tool);
        terminal.out(
          [
            `${tool.name}: ${tool.description}`,
            say("tools.aliases", { aliases: tool.aliases.join(", ") }),
            say("tools.effect", { effect: tool.effect }),
            say("tools.access", { access: reasonLine(tool.access, say) }),
            say("tools.input", { schema: JSON.stringify(tool.input, null, 2) }),
            "",
          ].join("\n"),
        );
      }),
    );

  tools
    .command("invoke")
    .argument("<name>", say("tools.name"))
    .description(say("tools.invoke"))
    .option("--args <json>", say("tools.args"))
    .option("--workdir <dir>", say("ask.workdir"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (name: string, options: Options) => {
        const result = await (await open(options)).invoke(name, parseArguments(options.args), signal);
        if (options.json) printJson(terminal, result);
        else {
          const text = result.content.map((block) =>
            block.type === "text" ? block.text : `[${block.mimeType}]`,
          );
          (result.ok ? terminal.out : terminal.err)(`${plainText(text.join("\n"))}\n`);
        }
        return result.ok ? 0 : 1;
      }),
    );
}

function parseArguments(text: string | undefined): unknown {
  if (text === undefined) return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw failure(
      "usage/bad-argument",
      "failure.args-not-json",
      { reason: (error as Error).message },
      { hint: "failure.args-not-json.hint" },
    );
  }
}
