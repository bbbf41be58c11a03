/**
 * Loads the config and always comes back with one. No file: defaults. A file that cannot be used: the last good
 * one, else defaults, in safe mode. Parser and schema are imported only when there is something to parse or check.
 */
import { readFile } from "node:fs/promises";
import { systemClock } from "../infra/clock.ts";
import { layEnvironment, merge } from "./config-layers.ts";
import { isTable } from "./config-path.ts";
import { defaultChannel, defaultConfig } from "./default-config.ts";
import type { Environment } from "./environment-layer.ts";
import type { Home } from "./home.ts";
import type { LoadedConfig, Problem } from "./loaded-config.ts";
import type { Config } from "./schema.ts";
import { replacePrivateFile } from "./write-private-file.ts";

export interface LoadConfigRequest {
  home: Pick<Home, "root" | "configFile" | "lastGoodFile" | "configHistoryDir">;
  environment: Environment;
  /** Over PINCER_PROFILE and the file's own choice. */
  profile?: string | undefined;
  /** Values from the command line by path, over everything else. */
  flags?: Record<string, unknown>;
}

/** Never throws. Refreshes the last good config and notes edits made by hand; failing to do so is only a warning. */
export async function loadConfig({
  home,
  environment,
  profile,
  flags = {},
}: LoadConfigRequest): Promise<LoadedConfig> {
  const file = await readText(home.configFile);
  if (file.type === "absent" && Object.keys(flags).length === 0)
    return withoutFile(home.configFile, environment, profile);

  const { evaluateConfig } = await import("./evaluate-config.ts");
  const lastGood = await readText(home.lastGoodFile);
  const keptText = lastGood.type === "text" ? lastGood.text : undefined;
  const evaluate = (text: string | undefined) =>
    evaluateConfig({ text, file: home.configFile, lastGood: keptText, environment, profile, flags });

  if (file.type === "absent") return evaluate(undefined);
  if (file.type === "unreadable") {
    const instead = evaluate(keptText);
    const problem: Problem = {
      severity: "error",
      type: "unreadable",
      file: home.configFile,
      message: file.message,
    };
    const fallback = keptText === undefined || instead.mode === "safe" ? "defaults" : "last-good";
    return { ...instead, mode: "safe", fallback, problems: [problem, ...instead.problems] };
  }
  // An empty file where a good one used to be is a half-written one; where there was none, it says nothing yet.
  const isBlank = file.text.trim() === "" && keptText === undefined;
  const loaded = evaluate(isBlank ? undefined : file.text);
  if (loaded.mode === "normal" && !isBlank && file.text !== keptText)
    loaded.problems.push(...(await keep(home, file.text)));
  return loaded;
}

function withoutFile(file: string, environment: Environment, asked: string | undefined): LoadedConfig {
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

type FileText = { type: "text"; text: string } | { type: "absent" } | { type: "unreadable"; message: string };

async function readText(file: string): Promise<FileText> {
  try {
    return { type: "text", text: await readFile(file, "utf8") };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { type: "absent" };
    return { type: "unreadable", message: `the file cannot be read (${code ?? "unknown reason"})` };
  }
}

async function keep(home: LoadConfigRequest["home"], text: string): Promise<Problem[]> {
  try {
    const { noteHandEdit } = await import("./change-config.ts");
    await noteHandEdit(home, text, systemClock);
    await replacePrivateFile(home.lastGoodFile, text);
    return [];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = `the last good config could not be kept (${code ?? "unknown reason"})`;
    return [{ severity: "warning", type: "not-kept", file: home.lastGoodFile, message }];
  }
}
