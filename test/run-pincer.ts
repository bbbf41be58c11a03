/** Runs the product as a user would: its own process, its own home. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built product; its sources where somebody works on them and says so. */
const program = process.env["PINCER_TEST_SOURCES"] ? "../src/cli/start.ts" : "../bin/pincer.mjs";
export const pincerBin = fileURLToPath(new URL(program, import.meta.url));

export interface Ended {
  status: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export interface RunOptions {
  input?: string;
  environment?: Record<string, string>;
  cwd?: string;
  /** Kills the process with SIGKILL after this many milliseconds. */
  killAfterMs?: number;
  /** Kills it with SIGKILL when it aborts. */
  signal?: AbortSignal;
}

export interface TestHome {
  path: string;
  run(args: string[], options?: RunOptions): Promise<Ended>;
  remove(): void;
}

export function makeHome(): TestHome {
  const path = mkdtempSync(join(tmpdir(), "pincer-home-"));
  return {
    path,
    run: (args, options = {}) => runPincer(path, args, options),
    // A process that was killed a moment ago may still be making a file.
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  };
}

export interface RunningGateway {
  pid: number | undefined;
  process: ChildProcess;
  /** A clean end; resolves to the exit status. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

/** `pincer gateway run`, ready for messages. */
export async function startGateway(
  { path }: Pick<TestHome, "path">,
  args: string[] = [],
  environment: Record<string, string> = {},
): Promise<RunningGateway> {
  const child = spawn(process.execPath, [pincerBin, "gateway", "run", ...args], {
    cwd: tmpdir(),
    env: cleanEnvironment({ HOME: path, PINCER_HOME: path, ...environment }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("is running (pid")) resolve();
    });
    child.once("exit", (status) => reject(new Error(`ended with ${status}: ${said}`)));
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid,
    process: child,
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
}

/** The lines of a file that somebody else writes, as far as they are there. */
export const linesOf = (file: string): Array<Record<string, unknown>> =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    : [];

/** Waits for a file to grow, as a script would. */
export async function untilLines(file: string, count: number): Promise<void> {
  const stop = new AbortController();
  await new Promise<void>((resolve) => {
    const look = () => linesOf(file).length >= count && resolve();
    watch(dirname(file), { signal: stop.signal }, look);
    look();
  });
  stop.abort();
}

function runPincer(home: string, args: string[], options: RunOptions): Promise<Ended> {
  const child = spawn(process.execPath, [pincerBin, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: cleanEnvironment({ PINCER_HOME: home, ...options.environment }),
    stdio: ["pipe", "pipe", "pipe"],
  });
  options.signal?.addEventListener("abort", () => child.kill("SIGKILL"));
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  // A process that is killed or that reads no input closes the pipe early; that is not the test's failure.
  child.stdin.on("error", () => {}).end(options.input ?? "");
  const timer =
    options.killAfterMs === undefined
      ? undefined
      : setTimeout(() => child.kill("SIGKILL"), options.killAfterMs);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, signal) => {
      clearTimeout(timer);
      resolve({ status, signal, out, err });
    });
  });
}

/** The machine's environment less what would steer Pincer or Node. */
function cleanEnvironment(own: Record<string, string>): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(PINCER_|PROFILE_|NODE_|VITEST|LANG$|LC_|MAX_CONTEXT)/.test(name),
  );
  // Any port that is free: tests run side by side.
  return { ...(Object.fromEntries(kept) as Record<string, string>), PINCER_PORT: "0", ...own };
}
