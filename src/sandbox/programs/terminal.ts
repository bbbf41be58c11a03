/** Starts a program on its own terminal, or on pipes if none is available. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import type * as NodePty from "@lydell/node-pty";
import type { ProgramCall } from "../walls/wall.ts";

export interface Terminal {
  pid: number;
  hasTerminal: boolean;
  write(text: string): void;
  /** Stops reading: the program blocks when it prints more. */
  pause(): void;
  resume(): void;
  /** To the whole process group. Never throws. */
  signal(signal: NodeJS.Signals): void;
  /** Resolves when it has ended and all output was passed on. Never rejects. */
  ended: Promise<Ending>;
}

export interface Ending {
  exitCode: number;
  signal: string | undefined;
}

export type OpenTerminal = (call: ProgramCall, onOutput: (bytes: Buffer) => void) => Promise<Terminal>;

/** Throws the system's error where the program cannot be started. */
export const openTerminal: OpenTerminal = async (call, onOutput) => {
  const pty = await loadPty();
  return pty ? onPty(pty, call, onOutput) : spawnOnPipes(call, onOutput);
};

const columns = 120;
const rows = 40;

type Pty = Pick<typeof NodePty, "spawn">;

/** A native module that is not bundled: the name is no constant, so that bundlers ignore it. */
async function loadPty(): Promise<Pty | undefined> {
  const name: string = ["@lydell", "node-pty"].join("/");
  try {
    const loaded = (await import(name)) as Pty | { default: Pty };
    return "spawn" in loaded ? loaded : loaded.default;
  } catch {
    // Not installed, or not for this system: programs run without a terminal, and their records say so.
    return undefined;
  }
}

function onPty(pty: Pty, call: ProgramCall, onOutput: (bytes: Buffer) => void): Terminal {
  const { file, args, cwd, environment } = call;
  const child = pty.spawn(file, [...args], {
    name: environment["TERM"] ?? "xterm-256color",
    cols: columns,
    rows,
    cwd,
    env: { ...environment },
    encoding: null,
  });
  // Without an encoding it passes bytes, whatever its types say.
  child.onData((data: string | Buffer) => onOutput(typeof data === "string" ? Buffer.from(data) : data));
  const ended = new Promise<Ending>((resolve) =>
    child.onExit(({ exitCode, signal }) => resolve({ exitCode, signal: signalName(signal) })),
  );
  return {
    pid: child.pid,
    hasTerminal: true,
    write: (text) => child.write(text),
    pause: () => child.pause(),
    resume: () => child.resume(),
    signal: (signal) => signalGroup(child.pid, signal),
    ended,
  };
}

/** Throws likewise. */
export const spawnOnPipes: OpenTerminal = async (call, onOutput) => {
  const { file, args, cwd, environment } = call;
  const child = spawn(file, [...args], { cwd, env: { ...environment }, detached: true, stdio: "pipe" });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  const pid = child.pid ?? 0;
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) stream.on("data", onOutput);
  // Input for an ended program is dropped.
  child.stdin.on("error", () => undefined);
  return {
    pid,
    hasTerminal: false,
    write: (text) => void child.stdin.write(text),
    pause: () => streams.forEach((stream) => stream.pause()),
    resume: () => streams.forEach((stream) => stream.resume()),
    signal: (signal) => signalGroup(pid, signal),
    ended: new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        // A child may keep the pipes open: passes on the output so far and waits no longer.
        const settle = () => resolve({ exitCode: code ?? 0, signal: signal ?? undefined });
        child.once("close", settle);
        setTimeout(settle, lingering).unref();
      });
    }),
  };
};

const lingering = 200;

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid])
    try {
      process.kill(target, signal);
      return;
    } catch {
      // A new process has no group yet; an ended one is what we want.
    }
}

const signalName = (number: number | undefined): string | undefined =>
  number ? Object.entries(constants.signals).find(([, value]) => value === number)?.[0] : undefined;
