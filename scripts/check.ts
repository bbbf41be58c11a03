/** Everything that can be checked without running the product, side by side; prints only what is wrong. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const checks: Record<string, string[]> = {
  format: ["oxfmt", "--check", "."],
  lint: ["oxlint", "--deny-warnings"],
  types: ["tsc", "--noEmit"],
  "types of the page": ["tsc", "--noEmit", "-p", "web"],
  staircase: ["node", "scripts/check-staircase.ts"],
  unused: ["knip", "--no-progress"],
  reference: ["node", "scripts/write-reference.ts", "--check"],
  requirements: ["node", "scripts/check-requirements.ts"],
};

const root = fileURLToPath(new URL("..", import.meta.url));
const results = await Promise.all(
  Object.entries(checks).map(async ([name, [program = "", ...args]]) => ({
    name,
    ...(await run(program, args)),
  })),
);
for (const { name, ok, output, ms } of results) {
  process.stdout.write(`${ok ? "ok    " : "FAILED"} ${name} (${(ms / 1000).toFixed(1)} s)\n`);
  if (!ok) process.stdout.write(`${output}\n`);
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;

function run(program: string, args: string[]): Promise<{ ok: boolean; output: string; ms: number }> {
  const startedAt = Date.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk));
    child.on("error", (error) => resolve({ ok: false, output: String(error), ms: Date.now() - startedAt }));
    child.on("close", (status) => resolve({ ok: status === 0, output, ms: Date.now() - startedAt }));
  });
}
