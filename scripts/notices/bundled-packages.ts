/** Which installed packages a bundler has put into its output: a plugin for tsdown and for vite, and the reader of what it leaves. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Left in the folder of the output: the folders of the packages, one a line. */
const listName = ".packages";

interface WrittenFile {
  type: string;
  moduleIds?: string[];
}

/** Counts the modules that are in a chunk, not those that were only looked at. */
export const bundledPackages = {
  name: "bundled-packages",
  writeBundle({ dir = "" }: { dir?: string }, bundle: Record<string, WrittenFile>): void {
    const ids = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const folders = ids.map(packageFolderOf).filter((folder) => folder !== undefined);
    const names = folders.map((folder) => relative(root, folder).split(sep).join("/"));
    writeFileSync(join(dir, listName), [...new Set(names)].sort().join("\n"));
  },
};

/** Folders of packages, relative to the repository. Throws where the output was made without the plugin. */
export function readBundledPackages(output: string): string[] {
  return readFileSync(join(output, listName), "utf8").split("\n").filter(Boolean);
}

/** The folder with the `package.json` that names the module's package; undefined for our own sources and for what a bundler makes up. */
export function packageFolderOf(id: string): string | undefined {
  const path = id.split("?")[0] ?? "";
  if (path.includes("\0") || !path.includes("node_modules")) return undefined;
  // A package may have further ones within it that only say `"type": "module"`.
  for (let folder = dirname(path); folder.includes("node_modules"); folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, "utf8")) as { name?: string; version?: string };
    if (name !== undefined && version !== undefined) return folder;
  }
  throw new Error(`${id} belongs to no package`);
}
