/** The commands of a chat, for those who complete and run them. */
import { Type } from "typebox";
import { answer, language, method, sessionKey } from "./method.ts";

export const commandsMethods = {
  /** The commands of a chat, for completing what is typed. */
  "commands.list": method({
    params: { language },
    result: answer<{ commands: CommandFactView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "free",
  }),
  /** Runs a line as a command of the session, by the owner; without a session, the main one. What is for a run is not begun: `turn` says with which wishes. */
  "commands.run": method({
    params: { sessionKey, line: Type.String({ minLength: 1, maxLength: 20_000 }), language },
    /** `name`: null where the line is no command. `turn`: the line is for a run, or for the last one that goes on; then nothing was said or done. */
    result: answer<{
      name: string | null;
      output: string;
      turn: { continues: boolean; wishes: Record<string, unknown> } | null;
    }>(),
    effect: "change",
    // It says any line as the owner, answers to requests among them: no lesser permission may lead there.
    permission: "owner.speak",
    scope: "session",
  }),
};

/** One command of a chat, for completing what somebody types. */
export interface CommandFactView {
  name: string;
  aliases: string[];
  /** The mark that it is shown under. */
  prefix: string;
  usage: string;
  help: string;
  group: string;
  /** Whether nobody but the owner may use it, there. */
  ownerOnly: boolean;
  /** What can stand behind it; with choices where it is one of a few. */
  arguments: Array<{ name: string; choices?: string[] }>;
}
