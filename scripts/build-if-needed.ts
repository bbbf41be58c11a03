/** Builds `dist` unless it is already the build of exactly these sources. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildWeb } from "./build-web.ts";
import { buildDocsIfNeeded } from "./docs/build-docs.ts";
import { writeNotices } from "./notices/write-notices.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const stampFile = join(dist, ".sources");
const filesFile = join(dist, ".files");

/** The product and its documentation. Throws when the build fails. Safe to call again: an up-to-date `dist` costs a few milliseconds. */
export async function buildIfNeeded(): Promise<"built" | "up-to-date"> {
  await buildDocsIfNeeded(join(dist, "docs"));
  return buildProductIfNeeded();
}

async function buildProductIfNeeded(): Promise<"built" | "up-to-date"> {
  const stamp = hashSources();
  const known = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
  if (known === stamp) return "up-to-date";
  mkdirSync(dist, { recursive: true });
  const before = new Set(existsSync(filesFile) ? readFileSync(filesFile, "utf8").split("\n") : []);
  // By the file system's own clock, which may be coarser than ours.
  writeFileSync(stampFile, "");
  const since = statSync(stampFile).mtimeMs;
  const tsdown = join(root, "node_modules", "tsdown", "dist", "run.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsdown, "--log-level", "error"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the build failed:\n${stdout}${stderr}`);
  await writeHelps();
  buildWeb(root);
  writeNotices(root);
  keepTwoBuilds(before, since);
  writeFileSync(stampFile, stamp);
  return "built";
}

/**
 * What is written anew is this build. The one before stays: a running gateway loads its chunks when they are needed, and goes on until it is
 * started again.
 */
function keepTwoBuilds(before: ReadonlySet<string>, since: number): void {
  const files = readdirSync(dist, { withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ name }) => name).filter((name) => !name.startsWith("."));
  const written = names.filter((name) => statSync(join(dist, name)).mtimeMs >= since);
  const kept = new Set([...written, ...before]);
  for (const name of names) if (!kept.has(name)) rmSync(join(dist, name));
  writeFileSync(filesFile, written.join("\n"));
}

/** Help texts are made now, so that `--help` need not load what it describes. */
async function writeHelps(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const { renderHelps } = await import("./full-program.ts");
  for (const language of ["en", "zh"] as const) {
    const helps = await renderHelps(language, version);
    writeFileSync(join(dist, `help.${language}.json`), JSON.stringify(helps));
  }
}

function hashSources(): string {
  const hash = createHash("sha256");
  for (const file of [
    ...walk("src"),
    ...walk("packages"),
    ...walk("channels"),
    ...walk("web"),
    ...walk("scripts/notices"),
    "package-lock.json",
    "package.json",
    "tsdown.config.ts",
    "scripts/full-program.ts",
    "scripts/build-web.ts",
  ]) {
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

function walk(directory: string): string[] {
  const found = readdirSync(join(root, directory), { withFileTypes: true, recursive: true });
  return found
    .filter(
      (entry) =>
        entry.isFile() && /\.(ts|css|html|svg|txt)$/.test(entry.name) && !entry.name.endsWith(".test.ts"),
    )
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((path) => !path.includes("node_modules"))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const build = process.argv.includes("--without-docs") ? buildProductIfNeeded : buildIfNeeded;
  if ((await build()) === "built") process.stderr.write("built dist/\n");
}
