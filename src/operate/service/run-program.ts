import { spawn } from "node:child_process";

export type ProgramOutcome = { type: "ended"; status: number | null; said: string } | { type: "missing" };

/** Runs a program of the system, without a shell. Never throws. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<ProgramOutcome>;

const mostCharacters = 2000;

export const runProgram: RunProgram = (program, args) =>
  new Promise((resolve) => {
    let said = "";
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-mostCharacters);
    });
    child.once("error", () => resolve({ type: "missing" }));
    child.once("close", (status) => resolve({ type: "ended", status, said }));
  });
