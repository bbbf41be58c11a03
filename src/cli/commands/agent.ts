/** `pincer agent`: one turn of an agent, whose answer may be delivered on a channel. */
import { asPincerError } from "@pincer/sdk";
import { InvalidArgumentError, type Command } from "commander";
import type { AskAnswer } from "../../routing/ask-turn.ts";
import { failure, sayError } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import type { CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { addTurnOptions } from "../turn-options.ts";
import { answerOnce, type AnswerOptions } from "./answer-once.ts";
import { withApi } from "./with-api.ts";

interface Options extends AnswerOptions {
  to?: string;
  channel?: string;
  account?: string;
  deliver?: boolean;
}

const thinkingLevels = ["off", "minimal", "low", "medium", "high", "xhigh"] as const;

export function register(program: Command, context: CommandContext): void {
  const { say } = context;
  const command = program
    .command("agent")
    .description(say("agent.about"))
    .argument("[message...]", say("agent.message"));
  addTurnOptions(command, context)
    .option("--thinking <level>", say("agent.thinking", { levels: thinkingLevels.join(", ") }), (text) =>
      readLevel(text, say),
    )
    .option("--to <recipient>", say("agent.to"))
    .option("--channel <name>", say("agent.channel"))
    .option("--account <id>", say("agent.account"))
    .option("--deliver", say("agent.deliver"))
    .option("--new-session", say("ask.new-session"))
    .option("--continue", say("ask.continue"))
    .option("--debug", say("ask.debug"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (words: string[], options: Options) => {
        const { to, channel } = options;
        if (channel !== undefined && to === undefined)
          throw failure("usage/bad-argument", "agent.channel-alone");
        const recipient = channel === undefined ? to : `${channel}:${to}`;
        const isDelivered = recipient !== undefined || options.deliver === true;
        return answerOnce(
          { program, command, context },
          words,
          options,
          isDelivered ? (answer) => deliver(answer, recipient, options) : undefined,
        );
      }),
    );

  /** Under the run's own id: however often it is tried, the answer goes out once. */
  async function deliver(answer: AskAnswer, recipient: string | undefined, { account, agent }: Options) {
    const { terminal } = context;
    try {
      const delivery = await withApi("send", { program, context }, ({ api }) =>
        api.message({
          to: recipient ?? answer.sessionKey,
          text: answer.result,
          idempotencyKey: `agent:${answer.requestId}`,
          ...(account === undefined ? {} : { accountId: account }),
          ...(agent === undefined ? {} : { agentId: agent }),
        }),
      );
      const { id, recipient: reached, delivers } = delivery;
      terminal.err(`${say("agent.delivered", { id, recipient: plainText(reached) })}\n`);
      if (!delivers) terminal.err(`${say("option.later")}\n`);
      return { more: { delivery }, status: 0 };
    } catch (thrown) {
      // The answer is there all the same, and is shown.
      const error = asPincerError(thrown);
      const { message, hint } = sayError(error, say);
      terminal.err(`${say("agent.undelivered", { reason: plainText(message) })}\n`);
      if (hint) terminal.err(`${say("error.hint", { hint: plainText(hint) })}\n`);
      return { more: { delivery: { error: { code: error.code, message: error.message } } }, status: 1 };
    }
  }
}

function readLevel(text: string, say: Say): (typeof thinkingLevels)[number] {
  const level = thinkingLevels.find((each) => each === text);
  if (!level)
    throw new InvalidArgumentError(say("agent.thinking.not", { levels: thinkingLevels.join(", ") }));
  return level;
}
