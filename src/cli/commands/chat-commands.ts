/** What a chat at the terminal answers itself, without the model: each command at the desk that knows about it. */
import { asPincerError } from "@pincer/sdk";
import type { Command } from "commander";
import { distance } from "fastest-levenshtein";
import { sayError } from "../../infra/failure.ts";
import { handoffWords, tapeHitWords, tapeInfoWords, tapeMarkWords } from "../../infra/tape-words.ts";
import { usageWords } from "../../infra/usage-words.ts";
import type { CommandContext } from "../command.ts";
import { contextTable } from "../context-table.ts";
import { atDesk } from "./at-desk.ts";

const marks = [",", "/", "!"];

/** Answered at a desk. */
const deskNames = [
  "usage",
  "cost",
  "context",
  "handoff",
  "anchors",
  "tape",
  "tape.info",
  "tape.search",
  "tape.reset",
  "undo",
] as const;
type DeskName = (typeof deskNames)[number];

/** Those that the chat sees to by itself, or that become a turn. */
const otherNames = [
  "help",
  "quit",
  "exit",
  "new",
  "reset",
  "stop",
  "continue",
  "compact",
  "rule",
  "rules",
] as const;
type ChatName = DeskName | (typeof otherNames)[number];

const names: readonly ChatName[] = [...otherNames, ...deskNames];

interface ChatLine {
  name: ChatName;
  words: string;
}

/** Undefined when the line is no command of a chat. */
export function readChatLine(input: string): ChatLine | undefined {
  const mark = marks.find((each) => input.startsWith(each));
  const [, word = "", words = ""] = /^([a-z.]+)(?:\s+(.*))?$/is.exec(input.slice(1)) ?? [];
  const name = names.find((each) => each === word.toLowerCase());
  return mark === undefined || !name ? undefined : { name, words: words.trim() };
}

export const isForDesk = (line: ChatLine): line is DeskLine => deskNames.some((each) => each === line.name);

/** Means the session that goes on; one that is about to begin has nothing in it yet. */
export const isAboutSession = (name: DeskName): boolean =>
  name === "anchors" || name === "handoff" || (name.startsWith("tape") && name !== "tape.search");

/** The command that a single word behind a mark was probably meant to be; undefined when it is one, or is for the model or, as a program that there is, the shell. */
export function meantBy(input: string, isProgram: (word: string) => boolean): string | undefined {
  const [, mark, given = ""] = /^([,/!])([a-z]+(?:\.[a-z]+)*)$/i.exec(input) ?? [];
  const word = given.toLowerCase();
  if (mark === undefined || names.some((name) => name === word)) return undefined;
  if (mark === "," && isProgram(given)) return undefined;
  const [nearest] = names
    .map((name) => ({ name, slips: distance(name, word) }))
    // Two letters of three are no slip.
    .filter(({ name, slips }) => slips <= (name.length > 3 ? 2 : 1))
    .sort((a, b) => a.slips - b.slips);
  return nearest && `${mark}${nearest.name}`;
}

/** A command that there is none of, where nobody but commands could be meant: behind `!`, or called `tape.…`, as on channels. */
export function unknownCommand(input: string): { name: string; prefix: string } | undefined {
  const [, prefix, word = ""] = /^([,/!])([a-z][\w-]*(?:\.[\w-]+)*)(?:\s|$)/i.exec(input) ?? [];
  const name = word.toLowerCase();
  if (prefix === undefined || names.some((each) => each === name)) return undefined;
  const isForCommands = name.includes(".") ? name.startsWith("tape.") : prefix === "!";
  return isForCommands ? { name: prefix + name, prefix } : undefined;
}

/** At the terminal a line behind a comma that is no command is for the shell. */
export const isShellLine = (input: string): boolean =>
  /^,\s*\S/.test(input) && !readChatLine(input) && !unknownCommand(input);

type DeskLine = ChatLine & { name: DeskName };

export interface ChatDesks {
  /** In words, also what went wrong. Never throws. Without a session, the main one is meant. */
  answer(line: DeskLine, session: string | undefined): Promise<string>;
  /** What is answered to a command or a sentence about a standing rule; undefined when the line is neither. Never throws. */
  rule(line: string): Promise<string | undefined>;
}

export function createChatDesks(place: { program: Command; context: CommandContext }): ChatDesks {
  const { context } = place;
  const { say } = context;

  const atTape = (work: Parameters<typeof atDesk<"tape", string>>[2]) => atDesk("tape", place, work);

  function answer({ name, words }: DeskLine, session: { session?: string }): Promise<string> {
    switch (name) {
      case "usage":
      case "cost":
        return atDesk("usage", place, async ({ desk }) => usageWords(await desk.totals(session), name, say));
      case "context":
        return atDesk("context", place, async ({ desk }) =>
          contextTable(await desk.show(session), context).trimEnd(),
        );
      case "tape":
      case "tape.info":
        return atTape(async ({ desk }) => tapeInfoWords(await desk.info(session), say));
      case "anchors":
        return atTape(async ({ desk }) => tapeMarkWords((await desk.anchors(session)).marks, say));
      case "tape.search":
        if (words === "") return Promise.resolve(say("tape.search.what"));
        return atTape(async ({ desk }) => tapeHitWords(await desk.search({ ...session, words }), words, say));
      case "handoff":
        return atTape(async ({ desk }) =>
          handoffWords(await desk.handoff({ ...session, ...(words === "" ? {} : { words }) }), say),
        );
      case "undo":
        return atDesk("undo", place, async ({ desk }) => {
          const { answerUndo } = await import("../../app/answer-undo.ts");
          return answerUndo(words, { say, desk, ...session });
        });
      case "tape.reset":
        return atTape(async ({ desk }) => {
          const { endedId } = await desk.reset(session);
          return endedId === null
            ? say("routing.command.new")
            : say("tape.reset.done", { sessionId: endedId });
        });
    }
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
    answer: (line, session) => inWords(() => answer(line, session === undefined ? {} : { session })),
    rule: (line) =>
      inWords(async () => {
        const { answerRule } = await import("../../app/answer-rule.ts");
        return answerRule(line, { say, open: (work) => atDesk("rules", place, ({ desk }) => work(desk)) });
      }),
  };
}
