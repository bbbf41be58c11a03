/** `pincer auth`: credentials for providers of models. A secret is never an argument and never printed. */
import type { Command } from "commander";
import { resolve } from "node:path";
import {
  environmentOffers,
  hideEntered,
  leadsToLogin,
  logIn,
  requireKeyTaken,
  type Login,
} from "../../gateway/methods/auth-login.ts";
import { requireFreeName } from "../../gateway/methods/stored-credentials.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { readSecret } from "../read-secret.ts";
import { withApi } from "./with-api.ts";
import { registerAuthImport } from "./auth-import.ts";
import { createLoginInteraction } from "./auth-interaction.ts";
import { runWithReport } from "./auth-report.ts";
import { renderCredentials, renderOffers } from "./auth-table.ts";

interface Options {
  json?: boolean;
  agent?: string;
  name?: string;
  oauth?: boolean;
  token?: boolean;
  keyStdin?: boolean;
  provider?: string;
  clear?: boolean;
  force?: boolean;
}

export const register = (program: Command, context: CommandContext): void => registerAuth(program, context);

/** `login` and `clock` are for tests: other logins than those of the providers. */
export function registerAuth(
  program: Command,
  context: CommandContext,
  login?: Login,
  clock: Clock = systemClock,
): void {
  const { say, terminal, cwd, environment } = context;
  const place = { program, context };
  const run = runWithReport(context);
  const auth = program.command("auth").description(say("auth.about"));
  const add = (name: "login" | "status" | "use" | "logout" | "order" | "test" | "export") =>
    auth
      .command(name)
      .description(say(`auth.${name}`))
      .option("--agent <agent>", say("auth.agent"))
      .option("--json", say("help.json"));

  /** Checks for refusals before the person logs in or enters a key. */
  const requirePlace = (wanted: Parameters<typeof requireFreeName>[0], { oauth, force }: Options) =>
    withApi("auth", place, async ({ api }) => {
      // Which logins there are is said by the login itself.
      const { provider, agentId } = wanted;
      if (!force && !oauth) await api.status({ provider });
      if (!force && agentId !== null) await api.status({ agentId });
      const { credentials } = await api.status({});
      requireFreeName(
        wanted,
        credentials.filter(({ source }) => source !== "config"),
      );
    });

  const logInHere = async (provider: string) => {
    const interaction = createLoginInteraction(context, clock);
    return logIn(provider, interaction, login).finally(() => interaction.over());
  };

  add("login")
    .argument("<provider>", say("auth.provider"))
    .option("--name <name>", say("auth.login.name"))
    .option("--oauth", say("auth.login.oauth"))
    .option("--token", say("auth.login.token"))
    .option("--key-stdin", say("auth.login.key-stdin"))
    .option("--force", say("auth.login.force"))
    .action(
      run(async (provider: string, given: Options) => {
        const options = given.force
          ? given
          : { ...given, oauth: given.oauth || leadsToLogin(provider, given) };
        if (!options.oauth && !options.force) requireKeyTaken(provider);
        const id = options.name ?? `${provider}:default`;
        await requirePlace({ id, provider, agentId: options.agent ?? null }, options);
        const entered = options.oauth
          ? ({
              type: "oauth",
              secret: await logInHere(provider),
            } as const)
          : await askForKey(context, provider, options);
        hideEntered(context.redactor, id, entered.secret);
        return withApi("auth", place, async ({ api }) => {
          const force = options.force === true;
          const outcome = await api.put({
            id,
            provider,
            ...entered,
            source: "login",
            force,
            ...ownerOf(options),
          });
          if (options.json) return printJson(terminal, outcome);
          terminal.err(`${say("auth.login.done", { name: id, provider })}\n`);
        });
      }),
    );

  add("status")
    .option("--provider <provider>", say("auth.status.provider"))
    .action(
      run((options: Options) =>
        withApi("auth", place, async ({ api }) => {
          const { provider } = options;
          const found = await api.status({ ...(provider ? { provider } : {}), ...ownerOf(options) });
          const offers = environmentOffers(environment, context.redactor)
            .filter((offer) => !found.credentials.some((each) => each.provider === offer.provider))
            .map((offer) => ({ provider: offer.provider, variable: offer.variable }));
          if (options.json) return printJson(terminal, { ...found, offers });
          terminal.out(plainText(renderCredentials(found.credentials, say)));
          terminal.err(plainText(renderOffers(offers, say)));
        }),
      ),
    );

  add("use")
    .argument("<profile>", say("auth.name"))
    .action(
      run((id: string, options: Options) =>
        withApi("auth", place, async ({ api }) => {
          const outcome = await api.use({ id, ...ownerOf(options) });
          if (options.json) return printJson(terminal, outcome);
          const { credentials } = await api.status({ provider: outcome.provider, ...ownerOf(options) });
          const used = credentials.find((each) => each.id === id && each.position !== null);
          const facts = {
            name: id,
            provider: outcome.provider,
            until: used?.until ?? "",
            reason: used?.reason ?? "",
          };
          const state = used === undefined || used.state === "ready" ? "done" : used.state;
          terminal.err(`${plainText(say(`auth.use.${state}`, facts))}\n`);
        }),
      ),
    );

  add("logout")
    .argument("<profile>", say("auth.name"))
    .action(
      run((id: string, options: Options) =>
        withApi("auth", place, async ({ api }) => {
          const outcome = await api.logout({ id, ...ownerOf(options) });
          if (options.json) return printJson(terminal, outcome);
          terminal.err(`${say("auth.logout.done", { name: id })}\n`);
        }),
      ),
    );

  add("order")
    .argument("<provider>", say("auth.provider"))
    .argument("[profile...]", say("auth.order.names"))
    .option("--clear", say("auth.order.clear"))
    .action(
      run((provider: string, names: string[], options: Options) =>
        withApi("auth", place, async ({ api }) => {
          if (options.clear && names.length > 0) throw failure("usage/bad-argument", "auth.order.both");
          const ids = options.clear ? { ids: [] } : names.length > 0 ? { ids: names } : {};
          const outcome = await api.order({ provider, ...ids, ...ownerOf(options) });
          if (options.json) return printJson(terminal, outcome);
          if (outcome.order.length > 0) return terminal.out(plainText(`${outcome.order.join("\n")}\n`));
          terminal.err(`${say("auth.order.none", { provider })}\n`);
        }),
      ),
    );

  add("test")
    .argument("[profile]", say("auth.name"))
    .action(
      run((id: string | undefined, options: Options) =>
        withApi("auth", place, async ({ api }) => {
          const { signal } = context;
          const { results } = await api.test({ ...(id ? { id } : {}), ...ownerOf(options) }, { signal });
          const status = results.length > 0 && results.every(({ ok }) => ok) ? 0 : 1;
          if (options.json) {
            printJson(terminal, { results });
            return status;
          }
          if (results.length === 0) terminal.err(`${say("auth.test.none")}\n`);
          for (const { id: name, agentId, outcome, detail } of results) {
            const named = agentId === null ? name : `${name} (${agentId})`;
            terminal.out(plainText(`${say(`auth.test.${outcome}`, { name: named, detail })}\n`));
          }
          return status;
        }),
      ),
    );

  registerAuthImport(auth, place);

  add("export")
    .argument("<file>", say("auth.export.file"))
    .option("--force", say("auth.export.force"))
    .action(
      run((given: string, options: Options) =>
        withApi("auth", place, async ({ api }) => {
          // Secrets on a screen or in a pipe are what the file is there to avoid.
          if (given === "-") throw failure("usage/bad-argument", "auth.export.stdout");
          const force = options.force === true;
          const outcome = await api.export({ file: resolve(cwd, given), force, ...ownerOf(options) });
          if (options.json) return printJson(terminal, outcome);
          const { file, credentials: count, leftOut } = outcome;
          terminal.err(`${say("auth.export.done", { file: plainText(file), count })}\n`);
          if (leftOut > 0) terminal.err(`${say("auth.export.left-out", { count: leftOut })}\n`);
        }),
      ),
    );
}

const ownerOf = ({ agent }: Options) => (agent === undefined ? {} : { agentId: agent });

async function askForKey(context: CommandContext, provider: string, options: Options) {
  const { terminal, say } = context;
  if (terminal.stdin.isTTY !== true && !options.keyStdin) {
    const hint = "auth.login.nobody.hint";
    throw failure("usage/bad-argument", "auth.login.nobody", { provider }, { hint });
  }
  const value = (await readSecret(context, say("auth.login.prompt", { provider }))).trim();
  return options.token
    ? ({ type: "token", secret: { token: value } } as const)
    : ({ type: "api_key", secret: { key: value } } as const);
}
