/**
 * Makes `dist/web` of `web/`, and packs its files, so that the gateway only has to hand them out. The files of the build before stay: a page that
 * is open somewhere still loads its parts by their old names.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/**
 * Throws when the build fails. The environment is said, not taken over: under a test runner's, lit would come in its form for developers, which
 * is slower and talks on the console.
 */
export function buildWeb(root: string): void {
  const assets = join(root, "dist", "web", "assets");
  const listFile = join(root, "dist", "web", ".files");
  const before = existsSync(listFile) ? readFileSync(listFile, "utf8").split("\n") : [];
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vite, "build", "web", "--logLevel", "error"],
    { cwd: root, encoding: "utf8", env: { ...process.env, NODE_ENV: "production" } },
  );
  if (status !== 0) throw new Error(`the build of the page failed:\n${stdout}${stderr}`);
  const names = namesOf(readFileSync(join(root, "dist", "web", ".vite", "manifest.json"), "utf8"));
  const kept = new Set([...names, ...before]);
  for (const name of readdirSync(assets))
    if (!kept.has(name.replace(/\.(br|gz)$/, ""))) rmSync(join(assets, name));
  for (const name of names) pack(join(assets, name));
  for (const name of ["index.html", "favicon.svg"]) pack(join(root, "dist", "web", name));
  writeFileSync(listFile, names.join("\n"));
}

interface BuiltFile {
  file: string;
  css?: string[];
  assets?: string[];
}

const namesOf = (manifest: string): string[] => {
  const files = Object.values(JSON.parse(manifest) as Record<string, BuiltFile>);
  const all = files.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]);
  return [...new Set(all)].map((path) => path.replace(/^assets\//, "")).sort();
};

/** Leaves the packed forms of a file beside it. */
export function pack(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, best));
}
