/** Config and secrets of a backup, brought back the way each of them is changed. */
import { asPincerError } from "@pincer/sdk";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { changeConfig } from "../../config/change-config.ts";
import { withHomeLock } from "../../config/home-lock.ts";
import { openSecrets } from "../../config/secrets.ts";
import { createPrivateFile, replacePrivateFile } from "../../config/write-private-file.ts";
import { isThere } from "../../infra/is-there.ts";
import type { ExaminedHome } from "../home/examine-home.ts";
import type { Manifest } from "./manifest.ts";

export type ConfigOutcome = "restored" | "unchanged" | "not-in-backup";
/** Where the key that is here does not open them: `kept` left the present ones in place, `locked` had none to keep. */
export type SecretsOutcome = "restored" | "kept" | "locked" | "not-in-backup";

/** One more change of the config, which can be undone like any other. */
export async function restoreConfig(
  { home, clock, secrets, environment }: ExaminedHome,
  directory: string,
  manifest: Manifest,
): Promise<ConfigOutcome> {
  await withHomeLock(home.root, clock, () => bringHistory(home.configHistoryDir, directory, manifest));
  if (!has(manifest, "config.json5")) return (await isThere(home.configFile)) ? "not-in-backup" : "unchanged";
  const text = await readFile(join(directory, "config.json5"), "utf8");
  const change = await changeConfig({
    home,
    clock,
    secrets,
    environment,
    author: "restore",
    summary: `restore the backup of ${manifest.createdAt}`,
    edit: () => text,
  });
  return change ? "restored" : "unchanged";
}

/** Only records that are not there: history is added to, never rewritten. */
async function bringHistory(target: string, directory: string, { files }: Manifest): Promise<void> {
  const numbers = new Set((await readdir(target).catch(() => [])).map((name) => Number.parseInt(name, 10)));
  for (const { name } of files) {
    const [folder, record] = name.split("/");
    if (folder !== "config-history" || !record || numbers.has(Number.parseInt(record, 10))) continue;
    await createPrivateFile(join(target, record), await readFile(join(directory, name), "utf8"));
  }
}

/** What sessions with memory remember, as it was then; of sessions that the backup does not know it stays as it is. */
export async function restoreMemory(
  { home }: ExaminedHome,
  directory: string,
  { files }: Manifest,
): Promise<void> {
  for (const { name } of files) {
    const [folder, file] = name.split("/");
    if (folder !== "memory" || !file) continue;
    await replacePrivateFile(join(home.memoryDir, file), await readFile(join(directory, name), "utf8"));
  }
}

/**
 * Each file whole or not at all; the key first, where the backup has it. Secrets that could not be opened afterwards never
 * replace the present ones.
 */
export async function restoreSecrets(
  examined: ExaminedHome,
  directory: string,
  manifest: Manifest,
): Promise<SecretsOutcome> {
  const { home, clock } = examined;
  if (!has(manifest, "secrets.json")) return "not-in-backup";
  const files = [
    { name: "secret.key", file: home.secretKeyFile },
    { name: "secrets.json", file: home.secretsFile },
  ].filter(({ name }) => has(manifest, name));
  return withHomeLock(home.root, clock, async () => {
    const isOpening = await opens(examined, directory, manifest);
    if (!isOpening && (await isThere(home.secretsFile))) return "kept";
    for (const { name, file } of files)
      await replacePrivateFile(file, await readFile(join(directory, name), "utf8"));
    return isOpening ? "restored" : "locked";
  });
}

/** Whether the key that will be in force opens every secret of the backup. */
async function opens(
  { home, environment, clock }: ExaminedHome,
  directory: string,
  manifest: Manifest,
): Promise<boolean> {
  const secrets = openSecrets({
    home: {
      root: home.root,
      secretsFile: join(directory, "secrets.json"),
      secretKeyFile: has(manifest, "secret.key") ? join(directory, "secret.key") : home.secretKeyFile,
    },
    environment,
    clock,
  });
  try {
    await secrets.values();
    return true;
  } catch (error) {
    if (asPincerError(error).domain === "secret") return false;
    throw error;
  }
}

const has = ({ files }: Manifest, wanted: string) => files.some(({ name }) => name === wanted);
