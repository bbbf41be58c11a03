/** `pincer context show`: what the model gets with the next request of a session. */
import type { ContextView } from "@pincer/sdk";
import type { Command } from "commander";
import { printJson, type CommandContext } from "../command.ts";
import { contextTable } from "../context-table.ts";
import { plainText } from "../plain-text.ts";
import { withApi } from "./with-api.ts";

interface Options {
  agent?: string;
  text?: string;
  json?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  program
    .command("context")
    .description(say("context.about"))
    .command("show")
    .argument("[session]", say("context.session"))
    .description(say("context.show"))
    .option("--agent <id>", say("context.agent"))
    .option("--text <part>", say("context.text"))
    .option("--json", say("help.json"))
    .action(
      context.run((session: string | undefined, { agent, text, json }: Options) =>
        withApi("context", { program, context }, async ({ api }) => {
          const found = await api.show({
            ...(session === undefined ? {} : { sessionKey: session }),
            ...(agent === undefined ? {} : { agentId: agent }),
            ...(text === undefined ? {} : { text }),
          });
          if (json) return printJson(terminal, found);
          if (text !== undefined) return terminal.out(`${plainText(textOf(found, text))}\n`);
          terminal.out(plainText(contextTable(found, context)));
        }),
      ),
    );
}

const textOf = ({ parts }: ContextView, name: string): string =>
  parts.flatMap((part) => (part.name === name && part.text !== undefined ? [part.text] : [])).join("\n\n");
