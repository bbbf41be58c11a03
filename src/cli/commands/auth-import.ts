/** `pincer auth import`: from a file, from another program's login, or from the environment; each only on request. */
import { Option, type Command } from "commander";
import { resolve } from "node:path";
import {
  environmentOffers,
  foreignLoginFile,
  foreignProgramNames,
} from "../../gateway/methods/auth-login.ts";
import { failure } from "../../infra/failure.ts";
import type { TextKey } from "../../infra/texts.ts";
import { printJson, type CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";
import { plainText } from "../plain-text.ts";
import { withApi } from "./with-api.ts";
import { runWithReport } from "./auth-report.ts";

interface Options {
  json?: boolean;
  agent?: string;
  from?: (typeof foreignProgramNames)[number];
  env?: boolean;
  yes?: boolean;
  force?: boolean;
}

interface Place {
  program: Command;
  context: CommandContext;
}

interface Outcome {
  imported: string[];
  kept: string[];
  skipped: Array<{ id: string; reason: "empty" | "no-login" }>;
  hasKey?: string;
}

export function registerAuthImport(auth: Command, place: Place): void {
  const { context } = place;
  const { say, terminal, cwd, environment } = context;
  auth
    .command("import")
    .description(say("auth.import"))
    .argument("[file]", say("auth.import.file"))
    .addOption(new Option("--from <program>", say("auth.import.from")).choices(foreignProgramNames))
    .option("--env", say("auth.import.env"))
    .option("--agent <agent>", say("auth.agent"))
    .option("--force", say("auth.import.force"))
    .option("--yes", say("option.yes"))
    .option("--json", say("help.json"))
    .action(
      runWithReport(context)(async (given: string | undefined, options: Options) => {
        const { from, force = false } = options;
        if (options.env && (given !== undefined || from))
          throw failure("usage/bad-argument", "auth.import.both", {}, { hint: "auth.import.what" });
        if (options.env) return tell(await importEnvironment(place, options), options, context);
        if (from) terminal.err(`${say("auth.import.warning")}\n`);
        const path = given ?? (from && foreignLoginFile(from, environment));
        if (path === undefined)
          throw failure("usage/bad-argument", "auth.import.what", {}, { hint: "auth.import.what.hint" });
        const request = {
          from: from ?? ("file" as const),
          file: resolve(cwd, path),
          force,
          ...ownerOf(options),
        };
        const outcome = await withApi("auth", place, ({ api }) => api.import(request));
        tell(outcome, options, context);
      }),
    );
}

/** Each key is asked for by its own, unless all were said yes to. */
async function importEnvironment({ program, context }: Place, options: Options): Promise<Outcome> {
  const { terminal, say, environment, redactor } = context;
  const offers = environmentOffers(environment, redactor);
  if (offers.length === 0) terminal.err(`${say("auth.import.env-none")}\n`);
  const wanted: typeof offers = [];
  for (const offer of offers) {
    const { variable, provider } = offer;
    const answer = await confirm(
      terminal,
      say("auth.import.ask", { variable, provider }),
      options.yes === true,
    );
    if (answer === "nobody-to-ask") {
      const names = offers.map((each) => each.variable).join(", ");
      throw failure("usage/bad-argument", "auth.import.nobody", { names }, { hint: "confirm.hint" });
    }
    if (answer === "yes") wanted.push(offer);
  }
  if (wanted.length > 0)
    await withApi("auth", { program, context }, async ({ api }) => {
      for (const { id, provider, type, secret } of wanted)
        await api.put({ id, provider, type, secret, source: "environment", ...ownerOf(options) });
    });
  return { imported: wanted.map(({ id }) => id), kept: [], skipped: [] };
}

function tell(outcome: Outcome, { json }: Options, { terminal, say }: CommandContext): void {
  if (json) return printJson(terminal, outcome);
  const { imported, kept, skipped, hasKey } = outcome;
  const line = (key: TextKey, ids: string[]) => {
    if (ids.length > 0) terminal.err(`${say(key, { names: plainText(ids.join(", ")) })}\n`);
  };
  line("auth.import.done", imported);
  line("auth.import.kept", kept);
  for (const why of ["empty", "no-login"] as const)
    line(
      `auth.import.skipped.${why}`,
      skipped.filter(({ reason }) => reason === why).map(({ id }) => id),
    );
  if (hasKey !== undefined) terminal.err(`${say("auth.import.has-key", { provider: hasKey })}\n`);
  else if (imported.length === 0) terminal.err(`${say("auth.import.nothing")}\n`);
}

const ownerOf = ({ agent }: Options) => (agent === undefined ? {} : { agentId: agent });
