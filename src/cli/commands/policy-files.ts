/** `pincer policy labels` and `pincer policy accept`: whose words are in files, and which versions of them count. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { FileLabelView, LabelView, SteeringFileView, TurnLabelView } from "@pincer/sdk";
import type { Command } from "commander";
import type { Say } from "../../infra/texts.ts";
import { printJson, type CommandContext } from "../command.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { isSure, withApi } from "./with-api.ts";

interface Options {
  trust?: string;
  agent?: string;
  limit?: number;
  json?: boolean;
  yes?: boolean;
}

const usualLimit = 100;

export function registerLabels(policy: Command, program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };

  policy
    .command("labels")
    .argument("[what]", say("policy.labels.what"))
    .description(say("policy.labels"))
    .option("--trust <path>", say("policy.labels.trust"))
    .option("--agent <id>", say("policy.agent"))
    .option("--limit <n>", say("option.limit"), wholeNumber(say), usualLimit)
    .option("--json", say("help.json"))
    .action(
      context.run((what: string | undefined, options: Options) =>
        withApi("policy", place, async ({ api }) => {
          const named = ofAgent(options);
          if (options.trust !== undefined) {
            const done = await api.trust({ path: pathOf(options.trust, context), ...named });
            if (options.json) return printJson(terminal, done);
            terminal.err(`${say("policy.labels.trusted", { count: done.trusted })}\n`);
            if (done.skipped.length > 0)
              terminal.err(
                plainText(`${say("policy.labels.skipped", { files: done.skipped.join(", ") })}\n`),
              );
            return;
          }
          const limit = Math.min(options.limit ?? usualLimit, 1000);
          const path = what !== undefined && isPath(what, context) ? pathOf(what, context) : undefined;
          const session = what === undefined || path !== undefined ? {} : { sessionKey: what };
          const found = await api.labels({ ...(path === undefined ? session : { path }), ...named, limit });
          if (options.json) return printJson(terminal, found);
          const rows =
            found.type === "files"
              ? found.files.map((file) => fileRow(file, say))
              : found.turns.map((turn) => turnRow(turn, say));
          if (rows.length === 0) return terminal.err(`${say("policy.labels.none")}\n`);
          terminal.out(plainText(table(rows)));
          if (found.type === "files" && found.isCut) terminal.err(`${say("policy.labels.cut")}\n`);
        }),
      ),
    );
}

export function registerAccept(policy: Command, program: Command, context: CommandContext): void {
  const { say, terminal } = context;

  policy
    .command("accept")
    .argument("[path]", say("policy.accept.path"))
    .description(say("policy.accept"))
    .option("--agent <id>", say("policy.agent"))
    .option("--json", say("help.json"))
    .option("-y, --yes", say("option.yes"))
    .action(
      context.run((path: string | undefined, options: Options) =>
        withApi("policy", { program, context }, async ({ api }) => {
          const asked = { path: path === undefined ? "." : pathOf(path, context), ...ofAgent(options) };
          const { workdir, files } = await api.steering(asked);
          const waiting = files.filter(({ state }) => state === "changed" || state === "new");
          for (const file of files.filter(({ state }) => state !== "accepted"))
            terminal.err(plainText(`${steeringWords(file, say)}\n`));
          if (waiting.length === 0) {
            if (options.json) return printJson(terminal, { accepted: [], changed: [] });
            return terminal.err(plainText(`${say("policy.accept.none", { workdir })}\n`));
          }
          const question = say("policy.accept.sure");
          if (!(await isSure(context, question, { yes: options.yes, otherwise: "policy.accept.not" })))
            return 1;
          // Each as it was shown.
          const done = await api.accept({ ...asked, hashes: waiting.flatMap(({ hash }) => hash ?? []) });
          if (options.json) printJson(terminal, done);
          else if (done.accepted.length > 0)
            terminal.err(plainText(`${say("policy.accept.done", { files: done.accepted.join(", ") })}\n`));
          if (done.changed.length === 0) return;
          terminal.err(plainText(`${say("policy.accept.moved", { files: done.changed.join(", ") })}\n`));
          return 1;
        }),
      ),
    );
}

const ofAgent = ({ agent }: Options) => (agent === undefined ? {} : { agentId: agent });

/** What people name is where they are; else it is in the workdir. */
const pathOf = (path: string, { cwd }: Pick<CommandContext, "cwd">): string => {
  const here = resolve(cwd, path);
  return existsSync(here) ? here : path;
};

/** No session has the name of a file that is there, and session keys have colons. */
const isPath = (what: string, context: Pick<CommandContext, "cwd">): boolean =>
  existsSync(resolve(context.cwd, what)) || (!what.includes(":") && /[/\\]|\.[a-z0-9]{1,8}$/iu.test(what));

const fileRow = (file: FileLabelView, say: Say): string[] => [
  file.name,
  labelWords(file, say),
  `${say(`policy.label.why.${file.why}`)}, ${file.since}`,
];

const turnRow = (turn: TurnLabelView, say: Say): string[] => [
  turn.turnId,
  turn.at,
  labelWords(turn, say),
  turn.because.join(", "),
];

const labelWords = ({ untrusted, sources }: LabelView, say: Say): string =>
  [say(untrusted ? "policy.label.untrusted" : "policy.label.trusted"), ...sources].join(" ");

function steeringWords({ name, state, diff }: SteeringFileView, say: Say): string {
  const heading = say(
    state === "large"
      ? "policy.accept.large"
      : state === "new"
        ? "policy.accept.new"
        : "policy.accept.changed",
    { name },
  );
  // Without its head, which only repeats the name.
  const lines = diff.trimEnd().split("\n").slice(2);
  return [heading, ...lines.map((line) => `  ${line}`)].join("\n");
}
