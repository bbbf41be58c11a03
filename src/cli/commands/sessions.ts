/** `pincer sessions`: listing, reading, exporting and deleting conversations. */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { textOf, type Entry } from "@pincer/sdk";
import type { Command } from "commander";
import type { SessionImport } from "../../storage/transcript/import-sessions.ts";
import type { SessionApi } from "../../operate/session-api.ts";
import { failure } from "../../infra/failure.ts";
import { beginMarkdown } from "../../infra/session-markdown.ts";
import { printJson, type CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";
import { createLiveAnswer } from "../live-answer.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { wholeNumber } from "../option-values.ts";

interface Options {
  json?: boolean;
  limit?: number;
  after?: string;
  agent?: string;
  channel?: string;
  state?: "active" | "ended";
  search?: string;
  output?: string;
  format?: string;
  yes?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const sessions = program.command("sessions").description(say("sessions.about"));

  const withApi = async (work: (api: SessionApi) => Promise<number | void>) => {
    const api = await openSessions(program, context);
    try {
      return await work(api);
    } finally {
      await api.close();
    }
  };

  sessions
    .command("list")
    .description(say("sessions.list"))
    .option("--limit <n>", say("sessions.limit"), wholeNumber(say), 50)
    .option("--after <cursor>", say("sessions.after"))
    .option("--agent <id>", say("sessions.agent"))
    .option("--channel <name>", say("sessions.channel"))
    .option("--state <state>", say("sessions.state"), oneOf(["active", "ended"]))
    .option("--search <text>", say("sessions.search"))
    .option("--json", say("help.json"))
    .action(
      context.run((options: Options) =>
        withApi(async (api) => {
          const page = await api.list({
            limit: Math.min(options.limit ?? 50, 1000),
            ...(options.after ? { after: options.after } : {}),
            ...(options.agent ? { agentId: options.agent } : {}),
            ...(options.channel ? { channel: options.channel } : {}),
            ...(options.state ? { state: options.state } : {}),
            ...(options.search ? { search: options.search } : {}),
          });
          if (options.json) return printJson(terminal, page);
          if (page.sessions.length === 0) {
            const filtered =
              options.after ?? options.agent ?? options.channel ?? options.state ?? options.search;
            return terminal.err(`${say(filtered === undefined ? "sessions.none" : "sessions.no-match")}\n`);
          }
          const rows = page.sessions.map((session) => [
            session.sessionKey,
            session.sessionId,
            session.state,
            say("sessions.messages", { count: session.messageCount }),
            session.updatedAt,
            session.label ?? "",
          ]);
          terminal.out(plainText(table(rows)));
          if (page.next) terminal.err(`${say("sessions.more", { after: page.next })}\n`);
        }),
      ),
    );

  sessions
    .command("show")
    .argument("<session>", say("sessions.which"))
    .description(say("sessions.show"))
    .option("--limit <n>", say("sessions.show-limit"), wholeNumber(say), 50)
    .option("--json", say("help.json"))
    .action(
      context.run((which: string, options: Options) =>
        withApi(async (api) => {
          const session = await api.find(which);
          const entries = await api.recent(session, options.limit ?? 50);
          if (options.json) return printJson(terminal, { session, entries });
          terminal.out(`${session.sessionKey}  ${session.sessionId}  ${session.state}\n\n`);
          for (const entry of entries) terminal.out(plainText(renderEntry(entry)));
        }),
      ),
    );

  sessions
    .command("export")
    .argument("<session>", say("sessions.which"))
    .description(say("sessions.export"))
    .option("-o, --output <file>", say("sessions.output"))
    .option("--format <format>", say("sessions.format"), oneOf(["jsonl", "markdown"]), "jsonl")
    .action(
      context.run((which: string, options: Options) =>
        withApi(async (api) => {
          const session = await api.find(which);
          const atTerminal = !options.output && terminal.outIsTerminal;
          const chunks =
            options.format === "markdown" ? markdown(api.entries(session), atTerminal) : api.lines(session);
          const count = await writeChunks(chunks, options.output, context);
          if (options.output) terminal.err(`${say("sessions.exported", { count, file: options.output })}\n`);
        }),
      ),
    );

  sessions
    .command("rename")
    .argument("<session>", say("sessions.which"))
    .argument("[name...]", say("sessions.rename.label"))
    .description(say("sessions.rename"))
    .option("--json", say("help.json"))
    .action(
      context.run((which: string, words: string[], options: Options) =>
        withApi(async (api) => {
          const session = await api.rename(await api.find(which), words.join(" "));
          if (options.json) return printJson(terminal, session);
          const { sessionId: id, label } = session;
          const said =
            label === null ? say("sessions.unnamed", { id }) : say("sessions.renamed", { id, label });
          terminal.err(`${plainText(said)}\n`);
        }),
      ),
    );

  sessions
    .command("import")
    .argument("<path...>", say("sessions.import-path"))
    .description(say("sessions.import"))
    .option("--json", say("help.json"))
    .action(
      context.run((paths: string[], options: Options) =>
        withApi(async (api) => {
          const imported = await api.import(paths, context.signal);
          if (imported.length === 0) terminal.err(`${say("sessions.import.none")}\n`);
          if (options.json) printJson(terminal, imported);
          else for (const each of imported) terminal.out(`${renderImport(each, context)}\n`);
          return imported.some(({ outcome }) => outcome.type === "skipped") ? 1 : 0;
        }),
      ),
    );

  sessions
    .command("delete")
    .argument("<session>", say("sessions.which"))
    .description(say("sessions.delete"))
    .option("-y, --yes", say("sessions.yes"))
    .option("--json", say("help.json"))
    .action(
      context.run((which: string, options: Options) =>
        withApi(async (api) => {
          const session = await api.find(which);
          const question = say("sessions.delete-sure", {
            key: session.sessionKey,
            count: session.messageCount,
          });
          const sure = await confirm(terminal, question, options.yes === true);
          if (sure === "nobody-to-ask") {
            throw failure("usage/bad-argument", "sessions.not-deleted", {}, { hint: "confirm.hint" });
          }
          if (sure === "no") {
            terminal.err(`${say("sessions.not-deleted")}
`);
            return 1;
          }
          await api.delete(session);
          if (options.json) return printJson(terminal, { deleted: session.sessionId });
          terminal.err(`${say("sessions.deleted", { id: session.sessionId })}\n`);
        }),
      ),
    );

  addCompact(sessions, program, context);
}

async function openSessions(program: Command, context: CommandContext): Promise<SessionApi> {
  const [{ openApi }, { createSessionApi }] = await Promise.all([
    import("../../app/open-api.ts"),
    import("../../operate/session-api.ts"),
  ]);
  const opened = await openApi("sessions", { ...context, version: program.version() ?? "" });
  return createSessionApi(opened, context.cwd);
}

/** The turn does the work, as any other; what it came to is read from the summary that it left. */
function addCompact(sessions: Command, program: Command, context: CommandContext): void {
  const { say, terminal, signal } = context;
  sessions
    .command("compact")
    .argument("<session>", say("sessions.which"))
    .argument("[instructions...]", say("sessions.compact.instructions"))
    .description(say("sessions.compact"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (session: string, words: string[], { json }: Options) => {
        const [{ compactSession }, { openApp }] = await Promise.all([
          import("../../operate/compact-session.ts"),
          import("../../app/open-app.ts"),
        ]);
        const live = createLiveAnswer(context, { streams: false, tellsTools: false });
        try {
          const { answer, result } = await compactSession(
            {
              openApp: () => openApp({ ...context, version: program.version() ?? "" }, {}),
              openSessions: () => openSessions(program, context),
            },
            { session, instructions: words.join(" "), signal, onEvent: live.onEvent, onWait: live.onWait },
          );
          if (json) {
            live.close();
            printJson(terminal, result);
          } else live.end(answer, "by-outcome");
          if (signal.aborted) return 130;
          return result.ok ? 0 : 1;
        } finally {
          live.close();
        }
      }),
    );
}

function renderImport({ file, outcome }: SessionImport, { say }: CommandContext): string {
  switch (outcome.type) {
    case "restored": {
      const { sessionKey: key, entries: count, problems } = outcome;
      const lost = problems.filter(({ type }) => losses.has(type));
      const [first] = lost;
      const restored = say("sessions.import.restored", { file, key, count });
      if (!first) return restored;
      const facts = { count: lost.length, line: first.line ?? "–", reason: first.reason };
      return `${restored}\n${say("sessions.import.lost", facts)}`;
    }
    case "exists":
      return say("sessions.import.exists", { file, id: outcome.sessionId });
    case "skipped":
      return say("sessions.import.skipped", { file, reason: outcome.reason });
  }
}

/** What is wrong with a transcript so that something of it is missing. */
const losses: ReadonlySet<string> = new Set(["bad-line", "torn-end", "conflict", "gap"]);

function renderEntry(entry: Entry): string {
  if (entry.type !== "message") return `  · ${entry.type} ${entry.time}\n`;
  const { message } = entry;
  const calls = message.content.flatMap((block) =>
    block.type === "toolCall" ? [`→ ${block.name} ${JSON.stringify(block.arguments)}`] : [],
  );
  const name = message.role === "toolResult" ? `← ${message.toolName}` : message.role;
  return `${name}  ${entry.time}\n${[textOf(message), ...calls].filter(Boolean).join("\n")}\n\n`;
}

async function* markdown(entries: AsyncIterable<Entry>, atTerminal: boolean): AsyncIterable<string> {
  const write = beginMarkdown(atTerminal ? plainText : undefined);
  for await (const entry of entries) {
    const text = write(entry);
    if (text !== "") yield text;
  }
}

/** To the file, which must not exist yet, or to stdout. Answers how many chunks there were. */
async function writeChunks(
  chunks: AsyncIterable<string>,
  file: string | undefined,
  { terminal, signal }: CommandContext,
): Promise<number> {
  let count = 0;
  async function* counted() {
    for await (const chunk of chunks) {
      count++;
      yield chunk;
    }
  }
  if (!file) {
    for await (const chunk of counted()) {
      if (!(await terminal.stream(chunk, signal))) break;
    }
    return count;
  }
  try {
    await pipeline(counted(), createWriteStream(file, { flags: "wx", mode: 0o600 }));
    return count;
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === "EEXIST";
    const reason = (error as Error).message;
    throw failure(
      "usage/bad-argument",
      exists ? "file.exists" : "failure.file",
      { file, reason },
      { cause: error },
    );
  }
}

const oneOf = (values: string[]) => (value: string) => {
  if (values.includes(value)) return value;
  throw failure("usage/bad-argument", "failure.one-of", { value, values: values.join(", ") });
};
