/** The commands of a chat, for clients that complete them. */
import { answer, language, method } from "./method.ts";

export const commandsMethods = {
  /** The commands of a chat, for completion. */
  "commands.list": method({
    params: { language },
    result: answer<{ commands: CommandFactView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "free",
  }),
};

/** One command of a chat, for completion. */
export interface CommandFactView {
  name: string;
  aliases: string[];
  /** The prefix that it is shown with. */
  prefix: string;
  usage: string;
  help: string;
  group: string;
  /** Whether only the owner may use it, there. */
  ownerOnly: boolean;
  /** Its arguments; with choices if there are only a few. */
  arguments: Array<{ name: string; choices?: string[] }>;
}
