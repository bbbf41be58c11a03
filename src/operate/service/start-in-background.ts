/**
 * `gateway start --daemon`: a process that outlives the terminal; waits until it serves or has said why it does not.
 */
import { spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureDir, locateHome, type Home } from "../../config/home.ts";
import { diskFailure } from "../../config/disk-failure.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { createServiceRecords, type ServiceRecord, type ServiceRecords } from "./service-record.ts";

export interface BackgroundParts {
  environment: Record<string, string | undefined>;
  cwd: string;
  signal: AbortSignal;
  clock?: Clock;
  launch?: Launch;
  records?: Pick<ServiceRecords, "read">;
}

/** Starts `pincer` with these arguments, detached, both its outputs going to the file. */
export type Launch = (given: {
  args: readonly string[];
  output: number;
  environment: Record<string, string | undefined>;
  cwd: string;
}) => {
  pid: number | undefined;
  /** Resolves when it has ended, or could not begin. */
  ended: Promise<{ status: number | null }>;
};

export type BackgroundStart =
  | { type: "started"; record: ServiceRecord }
  /** `lines`: the last that it said. */
  | { type: "failed"; status: number | null; lines: string[] };

const patienceMs = 120_000;
const lookAgainMs = 50;
const mostLines = 20;

/** `args` are those of `pincer gateway run`. Throws PincerError `gateway/running`, `gateway/unreachable`, `storage/…`. */
export async function startInBackground(
  parts: BackgroundParts,
  args: readonly string[],
): Promise<BackgroundStart> {
  const { environment, cwd, signal, clock = systemClock, launch = launchPincer } = parts;
  const home = locateHome(environment);
  const { read } = parts.records ?? createServiceRecords(home);
  const running = await read();
  if (running)
    throw failure(
      "gateway/running",
      "gateway.running",
      { pid: running.pid },
      { hint: "gateway.running.hint" },
    );
  const file = outputFile(home);
  const output = openOutput(file, home);
  const { pid, ended } = launch({
    args: ["gateway", "run", "--in-background", ...args],
    output,
    environment,
    cwd,
  });
  closeSync(output);

  let over: { status: number | null } | undefined;
  ended.then((how) => (over = how)).catch(() => (over = { status: null }));
  for (const end = clock.monotonic() + patienceMs; ; await clock.sleep(lookAgainMs, signal)) {
    const record = await read();
    if (record && record.pid === pid) return { type: "started", record };
    if (over) return { type: "failed", status: over.status, lines: await lastLines(file) };
    if (clock.monotonic() >= end)
      throw failure(
        "gateway/unreachable",
        "service.slow-start",
        { pid: pid ?? 0, seconds: patienceMs / 1000, file },
        { hint: "service.slow-start.hint" },
      );
  }
}

/** What it says before it has a log, and why it could not start. */
const outputFile = ({ logsDir }: Home): string => join(logsDir, "gateway-start.log");

function openOutput(file: string, home: Home): number {
  try {
    ensureDir(home.logsDir);
    const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW } = constants;
    return openSync(file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW, 0o600);
  } catch (error) {
    throw diskFailure(error, home.root);
  }
}

async function lastLines(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").filter(Boolean).slice(-mostLines);
}

const launchPincer: Launch = ({ args, output, environment, cwd }) => {
  const [, pincer = ""] = process.argv;
  const child = spawn(process.execPath, [pincer, ...args], {
    cwd,
    // One place for the memory that threads ask for, instead of one each: what mostly waits has little use for more.
    env: { MALLOC_ARENA_MAX: "1", ...environment },
    detached: true,
    stdio: ["ignore", output, output],
  });
  child.unref();
  return {
    pid: child.pid,
    ended: new Promise((resolve) => {
      child.once("exit", (status) => resolve({ status }));
      child.once("error", () => resolve({ status: null }));
    }),
  };
};
