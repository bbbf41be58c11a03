/** `pincer message`: a message sent by hand, without a turn. */
import { randomUUID } from "node:crypto";
import type { OutboxView, SentView } from "@pincer/sdk";
import type { Command } from "commander";
import { systemClock } from "../../infra/clock.ts";
import { printJson, type CommandContext } from "../command.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { readInput } from "../read-input.ts";
import { withApi } from "./with-api.ts";

interface Options {
  to: string;
  text?: string;
  account?: string;
  agent?: string;
  replyTo?: string;
  idempotencyKey?: string;
  wait?: boolean;
  timeout: number;
  json?: boolean;
}

const usualSeconds = 60;
const lookAgainMs = 100;

export function register(program: Command, context: CommandContext): void {
  const { say, terminal, signal } = context;
  const place = { program, context };
  const message = program.command("message").description(say("message.about"));

  message
    .command("send")
    .description(say("message.send"))
    .argument("[words...]", say("message.text"))
    .requiredOption("--to <recipient>", say("message.to"))
    .option("--text <text>", say("message.text"))
    .option("--account <id>", say("message.account"))
    .option("--agent <id>", say("agents.id"))
    .option("--reply-to <id>", say("message.reply-to"))
    .option("--idempotency-key <key>", say("message.key"))
    .option("--wait", say("message.wait"))
    .option("--timeout <seconds>", say("message.timeout"), wholeNumber(say), usualSeconds)
    .option("--json", say("help.json"))
    .action(
      context.run(async (words: string[], options: Options) => {
        const given = options.text === undefined ? words : [options.text];
        const { input: text } = await readInput(given, terminal.stdin, signal);
        const sent = await withApi("send", place, ({ api }) =>
          api.message({
            to: options.to,
            text,
            idempotencyKey: options.idempotencyKey ?? randomUUID(),
            ...(options.account === undefined ? {} : { accountId: options.account }),
            ...(options.agent === undefined ? {} : { agentId: options.agent }),
            ...(options.replyTo === undefined ? {} : { replyTo: options.replyTo }),
          }),
        );
        return options.wait ? finish(sent, options) : begin(sent, options);
      }),
    );

  function begin(sent: SentView, { json }: Options): number {
    if (json) printJson(terminal, sent);
    else tell(sent);
    return sent.state === "failed" || sent.state === "dropped" ? 1 : 0;
  }

  async function finish(sent: SentView, { json, timeout }: Options): Promise<number> {
    const message = sent.delivers ? await arrival(sent, timeout) : undefined;
    const state = message?.state ?? sent.state;
    if (json) printJson(terminal, { ...sent, state, error: message?.error ?? null });
    else if (!sent.delivers) terminal.err(`${say("message.wait.no-gateway")}\n`);
    else tellArrival(sent, message);
    return state === "sent" ? 0 : 1;
  }

  /** The first of the rows that does not arrive, or the last; as it is when the time is over. */
  async function arrival({ ids }: SentView, seconds: number): Promise<OutboxView | undefined> {
    const until = systemClock.monotonic() + seconds * 1000;
    return withApi("outbox", place, async ({ api }) => {
      let last: OutboxView | undefined;
      for (const id of ids) {
        for (;;) {
          ({ message: last } = await api.get({ id }));
          if (isOver(last) || systemClock.monotonic() >= until) break;
          await systemClock.sleep(lookAgainMs, signal);
        }
        if (last.state !== "sent") return last;
      }
      return last;
    });
  }

  function tell({ id, recipient, state, duplicate, delivers }: SentView): void {
    const to = plainText(recipient);
    const words = duplicate
      ? say("message.again", { id, state })
      : say("message.queued", { id, recipient: to });
    terminal.err(`${words}\n`);
    if (!delivers) terminal.err(`${say("option.later")}\n`);
  }

  function tellArrival({ recipient }: SentView, message: OutboxView | undefined): void {
    if (!message) return;
    const { id, state, error } = message;
    if (state === "sent")
      return terminal.err(`${say("message.sent", { id, recipient: plainText(recipient) })}\n`);
    const words = isOver(message)
      ? say("message.failed", { id, reason: plainText(error?.message ?? state) })
      : say("message.still", { id, state });
    return terminal.err(`${words}\n`);
  }
}

const isOver = ({ state }: OutboxView): boolean =>
  state === "sent" || state === "failed" || state === "dropped";
