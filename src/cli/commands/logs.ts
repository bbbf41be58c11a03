/** `pincer logs`: what the gateway has written down, read from its file; so it tells also of a gateway that has ended. */
import type { Command } from "commander";
import type { CommandContext } from "../command.ts";
import { addLogCommand } from "../show-log.ts";

export function register(program: Command, context: CommandContext): void {
  addLogCommand(program.command("logs"), context);
}
