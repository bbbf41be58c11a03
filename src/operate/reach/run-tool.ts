import { execFile } from "node:child_process";

export type ToolOutcome =
  | { type: "ended"; status: number; out: string; said: string }
  | { type: "missing" }
  | { type: "too-slow" };

/** Runs a program of the system to its end, without a shell. Never throws. */
export type RunTool = (program: string, args: readonly string[]) => Promise<ToolOutcome>;

const patienceMs = 20_000;

export const runTool: RunTool = (program, args) =>
  new Promise((resolve) => {
    const options = { timeout: patienceMs, killSignal: "SIGKILL", maxBuffer: 4 * 1024 * 1024 } as const;
    execFile(program, args, options, (error, out, said) => {
      if (!error) return resolve({ type: "ended", status: 0, out, said });
      if (error.code === "ENOENT" || error.code === "EACCES") return resolve({ type: "missing" });
      if (error.killed) return resolve({ type: "too-slow" });
      resolve({ type: "ended", status: typeof error.code === "number" ? error.code : 1, out, said });
    });
  });
