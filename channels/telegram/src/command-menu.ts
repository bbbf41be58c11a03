import type { ChannelHost } from "@pincer/sdk";
import type { BotApi } from "./bot-api.ts";

const mostCommands = 100;
const longestDescription = 256;

/** Puts what people may type into the menu of the bot; a name that Telegram does not take is left out. Never throws: without a menu everything works. */
export async function setCommandMenu(
  api: BotApi,
  host: Pick<ChannelHost, "commands" | "log">,
  inTime: <Answer>(work: (signal: AbortSignal) => Promise<Answer>) => Promise<Answer>,
): Promise<void> {
  try {
    const commands = (host.commands?.() ?? [])
      .map(({ name, description }) => ({
        command: name,
        description: [...(description.trim() || name)].slice(0, longestDescription).join(""),
      }))
      .filter(({ command }) => /^[a-z0-9_]{1,32}$/.test(command))
      .slice(0, mostCommands);
    if (commands.length > 0) await inTime((signal) => api.call("setMyCommands", { commands }, signal));
  } catch (error) {
    host.log.debug(
      `the menu of commands was not set: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
