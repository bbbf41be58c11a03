import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** What the documentation looks like: what it shares with the page, then its own. */
export const sheets = [
  "web/src/style/tokens.css",
  "web/src/style/ground.css",
  "web/src/style/buttons.css",
  "web/src/docs/docs.css",
];

/** Every file below a folder of the repository, by its path from there, sorted. */
export const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
