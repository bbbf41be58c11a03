/**
 * `npm test`: installs the system's programs that tests use, builds the product and runs all tests. The checks are made
 * meanwhile: they need one core for a few seconds, which tests leave free. Arguments go to the test runner.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const projects = ["unit", "product", "escape"].flatMap((name) => ["--project", name]);
// The closing lines tell how long all of it took.
const environment = {
  ...process.env,
  PINCER_TEST_BEGAN_AT: String(Date.now()),
  // All of the long files where a file or a name is asked for.
  ...(process.argv.length === 2 && { PINCER_TEST_DRAWS: "1" }),
};

process.exitCode =
  (await run("node", "scripts/system-programs.ts")) || (await both(run("node", "scripts/check.ts"), test()));

async function test(): Promise<number> {
  return (
    (await run("node", "scripts/build-if-needed.ts")) ||
    (await run("vitest", "run", ...projects, ...process.argv.slice(2)))
  );
}

/** What the checks found is far above by the time the tests have ended, so it is said again that they failed. */
async function both(checking: Promise<number>, testing: Promise<number>): Promise<number> {
  const [checked, tested] = await Promise.all([checking, testing]);
  if (checked !== 0) process.stderr.write("the checks failed: see what is printed before the tests\n");
  return checked || tested;
}

/** Its exit status. */
function run(program: string, ...args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: "inherit", env: environment });
    child.once("error", reject);
    child.once("close", (status) => resolve(status ?? 1));
  });
}
