/** Runs tests of a repository, in a process of their own, and tells how they ended. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";

export type TestRun =
  | { type: "passed"; count: number }
  /** Files with a test that failed by itself, or that could not be loaded. `first` is the first failed test, or why a file was not loaded. */
  | { type: "failed"; files: string[]; first: string }
  /**
   * No test failed by itself. `files` are those in which something took too long; none where the whole run did, or broke
   * down, or ended with an error that was no test's.
   */
  | { type: "unclear"; files: string[]; reason: string };

interface TestOptions {
  /** Stops at the first test that fails. */
  bail?: boolean;
  signal?: AbortSignal | undefined;
  longestMs?: number;
}

/** `files` names test files or folders of them; `related` runs every test that imports the file, however indirectly. */
export type TestChoice = { type: "files"; paths: string[] } | { type: "related"; file: string };

const usuallyLongestMs = 15 * 60_000;

/**
 * Where no test is found, none has failed. A run that takes too long is ended. Rejects with the signal's reason when it
 * aborts; everything that was started has then been ended.
 */
export async function runTests(
  root: string,
  choice: TestChoice,
  { bail = false, signal, longestMs = usuallyLongestMs }: TestOptions = {},
): Promise<TestRun> {
  const directory = await mkdtemp(join(tmpdir(), "test-run-"));
  try {
    const reportFile = join(directory, "report.json");
    const overtime = AbortSignal.timeout(longestMs);
    const enough = signal ? AbortSignal.any([signal, overtime]) : overtime;
    const args = [
      ...(choice.type === "files" ? ["run", ...choice.paths] : ["related", "--run", choice.file]),
      "--project=unit",
      "--project=escape",
      "--passWithNoTests",
      "--no-isolate",
      // When several mutants are tested at once, each has a core.
      "--maxWorkers=1",
      ...(bail ? ["--bail=1"] : []),
      "--reporter=json",
      `--outputFile=${reportFile}`,
    ];
    const output = await runVitest(root, args, enough);
    signal?.throwIfAborted();
    if (overtime.aborted)
      return { type: "unclear", files: [], reason: `not done after ${longestMs / 1000} s` };
    const report = await readFile(reportFile, "utf8").catch(() => undefined);
    if (report === undefined)
      return { type: "unclear", files: [], reason: `no report: ${output.trim().slice(-500)}` };
    return judgeReport(root, JSON.parse(report) as Report);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export interface Report {
  success: boolean;
  numPassedTests: number;
  testResults: Array<{
    name: string;
    status: string;
    message?: string;
    assertionResults: Array<{ fullName: string; status: string; failureMessages?: string[] | null }>;
  }>;
}

/** Pure. */
export function judgeReport(root: string, { success, numPassedTests, testResults }: Report): TestRun {
  const failed = testResults.filter(({ status }) => status === "failed");
  if (failed.length === 0 && success) return { type: "passed", count: numPassedTests };
  const told = failed.flatMap((file) => {
    const first = failureIn(file);
    return first === undefined ? [] : [{ file, first }];
  });
  const nameOf = ({ name }: FileReport) => relative(root, name).split(sep).join("/");
  const [most] = told;
  if (most) return { type: "failed", files: told.map(({ file }) => nameOf(file)), first: most.first };
  const reason = failed.length > 0 ? "a test took too long" : "an error outside of the tests";
  return { type: "unclear", files: failed.map(nameOf), reason };
}

type FileReport = Report["testResults"][number];

/** The first test that failed by itself, or why the file could not be loaded; undefined where the file only took too long. */
function failureIn({ assertionResults, message = "" }: FileReport): string | undefined {
  const failed = assertionResults.filter(({ status }) => status === "failed");
  if (failed.length === 0) return isTimeout(message) ? undefined : message.slice(0, 500);
  return failed.find(({ failureMessages }) => !(failureMessages ?? []).every(isTimeout))?.fullName;
}

/** The runner's own words: nothing was found wrong, it only took longer than a test or a hook may. */
const isTimeout = (message: string): boolean => /\b(?:Test|Hook) timed out in \d+ ?ms/.test(message);

/** What it printed last. */
function runVitest(root: string, args: string[], signal: AbortSignal): Promise<string> {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  return new Promise((resolve) => {
    // A group of its own: the workers of a run that is ended must end too, however busy they are.
    const child = spawn(process.execPath, [vitest, ...args], {
      cwd: root,
      env: ownEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const endAll = () => endGroup(child.pid);
    if (signal.aborted) endAll();
    signal.addEventListener("abort", endAll, { once: true });
    let output = "";
    const hear = (chunk: Buffer) => (output = (output + chunk).slice(-10_000));
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    const finish = (last: string) => {
      signal.removeEventListener("abort", endAll);
      resolve(output + last);
    };
    child.on("error", (error) => finish(String(error)));
    child.on("close", () => finish(""));
  });
}

/** Within a test run the child would take itself for a part of it. */
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^VITEST|^(?:NODE_ENV|TEST|DEV|PROD|MODE|SSR|BASE_URL)$/.test(name),
    ),
  );

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself meanwhile.
  }
}
