/**
 * Loads the config and always returns one. No file: defaults. A file that cannot be used: the last good one, else the
 * newest of the history, else defaults, in safe mode. Parser and schema are imported only when there is something to
 * parse or check.
 */
// By an entry of its own: the whole sdk has schemas, which a start without a file does without.
import { isTable } from "@pincer/sdk/config-path";
import { configStamp } from "./config-stamp.ts";
import { systemClock } from "../infra/clock.ts";
import { isThere } from "../infra/is-there.ts";
import { layEnvironment, merge } from "./config-layers.ts";
import { defaultChannel, defaultConfig } from "./default-config.ts";
import type { Environment } from "./environment-layer.ts";
import type { Home } from "./home.ts";
import { problemOf, type LoadedConfig, type Problem } from "./loaded-config.ts";
import { notRegular, readRegularFile } from "./read-regular-file.ts";
import type { Config } from "./schema.ts";

export interface LoadConfigRequest {
  home: Pick<
    Home,
    "root" | "configFile" | "lastGoodFile" | "configHistoryDir" | "secretsFile" | "secretKeyFile"
  >;
  environment: Environment;
  /** Over PINCER_PROFILE and the file's own choice. */
  profile?: string | undefined;
  /** Values from the command line by path, over everything else. */
  flags?: Record<string, unknown>;
}

/** Never throws. Refreshes the last good config and notes edits made by hand; failing to do so is only a warning. */
export async function loadConfig(request: LoadConfigRequest): Promise<LoadedConfig> {
  const stamp = await configStamp(request.home.configFile);
  return { ...(await load(request)), stamp };
}

async function load({
  home,
  environment,
  profile,
  flags = {},
}: LoadConfigRequest): Promise<Omit<LoadedConfig, "stamp">> {
  const file = await readText(home.configFile);
  if (file.type === "absent" && Object.keys(flags).length === 0)
    return withoutFile(home.configFile, environment, profile);

  const { evaluateConfig } = await import("./evaluate-config.ts");
  const evaluate = (text: string | undefined, named = home.configFile, lastGood?: string) =>
    evaluateConfig({ text, file: named, lastGood, environment, profile, flags });
  const findKept = async () => (await import("./last-good.ts")).findLastGood(home, environment);

  if (file.type === "absent") return evaluate(undefined);
  if (file.type === "unreadable") {
    const kept = await findKept();
    const instead = evaluate(kept?.text, kept?.file);
    const fallback = kept === undefined ? "defaults" : "last-good";
    const problems = [file.problem, ...instead.problems];
    return { ...instead, file: home.configFile, mode: "safe", fallback, problems };
  }
  // An empty file where a good one used to be is a half-written one; where there was none, it says nothing yet.
  if (file.text.trim() === "" && (await findKept()) === undefined) return evaluate(undefined);
  const loaded = evaluate(file.text);
  if (loaded.mode === "safe") return evaluate(file.text, home.configFile, (await findKept())?.text);
  const lastGood = await readText(home.lastGoodFile);
  if (lastGood.type !== "text" || lastGood.text !== file.text)
    loaded.problems.push(...(await keep(home, environment, file.text)));
  return loaded;
}

function withoutFile(
  file: string,
  environment: Environment,
  asked: string | undefined,
): Omit<LoadedConfig, "stamp"> {
  const config: Config = structuredClone(defaultConfig);
  const layers = layEnvironment({ values: [] }, { environment, profile: asked, base: undefined });
  const merged = layers.merged() as Record<string, unknown>;
  return {
    // What the environment can set is checked as it is read; only a channel that it names lacks defaults.
    config: merge(config, withChannelDefaults(merged)) as Config,
    sources: layers.sources(),
    problems: layers.problems,
    mode: "normal",
    fallback: undefined,
    hasText: false,
    profile: layers.profile,
    secretPaths: [],
    file,
  };
}

function withChannelDefaults(layer: Record<string, unknown>): Record<string, unknown> {
  const channels = layer["channels"];
  if (!isTable(channels)) return layer;
  const filled = Object.entries(channels).map(([name, channel]) => [name, merge(defaultChannel, channel)]);
  return { ...layer, channels: Object.fromEntries(filled) };
}

type FileText =
  | { type: "text"; text: string }
  | { type: "absent" }
  | { type: "unreadable"; problem: Problem };

async function readText(file: string): Promise<FileText> {
  const unreadable = (
    key: Problem["text"]["key"],
    parameters: Problem["text"]["parameters"] = {},
  ): FileText => ({
    type: "unreadable",
    problem: problemOf({ severity: "error", type: "unreadable", file }, key, parameters),
  });
  try {
    return { type: "text", text: await readRegularFile(file) };
  } catch (error) {
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    if (code === notRegular) return unreadable("config.problem.not-a-file");
    if (code !== "ENOENT" && code !== "ENOTDIR")
      return unreadable("config.problem.unreadable", { reason: code });
    const isLink = await isThere(file).catch(() => false);
    return isLink ? unreadable("config.problem.leads-nowhere") : { type: "absent" };
  }
}

async function keep(
  home: LoadConfigRequest["home"],
  environment: Environment,
  text: string,
): Promise<Problem[]> {
  try {
    const { noteHandEdit } = await import("./change-config.ts");
    const { openSecrets } = await import("./secrets.ts");
    await noteHandEdit(home, text, systemClock, openSecrets({ home, environment }));
    return [];
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    const facts = { severity: "warning", type: "not-kept", file: home.lastGoodFile } as const;
    return [problemOf(facts, "config.problem.not-kept", { reason })];
  }
}
