/** `pincer logs`: the gateway's log, read from its file, so that it also works after the gateway has ended. */
import type { Command } from "commander";
import type { CommandContext } from "../command.ts";
import { addLogCommand } from "../show-log.ts";

export function register(program: Command, context: CommandContext): void {
  addLogCommand(program.command("logs"), context);
}
