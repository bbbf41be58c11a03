/**
 * The config to use when the file is invalid: the last good text, saved at each change and each load, or, if that is
 * lost, the newest usable text of the history, which lacks literal secrets.
 */
import { rm } from "node:fs/promises";
import { openConfigHistory } from "./config-history.ts";
import { evaluateConfig } from "./evaluate-config.ts";
import type { Environment } from "./environment-layer.ts";
import type { Home } from "./home.ts";
import { readIfThere } from "./read-regular-file.ts";
import { restoreSecrets } from "./restore-secrets.ts";
import { replacePrivateFile } from "./write-private-file.ts";

type KeptHome = Pick<Home, "lastGoodFile" | "configHistoryDir">;

export interface KeptConfig {
  text: string;
  /** Where it was found. */
  file: string;
}

/** Never throws; undefined where no config was ever good, or the last thing that happened to it was to be taken away. */
export async function findLastGood(
  home: KeptHome,
  environment: Environment,
): Promise<KeptConfig | undefined> {
  const text = await readIfThere(home.lastGoodFile).catch(() => undefined);
  if (text !== undefined && isUsable(text, environment)) return { text, file: home.lastGoodFile };
  const changes = await openConfigHistory(home.configHistoryDir)
    .list()
    .catch(() => []);
  for (const change of changes.toReversed()) {
    if (change.text === null) return undefined;
    const recorded = withoutMasks({ text: change.text, masked: change.masked });
    if (recorded !== undefined && isUsable(recorded, environment))
      return { text: recorded, file: home.configHistoryDir };
  }
  return undefined;
}

/**
 * Keeps what has just become the config; undefined: there is none any more. Never throws: where it cannot be kept, an
 * older one is taken away, since the history has the newer.
 */
export async function keepLastGood(
  home: KeptHome,
  text: string | undefined,
  environment: Environment = {},
): Promise<void> {
  if (text !== undefined && !isUsable(text, environment)) return;
  try {
    if (text !== undefined) return await replacePrivateFile(home.lastGoodFile, text);
  } catch {
    // Falls through: better none than an older one.
  }
  await rm(home.lastGoodFile, { force: true }).catch(() => undefined);
}

/** One that costs a section is not good: what replaces a broken file is used as a whole. */
const isUsable = (text: string, environment: Environment): boolean =>
  !evaluateConfig({
    text,
    file: "",
    lastGood: undefined,
    environment,
    profile: undefined,
    flags: {},
  }).problems.some(({ severity }) => severity === "error");

function withoutMasks(recorded: { text: string; masked: string[] }): string | undefined {
  try {
    return restoreSecrets(recorded, "").text;
  } catch {
    // A record that somebody has edited: not ours to guess.
    return undefined;
  }
}
