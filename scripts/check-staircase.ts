/**
 * The staircase rule: runs dependency-cruiser and does not believe an "ok" about files it did not read. Every
 * source file must be among the modules it saw. Re-exports are refused in src, because it does not see type-only ones.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface Report {
  modules: Array<{ source: string }>;
  summary: { violations: Array<{ from: string; to: string; rule: { name: string } }> };
}

/** What is wrong in the tree under `root`, one line each; empty when all is well. */
export function checkStaircase(root: string): string[] {
  const present = ["src", "packages", "channels", "web"].filter((folder) => hasSources(join(root, folder)));
  const cruiser = fileURLToPath(
    import.meta.resolve("dependency-cruiser").replace(/src\/main\/.*$/, "bin/dependency-cruiser.mjs"),
  );
  const config = fileURLToPath(new URL("../dependency-cruiser.config.cjs", import.meta.url));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [cruiser, "--config", config, "--output-type", "json", ...present],
    { cwd: root, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
  );
  if (!stdout) return [`dependency-cruiser did not run: ${stderr}`];
  const report = JSON.parse(stdout) as Report;
  const seen = new Set(report.modules.map((module) => module.source));
  const files = present.flatMap((folder) => sources(root, folder));
  return [
    ...report.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    ...files.filter((file) => !seen.has(file)).map((file) => `not read: ${file}`),
    ...files
      .filter((file) => file.startsWith("src/") && reexports(join(root, file)))
      .map((file) => `re-export: ${file}`),
  ];
}

function sources(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replace(/^\//, ""))
    .filter((path) => !path.includes("node_modules"));
}

function hasSources(path: string): boolean {
  try {
    return readdirSync(path).length > 0;
  } catch {
    // No such folder in this tree: nothing to check there.
    return false;
  }
}

const reexports = (file: string) => /^export\s[^;]*?\sfrom\s+["']/m.test(readFileSync(file, "utf8"));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkStaircase(fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, ""));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
