/** What the config commands share: the home they work on, reading values, and reporting the result of a change. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readPath, withPath, type ConfigChangeView, type ConfigPath } from "@pincer/sdk";
import type { TakenUp } from "../../gateway/methods/config-api.ts";
import { checkConfig, shapeAt } from "../../config/check-config.ts";
import type { ChangeAuthor, ConfigChange } from "../../config/config-history.ts";
import { parsePath } from "../../config/parse-path.ts";
import { evaluateConfig } from "../../config/evaluate-config.ts";
import { locateHome, type Home } from "../../config/home.ts";
import { loadConfig } from "../../config/load-config.ts";
import {
  plainProblem,
  sayProblem,
  type ConfigSource,
  type LoadedConfig,
} from "../../config/loaded-config.ts";
import { literalSecrets } from "../../config/mask-config.ts";
import { findMissingSecrets } from "../../config/missing-secrets.ts";
import { hasOnlyComments, parseConfig } from "../../config/parse-config.ts";
import { notRegular, readRegularFile } from "../../config/read-regular-file.ts";
import { configShape } from "../../config/schema.ts";
import { openSecrets, type Secrets } from "../../config/secrets.ts";
import type { ConfigEditor } from "../../config/set-config.ts";
import { systemClock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";

export interface ConfigApi {
  editor: ConfigEditor & { home: Home };
  /** Loads, and says on stderr what is wrong. */
  load(profile?: string): Promise<LoadedConfig>;
}

export function openConfigApi(
  { environment, terminal, redactor, say, speak }: CommandContext,
  author: ChangeAuthor,
): ConfigApi {
  const home = locateHome(environment);
  return {
    editor: { home, secrets: openSecrets({ home, environment }), clock: systemClock, author, environment },
    async load(profile) {
      const loaded = await loadConfig({ home, environment, profile });
      speak(loaded.config.language);
      for (const { name, value } of literalSecrets(loaded.config, loaded.secretPaths))
        redactor.add(name, value);
      for (const problem of loaded.problems) terminal.err(`${sayProblem(problem, say)}\n`);
      if (loaded.fallback) terminal.err(`${say(`config.safe-mode.${loaded.fallback}`)}\n`);
      return loaded;
    },
  };
}

/** JSON5 if it parses and fits; otherwise the text itself, so that nobody has to quote twice. */
export function readValue(path: ConfigPath, given: string): unknown {
  const parsed = parseConfig(given);
  if (parsed.type === "unparsable" || hasOnlyComments(given)) return given;
  const shape = shapeAt(configShape, path);
  const fits = (value: unknown) =>
    shape !== undefined && checkConfig(shape, value, "partial").findings.length === 0;
  return !fits(parsed.value) && fits(given) ? given : parsed.value;
}

export const printValue = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value, null, 2);

/** As a cell of a table. */
export const printOnOneLine = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** Only settings that were changed. */
export const settingsInForce = (config: unknown, sources: Record<string, ConfigSource>): unknown =>
  Object.keys(sources).reduce<unknown>((shown, text) => {
    const path = parsePath(text);
    return withPath(shown, path, readPath(config, path));
  }, {});

/** Says what was changed, when a running gateway works with it too. */
export async function reportChange(
  context: CommandContext,
  { json }: { json?: boolean },
  change: ConfigChange | undefined,
  details: object,
): Promise<void> {
  const { terminal, say } = context;
  if (change) await tellGateway(context);
  if (json)
    return printJson(terminal, { changed: change !== undefined, number: change?.number ?? null, ...details });
  const { number, summary } = change ?? {};
  terminal.err(
    `${number && summary ? say("config.changed", { number, summary }) : say("config.unchanged")}\n`,
  );
}

/** Says what became of a change that a running gateway has heard of. */
export function tellChange(
  { terminal, say }: CommandContext,
  { json, dryRun }: { json?: boolean | undefined; dryRun?: boolean | undefined },
  done: ConfigChangeView,
): void {
  if (json) return printJson(terminal, done);
  const { changed, number, summary } = done;
  if (dryRun) return terminal.err(`${say(changed ? "control.dry-run" : "control.dry-run.same")}\n`);
  terminal.err(
    `${number && summary ? say("config.changed", { number, summary }) : say("config.unchanged")}\n`,
  );
}

/** A command that comes next finds the gateway with the config that this one has written. */
export async function tellGateway(context: CommandContext): Promise<void> {
  await takeUp(context);
}

/** Makes the running gateway use what was written, and reports if it does not. */
export async function takeUp({ environment, say, speak, notify }: CommandContext): Promise<TakenUp> {
  const { reloadGateway } = await import("../../operate/service/reload-gateway.ts");
  const outcome = await reloadGateway({ environment, speak, version: "" });
  switch (outcome.type) {
    case "refused":
      notify(say("config.gateway-refuses", { problem: outcome.problems.join("; ") }));
      return { inForce: false, problems: outcome.problems };
    case "no-answer":
      notify(say("config.gateway-silent"));
      return { inForce: false, problems: [say("config.gateway-silent")] };
    case "in-force":
      return { inForce: true, problems: [] };
    case "not-running":
      return { inForce: null, problems: [] };
  }
}

export async function validateFile(
  { environment, terminal, say, cwd }: CommandContext,
  given: string | undefined,
  { json, strict }: { json?: boolean; strict?: boolean },
): Promise<number> {
  const home = locateHome(environment);
  const file = given === undefined ? home.configFile : resolve(cwd, given);
  // An explicitly named file may be a pipe.
  const read = given === undefined ? readRegularFile(file) : readFile(file, "utf8");
  const text = await read.catch((error: NodeJS.ErrnoException) => {
    if (given === undefined && error.code === "ENOENT") return undefined;
    const reason = error.code === notRegular ? "not a regular file" : (error.code ?? "unknown reason");
    throw failure("usage/not-found", "config.file-unreadable", { file, reason });
  });
  const { problems, config, mode } = evaluateConfig({
    text,
    file,
    lastGood: undefined,
    environment,
    profile: undefined,
    flags: {},
  });
  const { toolNameProblems } = await import("../../operate/tool-name-problems.ts");
  if (mode === "normal") problems.push(...toolNameProblems(config, file));
  const names = await namesOf(openSecrets({ home, environment }));
  if (text !== undefined && names) problems.push(...findMissingSecrets(text, file, names));
  const isValid = !problems.some(({ severity }) => strict || severity === "error");
  if (json) printJson(terminal, { file, valid: isValid, problems: problems.map(plainProblem) });
  else {
    for (const problem of problems) terminal.out(`${sayProblem(problem, say)}\n`);
    const key = problems.length === 0 ? "config.valid" : "config.usable";
    if (isValid) terminal.err(`${say(key, { file, count: problems.length })}\n`);
  }
  return isValid ? 0 : 1;
}

/** Undefined if unknown, which is no fault of the config. */
async function namesOf(secrets: Pick<Secrets, "list">): Promise<Set<string> | undefined> {
  try {
    return new Set((await secrets.list()).map(({ name }) => name));
  } catch {
    return undefined;
  }
}
