/** Words that nobody says any more are translated, shipped and read for nothing. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name).replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !/\.test\.ts$|\/(testing|node_modules)\//.test(path));

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** A key is said whole, or put together in a template: by its beginning, by its end, or by both. */
function unsaid(texts: string, folders: readonly string[]): { count: number; unsaid: string[] } {
  const tables = sourcesIn(texts).map(read).join("\n");
  const keys = [...tables.matchAll(/^ {2}"([\w.-]+)": \{/gm)].map(([, key = ""]) => key);
  const product = folders.flatMap(sourcesIn).filter((path) => !path.startsWith(`${texts}/`));
  const code = product.map(read).join("\n");
  const whole = new Set([...code.matchAll(/["'`]([\w.-]+)["'`]/g)].map(([, text]) => text));
  const templates = [...code.matchAll(/`([\w.-]*)\$\{[^`{}]*\}([\w.-]*)`/g)].map(
    ([, start = "", end = ""]) => [start, end] as const,
  );
  const isPutTogether = (key: string) =>
    templates.some(
      ([start, end]) =>
        key.length > start.length + end.length &&
        (start.includes(".") ? key.startsWith(start) && key.endsWith(end) : isDerived(key, start, end)),
    );
  const isDerived = (key: string, start: string, end: string) =>
    start === "" && end.startsWith(".") && key.endsWith(end) && whole.has(key.slice(0, -end.length));
  return { count: keys.length, unsaid: keys.filter((key) => !whole.has(key) && !isPutTogether(key)) };
}

it.each([
  ["the product", "src/infra/texts", ["src", "packages"]],
  ["the page", "web/src/texts", ["web/src"]],
])("every text of %s is said somewhere", (_whose, texts, folders) => {
  const found = unsaid(texts, folders);
  expect(found.count).toBeGreaterThan(500);
  expect(found.unsaid).toEqual([]);
});
