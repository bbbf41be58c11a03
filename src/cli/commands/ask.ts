/** `pincer ask`: one question, one answer, then the process ends. */
import { asPincerError } from "@pincer/sdk";
import type { Command } from "commander";
import { printJson, type CommandContext } from "../command.ts";
import { failure } from "../../infra/failure.ts";
import { createLiveAnswer, type LiveAnswer } from "../live-answer.ts";
import { plainText } from "../plain-text.ts";
import { usageLine } from "../program.ts";
import { readInput } from "../read-input.ts";
import { answerAtDesk, createApprovalPrompt, type ApprovalPrompt } from "./approval-prompt.ts";
import { createLineReader } from "./line-reader.ts";
import { addTurnOptions, explicitWishes, turnRequest, type TurnOptions } from "../turn-options.ts";

/** What commands there are is looked up only where one may be meant: most questions do without. */
const isForShell = async (input: string): Promise<boolean> =>
  input.startsWith(",") && (await import("./chat-commands.ts")).isShellLine(input);

const isUsage = (thrown: unknown) => asPincerError(thrown).domain === "usage";

interface AskOptions extends TurnOptions {
  newSession?: boolean;
  continue?: boolean;
  debug?: boolean;
  json?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal, signal } = context;
  const answerAsRule = async (line: string) => {
    const { answerRule } = await import("../../app/answer-rule.ts");
    return answerRule(line, {
      say,
      async open(work) {
        const { atDesk } = await import("./at-desk.ts");
        return atDesk("rules", { program, context }, ({ desk }) => work(desk));
      },
    });
  };
  const command = program
    .command("ask")
    .description(say("ask.about"))
    .argument("[input...]", say("ask.input"));
  addTurnOptions(command, context, 3)
    .option("--new-session", say("ask.new-session"))
    .option("--continue", say("ask.continue"))
    .option("--debug", say("ask.debug"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (words: string[], options: AskOptions) => {
        if (options.continue && options.newSession) throw failure("usage/bad-argument", "ask.continue-new");
        const isBare = options.continue && words.length === 0;
        const reading = isBare
          ? Promise.resolve(say("continue.words"))
          : readInput(words, terminal.stdin, signal);
        const input = await reading.catch((error: unknown) => {
          if (!signal.aborted) terminal.err(usageLine(command, context));
          throw error;
        });
        const request = {
          ...turnRequest(options),
          ...(options.continue ? { continues: true, wishes: explicitWishes(command, options) } : {}),
          input,
          signal,
        };
        request.wishes.attended = "once";
        // What comes through a pipe may be anybody's words: it sets no rules.
        const isTyped = words.length > 0 && words.join(" ") !== "-";
        // Nor does it run programs.
        if (isTyped && (await isForShell(input))) request.wishes.shellLine = context.redactor.text(input);
        const ruled = isTyped && !options.continue ? await answerAsRule(input) : undefined;
        if (ruled !== undefined) {
          if (!options.json) terminal.out(`${plainText(ruled)}\n`);
          else {
            const { commandAnswer } = await import("../../app/ask.ts");
            printJson(terminal, commandAnswer(request, ruled, say));
          }
          return 0;
        }
        const { openApp } = await import("../../app/open-app.ts");
        const parts = { ...context, version: program.version() ?? "" };
        const app = await openApp(parts, options).catch(async (error: unknown) => {
          if (!options.json || isUsage(error)) throw error;
          const { unanswered } = await import("../../app/ask.ts");
          const { configuredProvider } = await import("../../app/configured-provider.ts");
          const configured = await configuredProvider(context.environment, options.agent);
          printJson(terminal, unanswered(request, error, { say, configured }));
          return undefined;
        });
        if (!app) return 1;
        const streams = terminal.outIsTerminal && !options.json;
        const live = createLiveAnswer(context, { streams, tellsTools: false });
        const asking = askInPlace(live);
        try {
          const answer = await app.ask({
            ...request,
            onEvent: asking.onEvent,
            onWait: (message) => asking.aside(() => live.onWait(message)),
          });
          await asking.close();
          live.close();
          const source = options.debug ? `[${answer.provider}/${answer.model}]` : "";
          if (options.json) printJson(terminal, answer);
          else if (source && !streams)
            live.end({ ...answer, result: `${source} ${answer.result}` }, "by-outcome");
          else {
            live.end(answer, "by-outcome");
            // Who answers is known only when the words are on the screen.
            if (source) live.note(plainText(source));
          }
          if (signal.aborted) return 130;
          return answer.error === undefined ? 0 : 1;
        } finally {
          await asking.close();
          live.close();
          await app.close();
        }
      }),
    );

  function askInPlace(live: LiveAnswer): ApprovalPrompt {
    const reader = createLineReader(context, {
      line: (text) => void asking.take(text),
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
      answer: answerAtDesk({ program, context }),
    });
    return asking;
  }
}
