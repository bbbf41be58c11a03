/** How long the command line takes to answer, beside bare `node -e 0` of the same Node, interleaved. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../bin/pincer.mjs", import.meta.url));
const rounds = 25;

/** Name → arguments for node, and the most it may cost as a multiple of bare node (undefined: only told). */
const subjects: Record<string, { args: string[]; goal?: number }> = {
  "node -e 0": { args: ["-e", "0"] },
  "--version": { args: [bin, "--version"], goal: 1.4 },
  "--help": { args: [bin, "--help"], goal: 1.4 },
  "ask --help": { args: [bin, "ask", "--help"], goal: 2 },
  "ask (stub)": { args: [bin, "ask", "hello"] },
  status: { args: [bin, "status"] },
};

export interface StartupFigure {
  name: string;
  medianMs: number;
  ratio: number;
  goal: number | undefined;
}

export function measureStartup(): StartupFigure[] {
  const home = mkdtempSync(join(tmpdir(), "pincer-bench-"));
  const times = new Map(Object.keys(subjects).map((name) => [name, [] as number[]]));
  try {
    // Two rounds to warm the disk and the code cache, then the measured ones.
    for (let round = -2; round < rounds; round++) {
      for (const [name, { args }] of Object.entries(subjects)) {
        const startedAt = performance.now();
        const { status, stderr } = spawnSync(process.execPath, args, {
          env: { ...process.env, PINCER_HOME: home },
          encoding: "utf8",
        });
        if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
        if (round >= 0) times.get(name)?.push(performance.now() - startedAt);
      }
    }
  } finally {
    rmSync(home, { recursive: true });
  }
  const bare = median(times.get("node -e 0") ?? []);
  return Object.entries(subjects).map(([name, { goal }]) => {
    const medianMs = median(times.get(name) ?? []);
    return { name, medianMs, ratio: medianMs / bare, goal };
  });
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
