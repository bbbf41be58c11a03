/** `pincer config`: read, change, check and undo the configuration. */
import type { Command } from "commander";
import { formatPath, readPath } from "@pincer/sdk";
import { createConfigApi, notSet } from "../../gateway/methods/config-api.ts";
import { parsePath } from "../../config/parse-path.ts";
import { plainProblem } from "../../config/loaded-config.ts";
import { maskConfig } from "../../config/mask-config.ts";
import { writeMigration } from "../../config/set-config.ts";
import { printJson, type CommandContext } from "../command.ts";
import { wholeNumber } from "../option-values.ts";
import { table } from "../table.ts";
import {
  openConfigApi,
  printOnOneLine,
  printValue,
  readValue,
  reportChange,
  settingsInForce,
  takeUp,
  tellChange,
  validateFile,
} from "./config-api.ts";

interface Options {
  json?: boolean;
  force?: boolean;
  defaults?: boolean;
  sources?: boolean;
  strict?: boolean;
  diff?: boolean;
  dryRun?: boolean;
  limit?: number;
  profile?: string;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const api = openConfigApi(context, "user");
  const { editor } = api;
  const changes = createConfigApi({
    home: editor.home,
    environment: context.environment,
    editor,
    say,
    takeUp: () => takeUp(context),
    channelKeys: async (channel) => (await import("../../app/connectors.ts")).connectorKeys(channel),
  });
  const config = program.command("config").description(say("config.about"));
  const add = (name: string, about: Parameters<typeof say>[0]) =>
    config.command(name).description(say(about)).option("--json", say("help.json"));

  add("get", "config.get")
    .argument("<path>", say("config.path.argument"))
    .option("--profile <name>", say("config.profile"))
    .action(
      context.run(async (text: string, options: Options) => {
        const path = parsePath(text);
        const loaded = await api.load(options.profile);
        const value = readPath(maskConfig(loaded.config, loaded.secretPaths), path);
        if (value === undefined) throw notSet("config.not-set", path);
        const source = loaded.sources[formatPath(path)]?.layer ?? "default";
        if (options.json) printJson(terminal, { path: formatPath(path), value, source });
        else terminal.out(`${printValue(value)}\n`);
      }),
    );

  add("set", "config.set")
    .argument("<path>", say("config.path.argument"))
    .argument("<value>", say("config.value.argument"))
    .option("--force", say("config.set.force"))
    .option("--dry-run", say("config.dry-run"))
    .action(
      context.run(async (text: string, given: string, { force, dryRun, json }: Options) => {
        const value = readValue(parsePath(text), given);
        const done = await changes.set({ path: text, value, ...wishes({ force, dryRun }) });
        for (const { path: key, name, former } of done.secrets) {
          terminal.err(`${say("config.secret-stored", { path: key, name })}\n`);
          if (former !== undefined) terminal.err(`${say("config.secret-former", { name: former })}\n`);
        }
        tellChange(context, { json, dryRun }, done);
      }),
    );

  add("unset", "config.unset")
    .argument("<path>", say("config.path.argument"))
    .option("--dry-run", say("config.dry-run"))
    .action(
      context.run(async (text: string, { dryRun, json }: Options) => {
        const done = await changes.unset({ path: text, ...wishes({ dryRun }) });
        tellChange(context, { json, dryRun }, done);
      }),
    );

  add("show", "config.show")
    .option("--defaults", say("config.show.defaults"))
    .option("--sources", say("config.show.sources"))
    .option("--profile <name>", say("config.profile"))
    .action(
      context.run(async (options: Options) => {
        const loaded = await api.load(options.profile);
        const masked = maskConfig(loaded.config, loaded.secretPaths);
        const shown = options.defaults ? masked : settingsInForce(masked, loaded.sources);
        const { mode, profile, problems, sources } = loaded;
        if (options.json)
          return printJson(terminal, {
            mode,
            profile,
            config: shown,
            problems: problems.map(plainProblem),
            ...(options.sources ? { sources } : {}),
          });
        if (!options.sources) return terminal.out(`${JSON.stringify(shown, null, 2)}\n`);
        const rows = Object.entries(sources).map(([path, { layer, variable }]) => [
          path,
          printOnOneLine(readPath(masked, parsePath(path))),
          variable ? `${layer} (${variable})` : layer,
        ]);
        terminal.out(table(rows));
      }),
    );

  add("validate", "config.validate")
    .argument("[file]", say("config.validate.file"))
    .option("--strict", say("config.validate.strict"))
    .action(
      context.run((file: string | undefined, options: Options) => validateFile(context, file, options)),
    );

  add("history", "config.history")
    .option("--limit <n>", say("config.history.limit"), wholeNumber(say), 20)
    .option("--diff", say("config.history.diff"))
    .action(
      context.run(async (options: Options) => {
        const { limit = 20, json } = options;
        const { changes: found } = await changes.history({ limit, diff: true });
        if (json) return printJson(terminal, found);
        if (found.length === 0) terminal.err(`${say("config.no-changes")}\n`);
        for (const { number, time, author, summary, diff } of found) {
          terminal.out(table([[String(number), time, author, summary]]));
          if (options.diff) terminal.out(`${diff}\n`);
        }
      }),
    );

  add("diff", "config.diff")
    .argument("[number]", say("config.diff.number"), wholeNumber(say))
    .action(
      context.run(async (number: number | undefined, { json }: Options) => {
        const found = await changes.diff(number === undefined ? {} : { id: number });
        if (json) printJson(terminal, found);
        else terminal.out(`${found.diff}\n`);
      }),
    );

  add("revert", "config.revert")
    .argument("[number]", say("config.revert.number"), wholeNumber(say))
    .action(
      context.run(async (number: number | undefined, { json }: Options) => {
        const done = await changes.revert(number === undefined ? {} : { id: number });
        const { lostSecrets, kept, putAside } = done;
        for (const path of lostSecrets) terminal.err(`${say("config.secret-lost", { path })}\n`);
        for (const path of kept) terminal.err(`${say("config.secret-kept", { path })}\n`);
        if (putAside) terminal.err(`${say("config.put-aside", { file: putAside })}\n`);
        tellChange(context, { json }, done);
      }),
    );

  add("schema", "config.schema").action(
    context.run(async () => printJson(terminal, await changes.schema({}))),
  );

  add("path", "config.path").action(
    context.run(async (options: Options) => {
      const { configFile, configHistoryDir, lastGoodFile } = api.editor.home;
      if (options.json)
        printJson(terminal, { path: configFile, history: configHistoryDir, lastGood: lastGoodFile });
      else terminal.out(`${configFile}\n`);
    }),
  );

  add("migrate", "config.migrate").action(
    context.run(async (options: Options) =>
      reportChange(context, options, await writeMigration(api.editor), {}),
    ),
  );
}

/** Only what was wished for. */
const wishes = (given: { force?: boolean | undefined; dryRun?: boolean | undefined }) => ({
  ...(given.force ? { force: true } : {}),
  ...(given.dryRun ? { dryRun: true } : {}),
});
