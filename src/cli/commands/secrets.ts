/** `pincer secrets`: storing, listing and removing secrets. A value is never printed. */
import type { Command } from "commander";
import { locateHome } from "../../config/home.ts";
import { readRegularFile } from "../../config/read-regular-file.ts";
import { referredSecrets } from "../../config/secret-keys.ts";
import { openSecrets, secretNamePattern } from "../../config/secrets.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { readSecret } from "../read-secret.ts";
import { table } from "../table.ts";

interface Options {
  json?: boolean;
  value?: string;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal, environment, redactor } = context;
  const home = locateHome(environment);
  const store = openSecrets({ home, environment });
  const secrets = program.command("secrets").description(say("secrets.about"));

  secrets
    .command("set")
    .description(say("secrets.set"))
    .argument("<name>", say("secrets.name"))
    .option("--value <value>", say("secrets.set.value"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (name: string, options: Options) => {
        // Before asking for a value that could not be stored. The store says what is wrong with the name.
        if (!secretNamePattern.test(name)) await store.set(name, "");
        const value = options.value ?? (await readSecret(context, say("secrets.set.prompt", { name })));
        if (value === "")
          throw failure("usage/empty-input", "secrets.empty", { name }, { hint: "secrets.empty.hint" });
        redactor.add(name, value);
        if (options.value !== undefined) terminal.err(`${say("secrets.set.warning", { name })}\n`);
        await store.set(name, value);
        if (options.json) printJson(terminal, { name, stored: true });
        else terminal.err(`${say("secrets.set.done", { name })}\n`);
      }),
    );

  secrets
    .command("list")
    .description(say("secrets.list"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (options: Options) => {
        // A config that cannot be read names nothing; the list of what is stored is still of use.
        const inUse = referredSecrets(await readRegularFile(home.configFile).catch(() => ""));
        const names = (await store.list()).map((secret) => ({ ...secret, inConfig: inUse.has(secret.name) }));
        if (options.json) return printJson(terminal, names);
        if (names.length === 0) return terminal.err(`${say("secrets.none")}\n`);
        terminal.out(
          table(
            names.map(({ name, createdAt, inConfig }) => [
              name,
              createdAt,
              say(inConfig ? "secrets.list.in-config" : "secrets.list.not-in-config"),
            ]),
          ),
        );
      }),
    );

  secrets
    .command("remove")
    .description(say("secrets.remove"))
    .argument("<name>", say("secrets.name"))
    .option("--json", say("help.json"))
    .action(
      context.run(async (name: string, options: Options) => {
        if (!(await store.remove(name)))
          throw failure(
            "secret/not-found",
            "secrets.not-found",
            { name },
            { hint: "secrets.not-found.list" },
          );
        if (options.json) printJson(terminal, { name, removed: true });
        else terminal.err(`${say("secrets.remove.done", { name })}\n`);
      }),
    );
}
