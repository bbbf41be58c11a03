/** `pincer policy`: what the gate would decide about a call, which rule decides, and what it knows of files. */
import type { GrantedTurnView, MethodParams, PolicyExplanation } from "@pincer/sdk";
import { InvalidArgumentError, type Command } from "commander";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { causeWords, grantedLines, reasonLine } from "../approval-words.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { registerAccept, registerLabels } from "./policy-files.ts";
import { withApi } from "./with-api.ts";

type Caller = NonNullable<MethodParams<"policy.explain">["as"]>;

interface Options {
  args?: string;
  as?: Caller;
  session?: string;
  agent?: string;
  json?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const policy = program.command("policy").description(say("policy.about"));

  policy
    .command("explain")
    .argument("<what>", say("policy.what"))
    .description(say("policy.explain"))
    .option("--args <json>", say("policy.args"))
    .option("--as <who>", say("policy.as"), (text) => readCaller(text, say))
    .option("--session <key>", say("policy.session"))
    .option("--agent <id>", say("policy.agent"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (tool: string, { args, as, session, agent, json }: Options) => {
        const turns = turnsNamed(tool);
        if (turns) {
          if ([args, as, session, agent].some((option) => option !== undefined))
            throw failure("usage/bad-argument", "policy.granted.options");
          return showGranted(turns, json === true);
        }
        const given = args === undefined ? {} : { arguments: readArguments(args) };
        const caller: Caller = {
          ...as,
          ...(session === undefined ? {} : { sessionKey: session }),
          ...(agent === undefined ? {} : { agentId: agent }),
        };
        await withApi("policy", { program, context }, async ({ api, language }) => {
          const explanation = await api.explain({
            tool,
            ...given,
            ...(Object.keys(caller).length === 0 ? {} : { as: caller }),
            ...(language ? { language } : {}),
          });
          if (json) return printJson(terminal, explanation);
          terminal.out(plainText(explanationWords(tool, explanation, say)));
        });
      }),
    );
  registerLabels(policy, program, context);
  registerAccept(policy, program, context);

  async function showGranted(turns: MethodParams<"policy.granted">, isJson: boolean): Promise<void> {
    await withApi("policy", { program, context }, async ({ api }) => {
      const found = await api.granted(turns);
      if (isJson) return printJson(terminal, found);
      if (found.turns.length === 0) return terminal.err(`${say("policy.granted.none")}\n`);
      terminal.out(plainText(found.turns.map((turn) => grantedTurnWords(turn, say)).join("\n")));
    });
  }
}

/** No tool has the name of a run, and session keys have colons. */
function turnsNamed(what: string): MethodParams<"policy.granted"> | undefined {
  if (/^r_[0-9a-z]{26}$/u.test(what)) return { runId: what };
  return what.includes(":") ? { sessionKey: what } : undefined;
}

function grantedTurnWords(turn: GrantedTurnView, say: Say): string {
  const lines = grantedLines(turn, say);
  const shown = lines.length > 0 ? lines : [say("granted.planner.not-needed")];
  return `${turn.turnId}  ${turn.at}\n${shown.map((line) => `  ${line}\n`).join("")}`;
}

function explanationWords(tool: string, explanation: PolicyExplanation, say: Say): string {
  const { verdict, rule, cause, steps } = explanation;
  const because = cause ? [`  ${causeWords(cause, say)}`] : [];
  const head = [
    `${say(`policy.verdict.${verdict}`, { tool })}: ${reasonLine(explanation, say)}`,
    `  ${say("policy.decided", { ...rule })}`,
    ...because,
  ];
  const rows = steps.map(({ layer, source, says, words, reasons }) => [
    `  ${layer}`,
    says,
    source,
    reasonLine({ reason: words, reasons }, say),
  ]);
  return `${head.join("\n")}\n${rows.length === 0 ? "" : `\n${table(rows)}`}`;
}

function readArguments(text: string): Record<string, unknown> {
  const wrong = (reason: string, cause?: unknown) =>
    failure("usage/bad-argument", "policy.args.not", { reason }, { hint: "policy.args.hint", cause });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error), error);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(text);
  return value as Record<string, unknown>;
}

function readCaller(text: string, say: Say): Caller {
  if (text === "owner" || text === "peer" || text === "group") return { role: text };
  const [, channel, chatId] = /^([a-z][\w-]*):(.+)$/i.exec(text) ?? [];
  if (channel === undefined || chatId === undefined)
    throw new InvalidArgumentError(say("policy.as.not", { value: text }));
  return { channel, chatId };
}
