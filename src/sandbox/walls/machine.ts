/** The machine as the walls see it: what it is, which programs it has, and whether they work. */
import { execFile } from "node:child_process";
import { access, constants, realpath } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import { programDirectories } from "./system-paths.ts";
import type { ProgramCall } from "./wall.ts";

export interface Machine {
  platform: string;
  /** Of the processor, in Node's words. */
  arch: string;
  uid: number;
  gid: number;
  memoryBytes: number;
  /** The Node that runs us; a real path. */
  node: string;
  /** The absolute path of a program, looked for in the system's own directories alone; undefined when there is none. Never throws. */
  which(name: string): Promise<string | undefined>;
  /** Runs a program to its end and answers with its status and the end of what it said. Never throws; `status` is undefined where it could not be started or took too long. */
  run(call: ProgramCall): Promise<ProgramEnd>;
}

export interface ProgramEnd {
  status: number | undefined;
  said: string;
}

export async function findMachine(): Promise<Machine> {
  return {
    platform: process.platform,
    arch: process.arch,
    uid: process.getuid?.() ?? -1,
    gid: process.getgid?.() ?? -1,
    memoryBytes: totalmem(),
    node: await realpath(process.execPath),
    async which(name) {
      for (const directory of programDirectories) {
        const path = join(directory, name);
        if (await isExecutable(path)) return path;
      }
      return undefined;
    },
    run: ({ file, args, cwd, environment }) =>
      new Promise((resolve) => {
        const options = {
          cwd,
          env: { ...environment },
          timeout: 10_000,
          killSignal: "SIGKILL",
          maxBuffer: 1_000_000,
        } as const;
        const child = execFile(file, [...args], options, (error, stdout, stderr) => {
          const said = (stderr.trim() || stdout.trim() || (error?.message ?? "")).slice(-500);
          resolve({ status: error ? (child.exitCode ?? undefined) : 0, said });
        });
        child.stdin?.end();
      }),
  };
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // Not there or not ours to run: it cannot be used either way.
    return false;
  }
}
