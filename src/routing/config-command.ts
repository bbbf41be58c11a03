/** `/config`: shows a setting to the owner. No setting can be changed from a chat. */
import { asPincerError } from "@pincer/sdk";
import { sayError } from "../infra/failure.ts";
import { shorten } from "../infra/one-line.ts";
import type { Say } from "../infra/texts.ts";
import { answered, placeOfCall, type Command, type CommandCall } from "./command.ts";

export interface ConfigCommandParts {
  say: Say;
  shownConfig: {
    /** The names of the first level. */
    keys(): string[];
    /** With its secrets masked; undefined where nothing is set. Throws `usage/bad-argument` for what is no path. */
    read(path: string): unknown;
  };
}

const longest = 3000;

export const configCommand: Command<ConfigCommandParts> = {
  name: "config",
  aliases: [],
  group: "about",
  usage: "[get] <path>",
  help: "command.about.config",
  access: "owner",
  arguments: [{ name: "verb", choices: ["get"] }, { name: "path" }],
  run: async (parts, call) => answered(configWords(parts, call)),
};

function configWords(
  { say, shownConfig }: ConfigCommandParts,
  { words, prefix, context }: CommandCall,
): string {
  const [verb = "", ...rest] = words.split(/\s+/).filter(Boolean);
  if (/^(?:set|unset|add|remove|reset|edit|import)$/i.test(verb))
    return say("command.config.no-set", { path: rest[0] ?? "<path>" });
  if (placeOfCall(context).isGroup) return say("command.not-in-group");
  const path = /^get$/i.test(verb) ? rest[0] : verb;
  if (path === undefined || path === "")
    return say("command.config.which", { prefix, keys: shownConfig.keys().join(", ") });
  try {
    const value = shownConfig.read(path);
    if (value === undefined) return say("command.config.not-set", { path });
    const shown = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    return `${path} = ${shorten(shown, longest)}`;
  } catch (error) {
    const refusal = asPincerError(error);
    if (refusal.domain !== "usage" && refusal.domain !== "config") throw error;
    const { message, hint } = sayError(refusal, say);
    return [message, hint].filter(Boolean).join("\n");
  }
}
