/** Config and secrets of a backup, brought back the way each of them is changed. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { changeConfig } from "../../config/change-config.ts";
import { withHomeLock } from "../../config/home-lock.ts";
import { createPrivateFile, replacePrivateFile } from "../../config/write-private-file.ts";
import { isThere, type ExaminedHome } from "../doctor/examined-home.ts";
import type { Manifest } from "./manifest.ts";

export type ConfigOutcome = "restored" | "unchanged" | "not-in-backup";
/** `locked`: they are back, but the key that is here does not open them. */
export type SecretsOutcome = "restored" | "locked" | "not-in-backup";

/** One more change of the config, which can be undone like any other. */
export async function restoreConfig(
  { home, clock }: ExaminedHome,
  directory: string,
  manifest: Manifest,
): Promise<ConfigOutcome> {
  await withHomeLock(home.root, clock, () => bringHistory(home.configHistoryDir, directory, manifest));
  if (!has(manifest, "config.json5")) return (await isThere(home.configFile)) ? "not-in-backup" : "unchanged";
  const text = await readFile(join(directory, "config.json5"), "utf8");
  const change = await changeConfig({
    home,
    clock,
    author: "user",
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

/** Each file whole or not at all; the key first, where the backup has it. */
export async function restoreSecrets(
  { home, clock, secrets }: ExaminedHome,
  directory: string,
  manifest: Manifest,
): Promise<SecretsOutcome> {
  await withHomeLock(home.root, clock, async () => {
    const files: Array<[string, string]> = [
      ["secret.key", home.secretKeyFile],
      ["secrets.json", home.secretsFile],
    ];
    for (const [name, file] of files) {
      if (has(manifest, name)) await replacePrivateFile(file, await readFile(join(directory, name), "utf8"));
    }
  });
  if (!has(manifest, "secrets.json")) return "not-in-backup";
  try {
    for (const { name } of await secrets.list()) await secrets.resolve(`secret:${name}`);
    return "restored";
  } catch {
    // Which of the reasons it is does not matter here: the doctor tells, and the user is sent there.
    return "locked";
  }
}

const has = ({ files }: Manifest, wanted: string) => files.some(({ name }) => name === wanted);
