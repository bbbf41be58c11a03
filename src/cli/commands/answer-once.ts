/** One question from the command line, answered once: what `ask` and `agent` share. */
import { asPincerError } from "@pincer/sdk";
import type { Command } from "commander";
import type { AskAnswer } from "../../routing/ask-turn.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { closingWords } from "../closing-words.ts";
import { createLiveAnswer, type LiveAnswer } from "../live-answer.ts";
import { plainText } from "../plain-text.ts";
import { usageLine } from "../program.ts";
import { readInput } from "../read-input.ts";
import { explicitWishes, turnRequest, type TurnOptions } from "../turn-options.ts";
import { answerByApi, createApprovalPrompt, type ApprovalPrompt } from "./approval-prompt.ts";
import { markSeen } from "./mark-seen.ts";
import { createLineReader } from "./line-reader.ts";

export interface AnswerOptions extends TurnOptions {
  newSession?: boolean;
  continue?: boolean;
  dryRun?: boolean;
  debug?: boolean;
  json?: boolean;
}

interface AnswerPlace {
  program: Command;
  command: Command;
  context: CommandContext;
}

/** Runs after an answer was shown; its result goes into the same document. */
type AfterAnswer = (answer: AskAnswer) => Promise<{ more: object; status: number }>;

const nothingAfter: AfterAnswer = async () => ({ more: {}, status: 0 });

/** Answers with the exit status. */
export async function answerOnce(
  { program, command, context }: AnswerPlace,
  words: string[],
  options: AnswerOptions,
  after: AfterAnswer = nothingAfter,
): Promise<number> {
  const { say, terminal, signal } = context;
  if (options.continue && options.newSession) throw failure("usage/bad-argument", "ask.continue-new");
  if (options.continue && options.dryRun) throw failure("usage/bad-argument", "ask.continue-dry");
  const isBare = options.continue && words.length === 0;
  const reading = isBare
    ? Promise.resolve({ input: say("continue.words"), typed: true, pasted: [] })
    : readInput(words, terminal.stdin, signal);
  const given = await reading.catch((error: unknown) => {
    if (!signal.aborted) terminal.err(usageLine(command, context));
    throw error;
  });
  const request = {
    ...turnRequest(options),
    ...(options.continue ? { continues: true, wishes: explicitWishes(command, options) } : {}),
    // What comes through a pipe may be anybody's words: it sets no rules and runs no commands.
    ...given,
    signal,
  };
  request.wishes.attended = "once";
  const { openApp } = await import("../../app/open-app.ts");
  const parts = { ...context, version: program.version() ?? "" };
  const app = await openApp(parts, options).catch(async (error: unknown) => {
    if (!options.json || isUsage(error)) throw error;
    const { unanswered } = await import("../../app/ask.ts");
    const { configuredProvider } = await import("../../routing/configured-provider.ts");
    const configured = await configuredProvider(context.environment, options.agent);
    printJson(terminal, unanswered(request, error, { say, configured }));
    return undefined;
  });
  if (!app) return 1;
  const streams = terminal.outIsTerminal && !options.json;
  const live = createLiveAnswer(context, { streams, tellsTools: false });
  const asking = askInPlace({ program, context }, live);
  let answer: AskAnswer;
  let isSeen = false;
  try {
    answer = await app.ask({
      ...request,
      onEvent: asking.onEvent,
      onWait: (message) => asking.aside(() => live.onWait(message)),
    });
    await asking.close();
    live.close();
    if (!options.json) {
      show(answer, live, { streams, debug: options.debug === true });
      const { result, aside, isDiffShown } = closingWords(answer, say);
      isSeen = isDiffShown && terminal.errIsTerminal;
      if (result !== "") terminal.out(plainText(result));
      if (aside !== "") terminal.err(plainText(aside));
      const next = nextStep(answer, { ...options, isWatched: terminal.outIsTerminal }, say);
      if (next !== undefined) live.note(next);
    }
  } finally {
    await asking.close();
    live.close();
    await app.close();
  }
  if (isSeen) await markSeen(answer, { program, context });
  const isAnswered = answer.error === undefined && !signal.aborted;
  const { more, status } = isAnswered ? await after(answer) : { more: {}, status: 1 };
  if (options.json) printJson(terminal, { ...answer, ...more });
  return signal.aborted ? 130 : status;
}

function show(
  answer: AskAnswer,
  live: LiveAnswer,
  { streams, debug }: { streams: boolean; debug: boolean },
): void {
  const source = debug ? `[${answer.provider}/${answer.model}]` : "";
  if (source && !streams) return live.end({ ...answer, result: `${source} ${answer.result}` }, "by-outcome");
  live.end(answer, "by-outcome");
  // Who answers is known only when the words are on the screen.
  if (source) live.note(plainText(source));
}

/** What to type next, where the answer cannot say it: it is read in chats as well. */
function nextStep(
  { error, provider, route, sessionId }: AskAnswer,
  { session, isWatched }: Pick<AnswerOptions, "session"> & { isWatched: boolean },
  say: CommandContext["say"],
): string | undefined {
  // Scripts that try things out with it need no hint.
  if (provider === "stub" && route !== "tool" && isWatched) return say("ask.no-model");
  if (error?.code !== "tool/limit" && !error?.code.startsWith("model/")) return undefined;
  // Without a session no turn began, and there is nothing to go on with.
  if (sessionId === "") return undefined;
  return say("ask.go-on", { session: session === undefined ? "" : `--session ${session} ` });
}

const isUsage = (thrown: unknown) => asPincerError(thrown).domain === "usage";

type Place = Pick<AnswerPlace, "program" | "context">;

function askInPlace({ program, context }: Place, live: LiveAnswer): ApprovalPrompt {
  const { say } = context;
  const reader = createLineReader(context, {
    line: (said) => void asking.take(said),
    interrupt: () => void asking.refuse(),
  });
  const asking = createApprovalPrompt({
    say,
    note: live.note,
    onEvent: live.onEvent,
    reader: reader && {
      ...reader,
      open(question) {
        live.hold();
        reader.open(question);
      },
      close() {
        reader.close();
        live.goOn();
      },
    },
    answer: answerByApi({ program, context }),
  });
  return asking;
}
