/** `pincer audit`: who did what, whether the log is intact, and exports of it. */
import type { AuditPage, AuditProblemView, AuditRecordView } from "@pincer/sdk";
import { InvalidArgumentError, type Command } from "commander";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { printJson, type CommandContext } from "../command.ts";
import { dayOption } from "../day-option.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi, firstLine } from "./with-api.ts";

interface Narrowing {
  session?: string;
  run?: string;
  actor?: string;
  action?: string;
  from?: string;
  to?: string;
}

interface QueryOptions extends Narrowing {
  limit: number;
  before?: number;
  json?: boolean;
}

interface ExportOptions extends Narrowing {
  format: "jsonl" | "csv";
  file?: string;
}

const recordsAtOnce = 500;

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const audit = program.command("audit").description(say("audit.about"));

  narrowed(audit.command("query").description(say("audit.query")), say)
    .option("--limit <n>", say("option.limit"), wholeNumber(say), 50)
    .option("--before <n>", say("option.before"), wholeNumber(say))
    .option("--json", say("help.json"))
    .action(
      context.run((options: QueryOptions) =>
        withApi("audit", place, async ({ api }) => {
          const { before, json } = options;
          const limit = Math.min(options.limit, 1000);
          const page = await api.query({
            ...narrowing(options),
            limit,
            ...(before === undefined ? {} : { before }),
          });
          if (json) return printJson(terminal, page);
          if (page.records.length === 0) return terminal.err(`${say("audit.none")}\n`);
          terminal.out(plainText(table(page.records.map(row))));
          if (page.next !== null) terminal.err(`${say("option.more", { before: page.next })}\n`);
        }),
      ),
    );

  audit
    .command("verify")
    .description(say("audit.verify"))
    .option("--json", say("help.json"))
    .action(
      context.run(({ json }: { json?: boolean }) =>
        withApi("audit", place, async ({ api }) => {
          const found = await api.verify({}, { signal: context.signal });
          if (json) printJson(terminal, found);
          else if (!found.ok)
            terminal.out(
              `${[say("audit.verify.broken"), ...found.problems.map((each) => `- ${sayProblem(each, say)}`)].join("\n")}\n`,
            );
          else if (!found.head) terminal.out(`${say("audit.verify.empty")}\n`);
          else {
            const { seq, digest } = found.head;
            const counts = { rows: found.rows, seq, anchored: found.anchoredSeq };
            terminal.out(`${say("audit.verify.ok", counts)}\n${say("audit.verify.head", { seq, digest })}\n`);
          }
          return found.ok ? 0 : 1;
        }),
      ),
    );

  narrowed(audit.command("export").description(say("audit.export")), say)
    .option("--format <format>", say("audit.format"), (text) => readFormat(text, say), "jsonl")
    .option("--file <file>", say("audit.file"))
    .action(
      context.run((options: ExportOptions) =>
        withApi("audit", place, async ({ api }) => {
          const { format, file } = options;
          const target = file === undefined ? undefined : await createTarget(resolve(context.cwd, file));
          const write = async (text: string) =>
            target ? (await target.writeFile(text), true) : terminal.stream(text, context.signal);
          try {
            let count = 0;
            let next: { before?: number } | undefined = {};
            if (format === "csv") await write(csvHead);
            while (next) {
              context.signal.throwIfAborted();
              const page: AuditPage = await api.export({
                ...narrowing(options),
                limit: recordsAtOnce,
                ...next,
              });
              const isTaken = await write(page.records.map(format === "csv" ? csvLine : jsonLine).join(""));
              if (!isTaken) return;
              count += page.records.length;
              next = page.next === null ? undefined : { before: page.next };
            }
            await target?.sync();
            if (file !== undefined) terminal.err(`${say("audit.exported", { count, file })}\n`);
          } finally {
            await target?.close();
          }
        }),
      ),
    );
}

/** What the kind of trouble is called, and where it is. */
function sayProblem({ kind, seq = 0, toSeq = seq }: AuditProblemView, say: Say): string {
  return say(`audit.problem.${kind}`, { seq, toSeq });
}

const narrowed = (command: Command, say: Say): Command =>
  command
    .option("--session <key>", say("audit.session"))
    .option("--run <id>", say("audit.run"))
    .option("--actor <who>", say("audit.actor"))
    .option("--action <what>", say("audit.action"))
    .option("--from <day>", say("audit.from"), dayOption("from", say))
    .option("--to <day>", say("audit.to"), dayOption("to", say));

const narrowing = ({ session, run, actor, action, from, to }: Narrowing) => ({
  ...(session === undefined ? {} : { sessionKey: session }),
  ...(run === undefined ? {} : { runId: run }),
  ...(actor === undefined ? {} : { actor }),
  ...(action === undefined ? {} : { action }),
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

const row = (record: AuditRecordView): string[] => [
  String(record.seq),
  record.createdAt,
  record.actor,
  record.action,
  record.resourceId,
  firstLine(JSON.stringify(record.metadata), 80),
];

function readFormat(text: string, say: Say): "jsonl" | "csv" {
  if (text === "jsonl" || text === "csv") return text;
  throw new InvalidArgumentError(say("audit.not-format", { format: text }));
}

/** For the owner alone; a file that is there is never written over. */
async function createTarget(file: string) {
  return open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw failure("usage/bad-argument", "audit.file-exists", { file }, { hint: "audit.file-exists.hint" });
  });
}

const jsonLine = (record: AuditRecordView): string => `${JSON.stringify(record)}\n`;

const csvHead = "seq,time,actor,action,resource_type,resource_id,session_key,run_id,metadata\r\n";

const csvLine = (record: AuditRecordView): string =>
  `${[
    record.seq,
    record.createdAt,
    record.actor,
    record.action,
    record.resourceType,
    record.resourceId,
    record.sessionKey ?? "",
    record.runId ?? "",
    JSON.stringify(record.metadata),
  ]
    .map((each) => csvCell(String(each)))
    .join(",")}\r\n`;

/** A spreadsheet takes what begins with one of these for a formula, and would run it. */
function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
