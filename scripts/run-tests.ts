/**
 * `npm test`: installs the system's programs that tests use, makes the checks while the product is built, then runs all
 * tests. Arguments go to the test runner.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const projects = ["unit", "product", "escape"].flatMap((name) => ["--project", name]);
// The closing lines tell how long all of it took.
const environment = { ...process.env, PINCER_TEST_BEGAN_AT: String(Date.now()) };

process.exitCode =
  (await run("node", "scripts/system-programs.ts")) ||
  (await both(run("node", "scripts/check.ts"), run("node", "scripts/build-if-needed.ts"))) ||
  (await run("vitest", "run", ...projects, ...process.argv.slice(2)));

async function both(one: Promise<number>, other: Promise<number>): Promise<number> {
  return (await one) || (await other);
}

/** Its exit status. */
function run(program: string, ...args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: "inherit", env: environment });
    child.once("error", reject);
    child.once("close", (status) => resolve(status ?? 1));
  });
}
