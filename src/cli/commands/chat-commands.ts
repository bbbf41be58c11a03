/** What a chat at the terminal answers itself, without the model: the commands of the registry, run where the home is. */
import { asPincerError } from "@pincer/sdk";
import type { Command } from "commander";
import {
  readTerminalLine,
  slipOf,
  unknownAtTerminal,
  type TerminalLine,
} from "../../routing/commands/terminal-commands.ts";
import { sayError } from "../../infra/failure.ts";
import type { CommandContext } from "../command.ts";
import { contextTable } from "../context-table.ts";
import { withApi } from "./with-api.ts";

/** Commands that the chat handles itself, or that become a turn. */
const chatsOwn: ReadonlySet<string> = new Set([
  "help",
  "quit",
  "new",
  "reset",
  "stop",
  "continue",
  "compact",
  "rule",
  "rules",
]);

export const isForApi = ({ name }: TerminalLine): boolean => !chatsOwn.has(name);

/** Means the session that goes on; one that is about to begin has nothing in it yet. */
export const isAboutSession = (name: string): boolean =>
  name === "anchors" || name === "handoff" || (name.startsWith("tape") && name !== "tape.search");

/** Means the session from now on; one that is about to begin has to begin first. */
export const isForSession = (name: string): boolean => ["model", "think", "verbose"].includes(name);

/** The command that a single word behind a mark was probably meant to be; undefined when it is one, or is for the model or, as a program that there is, the shell. */
export function meantBy(input: string, isProgram: (word: string) => boolean): string | undefined {
  if (input.startsWith(",") && isProgram(input.slice(1))) return undefined;
  return slipOf(input);
}

/** At the terminal a line behind a comma that is no command is for the shell. */
export const isShellLine = (input: string): boolean =>
  /^,\s*\S/.test(input) && !readTerminalLine(input) && !unknownAtTerminal(input);

export interface ChatApis {
  /** In words, also what went wrong. Never throws. Without a session, the main one is meant. */
  answer(line: TerminalLine, session: string | undefined): Promise<string>;
  /** What is answered to a command or a sentence about a standing rule; undefined when the line is neither. Never throws. */
  rule(line: string): Promise<string | undefined>;
}

export function createChatApis(place: { program: Command; context: CommandContext }): ChatApis {
  const { context } = place;
  const { say } = context;

  async function answer(
    { name, prefix, words }: TerminalLine,
    session: { sessionKey?: string },
  ): Promise<string> {
    // There is space for a table here.
    if (name === "context")
      return withApi("context", place, async ({ api }) =>
        contextTable(await api.show(session), context).trimEnd(),
      );
    return withApi("commands", place, async ({ api, language }) => {
      const line = `${prefix}${name} ${words}`.trim();
      const { output } = await api.run({ ...session, line, ...(language ? { language } : {}) });
      return output;
    });
  }

  async function inWords<Answer extends string | undefined>(
    work: () => Promise<Answer>,
  ): Promise<Answer | string> {
    try {
      return await work();
    } catch (thrown) {
      const { message, hint } = sayError(asPincerError(thrown), say);
      return [message, hint].filter(Boolean).join("\n");
    }
  }

  return {
    answer: (line, session) =>
      inWords(() => answer(line, session === undefined ? {} : { sessionKey: session })),
    rule: (line) =>
      inWords(async () => {
        const { answerRule } = await import("../../gateway/methods/answer-rule.ts");
        return answerRule(line, { say, open: (work) => withApi("rules", place, ({ api }) => work(api)) });
      }),
  };
}
