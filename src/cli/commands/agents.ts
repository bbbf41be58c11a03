/** `pincer agents`: the configured agents. */
import type { ConfigChangeView } from "@pincer/sdk";
import { resolve } from "node:path";
import type { Command } from "commander";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi } from "./with-api.ts";

interface Options {
  json?: boolean;
  name?: string;
  model?: string;
  workspace?: string;
  unset?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal, cwd } = context;
  const place = { program, context };
  const agents = program.command("agents").description(say("agents.about"));
  const add = (name: string, about: Parameters<typeof say>[0]) =>
    agents.command(name).description(say(about)).option("--json", say("help.json"));

  add("list", "agents.list").action(
    context.run(({ json }: Options) =>
      withApi("agents", place, async ({ api }) => {
        const found = await api.list({});
        if (json) return printJson(terminal, found);
        const rows = found.agents.map(({ id, isDefault, name, model, workspace }) => [
          isDefault ? `${id}*` : id,
          name ?? "-",
          model ?? "-",
          workspace,
        ]);
        terminal.out(plainText(table(rows)));
      }),
    ),
  );

  add("add", "agents.add")
    .argument("<id>", say("agents.id"))
    .option("--name <name>", say("agents.name"))
    .option("--model <model>", say("agents.model"))
    .option("--workspace <dir>", say("agents.workspace"))
    .action(
      context.run((id: string, { json, name, model, workspace }: Options) =>
        withApi("agents", place, async ({ api, language }) => {
          const added = await api.add({
            id,
            ...(name === undefined ? {} : { name }),
            ...(model === undefined ? {} : { model }),
            // A leading ~ is resolved by readers of the config.
            ...(workspace === undefined
              ? {}
              : { workspace: /^~(?:\/|$)/.test(workspace) ? workspace : resolve(cwd, workspace) }),
            ...(language ? { language } : {}),
          });
          if (json) return printJson(terminal, added);
          const { id: made, workspace: workdir } = added.agent;
          terminal.err(`${plainText(say("agents.added", { id: made, workspace: workdir }))}\n`);
          tellGateway(context, added);
        }),
      ),
    );

  add("remove", "agents.remove")
    .argument("<id>", say("agents.id"))
    .action(
      context.run((id: string, { json }: Options) =>
        withApi("agents", place, async ({ api, language }) => {
          const removed = await api.remove({ id, ...(language ? { language } : {}) });
          if (json) return printJson(terminal, removed);
          terminal.err(`${say("agents.removed", { id })}\n`);
          for (const kept of removed.kept)
            terminal.err(`${plainText(say("agents.kept", { place: kept }))}\n`);
          tellGateway(context, removed);
        }),
      ),
    );

  add("config", "agents.config")
    .argument("<id>", say("agents.id"))
    .argument("[path]", say("agents.path"))
    .argument("[value]", say("agents.value"))
    .option("--unset", say("agents.unset"))
    .action(
      context.run(
        (id: string, path: string | undefined, given: string | undefined, { json, unset }: Options) =>
          withApi("agents", place, async ({ api, language }) => {
            if (unset && (path === undefined || given !== undefined))
              throw failure("usage/bad-argument", "agents.unset.path");
            if (path === undefined || (given === undefined && !unset)) {
              const found = await api.config({ id, ...(path === undefined ? {} : { path }) });
              if (json) return printJson(terminal, found);
              return terminal.out(`${plainText(printed(found.value))}\n`);
            }
            const value = given === undefined ? null : await readGiven(path, given);
            const changed = await api.configure({ id, path, value, ...(language ? { language } : {}) });
            if (json) return printJson(terminal, changed);
            const { number, summary } = changed;
            terminal.err(
              `${number !== null && summary !== null ? say("config.changed", { number, summary }) : say("config.unchanged")}\n`,
            );
            return tellGateway(context, changed);
          }),
      ),
    );
}

/** As `pincer config set` reads it: JSON5 where that fits the key, else the text itself. */
async function readGiven(path: string, given: string): Promise<unknown> {
  const { readValue } = await import("./config-api.ts");
  const { parsePath } = await import("../../config/parse-path.ts");
  return readValue(["agents", "list", 0, ...parsePath(path)], given);
}

/** What a running gateway makes of a change; nothing where none runs. */
function tellGateway(
  { terminal, say, notify }: CommandContext,
  { inForce, problems }: ConfigChangeView,
): void {
  if (inForce === true) terminal.err(`${say("control.in-force")}\n`);
  if (inForce === false) notify(say("control.not-in-force", { problems: problems.join("; ") }));
}

const printed = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value, null, 2);
