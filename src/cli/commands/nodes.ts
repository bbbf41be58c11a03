/** `pincer nodes`: the devices that offer capabilities to the gateway. */
import type { Command } from "commander";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { askGateway } from "./ask-gateway.ts";

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const nodes = program.command("nodes").description(say("nodes.about"));

  nodes
    .command("list")
    .description(say("nodes.list"))
    .option("--json", say("help.json"))
    .action(
      context.run(async ({ json }: { json?: boolean }) => {
        const found = await askGateway({ program, context }, "nodes.list", {});
        if (json) return printJson(terminal, found);
        if (found.nodes.length === 0) return terminal.err(`${say("nodes.list.none")}\n`);
        const rows = found.nodes.map(({ id, name, platform, version, commands, since }) => [
          id,
          name,
          `${platform} ${version}`,
          commands.map((command) => command.name).join(" ") || "-",
          since,
        ]);
        terminal.out(plainText(table(rows)));
      }),
    );
}
