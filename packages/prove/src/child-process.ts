/** Starts the product as a process of its own, and knows when and how it ended. */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { createChildLink, type ChildLink } from "./child-link.ts";
import type { FromChild } from "./network-frames.ts";

/** How this very program is started. */
export interface Program {
  command: string;
  args: readonly string[];
  environment: Record<string, string | undefined>;
}

export interface Ended {
  status: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  /** Resolves when it has loaded its code and waits; never when it ends before. */
  link: Promise<ChildLink>;
  /** Resolves when it is gone. */
  ended: Promise<Ended>;
  isAlive(): boolean;
  /** SIGKILL, as soon as its process id is known. */
  kill(): void;
  /** The end of what it wrote to stderr. */
  lastWords(): string;
}

export interface Children {
  /** `through` is a command that is put before it, such as a tracer; `execArgs` are for Node. */
  start(options?: { through?: readonly string[]; execArgs?: readonly string[] }): Child;
  /** For the network: hands each control connection to the process that it belongs to. */
  onControl(socket: Socket, hello: Extract<FromChild, { type: "control" }>): (frame: FromChild) => void;
  /** Kills what is left and waits for its end. */
  close(): Promise<void>;
}

export function createChildren(parts: { program: Program; socketPath: string; home: string }): Children {
  const { program, socketPath, home } = parts;
  const waiting = new Map<number, (link: ChildLink) => void>();
  const living = new Set<Child>();
  let lives = 0;

  return {
    start({ through = [], execArgs = [] } = {}) {
      const life = ++lives;
      const own = [...execArgs, ...program.args, "prove", "--gateway", socketPath, "--life", String(life)];
      const [command = program.command, ...args] = [...through, program.command, ...own];
      const process = spawn(command, args, {
        cwd: home,
        env: environmentFor(program.environment, home),
        stdio: ["ignore", "ignore", "pipe"],
      });
      let words = "";
      process.stderr.setEncoding("utf8").on("data", (text: string) => (words = (words + text).slice(-4000)));
      let linked: ChildLink | undefined;
      let isDoomed = false;
      let isGone = false;
      const link = new Promise<ChildLink>((resolve) => waiting.set(life, resolve));
      const ended = new Promise<Ended>((resolve) => {
        process.on("error", (error) => {
          words += error.message;
          resolve({ status: 127, signal: null });
        });
        process.on("close", (status, signal) => resolve({ status, signal }));
      });
      const child: Child = {
        link,
        ended,
        isAlive: () => !isGone,
        kill() {
          isDoomed = true;
          if (isGone) return;
          // A tracer that is killed lets its tracee run on: the process itself must be hit.
          if (linked) killProcess(linked.pid);
          else if (through.length === 0) process.kill("SIGKILL");
        },
        lastWords: () => words.trim(),
      };
      living.add(child);
      void link.then((made) => {
        linked = made;
        if (isDoomed) child.kill();
      });
      void ended.then(() => {
        isGone = true;
        living.delete(child);
        waiting.delete(life);
      });
      return child;
    },
    onControl(socket, { life, pid }) {
      const { link, onFrame } = createChildLink(socket, pid);
      waiting.get(life)?.(link);
      waiting.delete(life);
      return onFrame;
    },
    async close() {
      const left = [...living];
      for (const child of left) child.kill();
      await Promise.all(left.map(({ ended }) => ended));
    },
  };
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It was quicker.
  }
}

/** The user's own settings must not steer the proof. */
export function environmentFor(
  environment: Program["environment"],
  home: string,
): Record<string, string | undefined> {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(PINCER_(?!FROM_SOURCE)|PROFILE_|NODE_OPTIONS|LANG$|LC_|MAX_CONTEXT)/.test(name),
  );
  return { ...Object.fromEntries(kept), PINCER_HOME: home };
}
