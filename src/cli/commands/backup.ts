/** `pincer backup`: creating, verifying and restoring backups. */
import type { Command } from "commander";
import { createBackupApi, type BackupApi } from "../../operate/backup-api.ts";
import { formatBytes } from "../../infra/format-bytes.ts";
import { printJson, type CommandContext } from "../command.ts";
import { failure } from "../../infra/failure.ts";
import { confirm } from "../confirm.ts";
import { createProgressLine, percent } from "../progress-line.ts";
import { table } from "../table.ts";

interface Options {
  json?: boolean;
  withKey?: boolean;
  yes?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const backup = program.command("backup").description(say("backup.about"));

  const withApi = async <Result>(
    title: string,
    work: (api: BackupApi) => Promise<Result>,
  ): Promise<Result> => {
    const line = createProgressLine(terminal);
    const api = createBackupApi({
      ...context,
      version: program.version() ?? "",
      onProgress: (done, total) => line.show(`${title} ${percent(done, total)}`),
    });
    return work(api).finally(() => line.clear());
  };
  const tell = (text: string) => terminal.err(`${text}\n`);

  backup
    .command("create")
    .argument("[directory]", say("backup.create.directory"))
    .description(say("backup.create"))
    .option("--with-key", say("backup.with-key"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (directory: string | undefined, options: Options) => {
        const withKey = options.withKey === true;
        const made = await withApi(say("backup.create.working"), (api) => api.create({ directory, withKey }));
        if (options.json) return printJson(terminal, made);
        const { database, files } = made.manifest;
        terminal.out(`${made.directory}\n`);
        tell(
          say("backup.create.done", { sessions: database?.sessions ?? 0, entries: database?.entries ?? 0 }),
        );
        tell(say("backup.create.no-workdir"));
        if (made.manifest.withKey) tell(say("backup.create.key-in"));
        else if (files.some(({ name }) => name === "secrets.json")) tell(say("backup.create.key-out"));
      }),
    );

  backup
    .command("verify")
    .argument("<directory>", say("backup.directory"))
    .description(say("backup.verify"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (directory: string, options: Options) => {
        const found = await withApi(say("backup.verify.working"), (api) => api.verify(directory));
        if (options.json) printJson(terminal, found);
        else if (found.ok) terminal.out(`${say("backup.verify.whole", { directory: found.directory })}\n`);
        else {
          for (const problem of found.problems) tell(problem);
          tell(say("backup.verify.damaged", { directory: found.directory }));
        }
        return found.ok ? 0 : 1;
      }),
    );

  backup
    .command("restore")
    .argument("<directory>", say("backup.directory"))
    .description(say("backup.restore"))
    .option("-y, --yes", say("sessions.yes"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (directory: string, options: Options) => {
        let sure: Awaited<ReturnType<typeof confirm>> = "nobody-to-ask";
        const restored = await withApi(say("backup.restore.working"), (api) =>
          api.restore(directory, async ({ createdAt, database }) => {
            const question = say("backup.restore.sure", { createdAt, sessions: database?.sessions ?? 0 });
            sure = await confirm(terminal, question, options.yes === true);
            return sure === "yes";
          }),
        );
        if (!restored) {
          if (sure === "nobody-to-ask") {
            throw failure("usage/bad-argument", "backup.restore.not", {}, { hint: "confirm.hint" });
          }
          terminal.err(`${say("backup.restore.not")}\n`);
          return 1;
        }
        if (options.json) return printJson(terminal, restored);
        const { manifest, before, setAside, transcriptsSetAside, transcriptsBehind } = restored;
        const { sessions = 0, entries = 0 } = manifest.database ?? {};
        terminal.out(`${say("backup.restore.done", { createdAt: manifest.createdAt, sessions, entries })}\n`);
        tell(say("backup.restore.before", { before }));
        if (setAside) tell(say("doctor.database.set-aside", { aside: setAside }));
        if (restored.config === "not-in-backup") tell(say("backup.restore.no-config"));
        if (restored.secrets === "locked") tell(say("backup.restore.locked"));
        const { policy } = restored;
        if (manifest.database && !policy) tell(say("backup.restore.policy-unknown"));
        if (policy && Object.values(policy).some((count) => count > 0))
          tell(say("backup.restore.policy", { ...policy }));
        const { turns, sends } = restored.held;
        if (turns + sends > 0) tell(say("backup.restore.held", { turns, sends }));
        if (restored.secrets === "kept") tell(say("backup.restore.kept"));
        if (transcriptsSetAside > 0) tell(say("backup.restore.aside", { count: transcriptsSetAside }));
        if (transcriptsBehind > 0) tell(say("backup.restore.behind", { count: transcriptsBehind }));
      }),
    );

  backup
    .command("list")
    .description(say("backup.list"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (options: Options) => {
        const listed = await withApi("", (api) => api.list());
        if (options.json) return printJson(terminal, { backups: listed });
        if (listed.length === 0) return tell(say("backup.list.none"));
        const rows = listed.map((each) => {
          if (each.type === "partial") return [each.name, say("backup.list.partial")];
          if (each.type === "unreadable") return [each.name, each.reason];
          const count = each.manifest.database?.sessions ?? 0;
          return [
            each.name,
            each.manifest.createdAt,
            formatBytes(each.sizeBytes),
            say("backup.list.sessions", { count }),
          ];
        });
        terminal.out(table(rows));
      }),
    );
}
