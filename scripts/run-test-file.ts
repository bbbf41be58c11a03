/** Runs one test file of a repository and tells how it ended. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TestRun =
  | { type: "passed"; count: number }
  /** `first` is the name of the first test that failed. */
  | { type: "failed"; first: string }
  /** It could not even be run, ran nothing, or failed for a reason that is no test's. */
  | { type: "broken"; reason: string };

interface Report {
  success: boolean;
  numPassedTests: number;
  testResults: Array<{
    message?: string;
    assertionResults: Array<{ fullName: string; status: string; failureMessages?: string[] }>;
  }>;
}

const longestMs = 15 * 60_000;

/** Rejects with the signal's reason when it aborts; everything that was started has then been ended. */
export async function runTestFile(
  root: string,
  test: string,
  { signal, longest = longestMs }: { signal?: AbortSignal | undefined; longest?: number } = {},
): Promise<TestRun> {
  const directory = await mkdtemp(join(tmpdir(), "test-run-"));
  try {
    const reportFile = join(directory, "report.json");
    const overtime = AbortSignal.timeout(longest);
    const enough = signal ? AbortSignal.any([signal, overtime]) : overtime;
    const output = await runVitest(root, test, reportFile, enough);
    signal?.throwIfAborted();
    if (overtime.aborted) return { type: "broken", reason: `it did not end within ${longest / 1000} s` };
    const report = await readFile(reportFile, "utf8").catch(() => undefined);
    if (report === undefined) return { type: "broken", reason: `no report: ${output.trim().slice(-500)}` };
    return judgeReport(JSON.parse(report) as Report);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Pure. A failure counts only where a test ran and did not like what it saw. */
export function judgeReport({ success, numPassedTests, testResults }: Report): TestRun {
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "failed");
  const told = failed.find(({ failureMessages = [] }) => !failureMessages.some(isUnreadable));
  if (told !== undefined) return { type: "failed", first: told.fullName };
  const reason =
    failed[0]?.failureMessages?.[0] ?? testResults.map(({ message }) => message ?? "").join("\n");
  if (failed.length > 0 || !success) return { type: "broken", reason: reason.slice(0, 500) };
  if (numPassedTests === 0)
    return { type: "broken", reason: "no test ran: all are skipped, or there is none" };
  return { type: "passed", count: numPassedTests };
}

/** What a source says that is not even run: the guard's replacement is at fault, and no test has noticed anything. */
const isUnreadable = (message: string): boolean =>
  /^(?:SyntaxError|ReferenceError)\b|ERR_(?:INVALID|UNSUPPORTED)_TYPESCRIPT|ERR_MODULE_NOT_FOUND|Failed to (?:parse|load|resolve)/.test(
    message,
  );

function projectOf(test: string): "unit" | "product" | "escape" | "deep" {
  if (test.endsWith(".deep.test.ts")) return "deep";
  if (test.startsWith("test/escape/")) return "escape";
  return test.startsWith("test/") ? "product" : "unit";
}

/** What it printed last. */
function runVitest(root: string, test: string, reportFile: string, signal: AbortSignal): Promise<string> {
  const args = ["run", "--project", projectOf(test), test, "--reporter=json", `--outputFile=${reportFile}`];
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
