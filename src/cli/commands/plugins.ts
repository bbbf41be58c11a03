/** `pincer plugins`: the plugins that the owner installed. */
import type { PluginView } from "@pincer/sdk";
import type { Command } from "commander";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { askGateway } from "./ask-gateway.ts";

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const plugins = program.command("plugins").description(say("plugins.about"));

  plugins
    .command("list")
    .description(say("plugins.list"))
    .option("--json", say("help.json"))
    .action(
      context.run(async ({ json }: { json?: boolean }) => {
        const found = await askGateway({ program, context }, "plugins.list", {});
        if (json) return printJson(terminal, found);
        if (found.plugins.length === 0) return terminal.err(`${say("plugins.list.none")}\n`);
        const rows = found.plugins.map((plugin) => [
          plugin.id ?? "-",
          plugin.version ?? "-",
          say(plugin.state === "loaded" ? "plugins.loaded" : "plugins.left-out"),
          plugin.problem ?? brought(plugin, context),
          plugin.path,
        ]);
        terminal.out(plainText(table(rows)));
      }),
    );
}

function brought({ brings }: PluginView, { say }: CommandContext): string {
  const named = (names: string[]) => names.join(", ") || "-";
  return brings.channels.length + brings.tools.length === 0
    ? say("plugins.brings-nothing")
    : say("plugins.brings", { channels: named(brings.channels), tools: named(brings.tools) });
}
