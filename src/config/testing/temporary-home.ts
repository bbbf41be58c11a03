/** A temporary home for one test, deleted afterwards. */
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ensureDir, locateHome, type Home } from "../home.ts";

export interface TemporaryHome extends Home {
  environment: Record<string, string | undefined>;
  writeConfig(text: string): Promise<void>;
  readConfig(): Promise<string>;
  /** Everything in the home, files as text, by path. */
  allFiles(): Promise<Map<string, string>>;
}

export async function createTemporaryHome(): Promise<TemporaryHome> {
  const root = await mkdtemp(join(tmpdir(), "pincer-config-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const environment = { PINCER_HOME: join(root, "home") };
  const home = locateHome(environment);
  ensureDir(home.root);
  return {
    ...home,
    environment,
    writeConfig: (text) => writeFile(home.configFile, text),
    readConfig: () => readFile(home.configFile, "utf8"),
    async allFiles() {
      const found = await readdir(home.root, { recursive: true, withFileTypes: true });
      const files = found
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      return new Map(
        await Promise.all(files.map(async (file) => [file, await readFile(file, "latin1")] as const)),
      );
    },
  };
}
