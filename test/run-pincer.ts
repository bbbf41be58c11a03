/** Runs the product as a user would: its own process, its own home. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const pincerBin = fileURLToPath(new URL("../bin/pincer.mjs", import.meta.url));

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
  /** Kills the process with SIGKILL after so many milliseconds. */
  killAfterMs?: number;
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
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

function runPincer(home: string, args: string[], options: RunOptions): Promise<Ended> {
  const child = spawn(process.execPath, [pincerBin, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: cleanEnvironment({ PINCER_HOME: home, ...options.environment }),
    stdio: ["pipe", "pipe", "pipe"],
  });
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
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...own };
}
