/**
 * Runs the unit tests that a change touches: those of the changed files and of everything that imports them. What has
 * changed is counted from where this branch left `main`, from the last commit on `main` itself, or from the commit that
 * is named: `npm run test:near -- HEAD~3`.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const since = process.argv[2] ?? git("merge-base", "HEAD", "main")[0] ?? "HEAD";
const changed = [
  ...new Set([
    ...git("diff", "--name-only", "--diff-filter=d", since),
    ...git("ls-files", "--others", "--exclude-standard"),
  ]),
];
const sources = changed.filter((path) => /\.(ts|json|css|html|md)$/.test(path));

if (sources.length === 0) {
  process.stdout.write(`nothing has changed since ${since.slice(0, 12)}: there is nothing to test\n`);
} else {
  process.stdout.write(`${sources.length} files have changed since ${since.slice(0, 12)}\n`);
  const { status } = spawnSync(
    "vitest",
    ["related", "--run", "--project", "unit", "--passWithNoTests", ...sources],
    { cwd: root, stdio: "inherit" },
  );
  process.exitCode = status ?? 1;
}

/** The lines that it prints; none where git fails. */
function git(...args: string[]): string[] {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.split("\n").filter((line) => line !== "") : [];
}
