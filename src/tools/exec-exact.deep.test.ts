/** The differential run: 100,000 changes between yes and start, and real starts as the kernel saw them. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fuzzApprovals } from "./testing/exact-fuzz.ts";
import { createExactStage } from "./testing/exact-stage.ts";
import { readStarts } from "./testing/seen-starts.ts";

const rounds = Number(process.env["PINCER_EXACT_ROUNDS"] ?? 100_000);
const realRuns = 320;

it("SAFE-01 of 100,000 changes none has anything run that was not approved, and what is the same runs", async () => {
  const stage = createExactStage();
  onTestFinished(() => stage.remove());
  const figures = await fuzzApprovals(stage, rounds, 20_250);
  process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
  expect(figures.unapproved).toEqual([]);
  expect(figures.needless).toEqual([]);
  expect(figures.total).toBe(rounds);
});

const isTraceable = spawnSync("strace", ["-V"]).status === 0;

it.skipIf(!isTraceable)("SAFE-01 the kernel is handed the very bytes that were approved", () => {
  const directory = mkdtempSync(join(tmpdir(), "pincer-seen-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const log = join(directory, "log");
  const script = new URL("./testing/exact-runs-process.ts", import.meta.url).pathname;
  const trace = ["-f", "-xx", "-y", "-v", "-s", "1000000", "-e", "trace=execve,chdir,openat", "-o", log];
  const run = spawnSync("strace", [...trace, process.execPath, script, String(realRuns)], {
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  expect(run.stderr).not.toMatch(/Error/);
  const approved = run.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Approved);
  const seen = readStarts(readFileSync(log, "utf8")).filter(({ argv }) => argv[1] === "-c");
  expect(approved).toHaveLength(realRuns);
  const differences = approved.flatMap(({ command, exact }) => {
    const starts = seen.filter(({ argv }) => argv[2] === command);
    const isAsApproved =
      starts.length === 1 && starts.every((start) => isSame(start, JSON.parse(exact) as Exact));
    return isAsApproved ? [] : [{ command, starts }];
  });
  expect(differences).toEqual([]);
});

interface Approved {
  command: string;
  exact: string;
}

interface Exact {
  command: string;
  directory: { path: string };
  environment: Record<string, string>;
  shell: { path: string };
}

function isSame(start: ReturnType<typeof readStarts>[number], exact: Exact): boolean {
  const { PINCER_PROGRAM: _, ...environment } = start.environment;
  const digests = Object.entries(environment).map(([name, value]) => [
    name,
    createHash("sha256").update(value).digest("hex"),
  ]);
  const [shell = "", ...words] = start.argv;
  return (
    realpathSync(shell) === exact.shell.path &&
    JSON.stringify(words) === JSON.stringify(["-c", exact.command]) &&
    start.cwd === exact.directory.path &&
    JSON.stringify(Object.fromEntries(digests.sort())) === JSON.stringify(exact.environment)
  );
}
