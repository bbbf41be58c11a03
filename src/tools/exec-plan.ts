/**
 * Plans a start before anybody is asked: command, directory, environment, shell, programs and wall. The owner
 * approves the plan as one text; right before the start the plan must give the same text again.
 */
import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { PincerError } from "@pincer/sdk";
import { identifyFile, type FileIdentity } from "../sandbox/programs/file-identity.ts";
import { programEnvironment } from "../sandbox/programs/program-environment.ts";
import { resolvePrograms, type ResolvedProgram } from "../sandbox/programs/resolve-programs.ts";
import type { CommandReading } from "../sandbox/shell/command-reading.ts";
import { readCommand } from "../sandbox/shell/read-command.ts";
import type { WallChoice } from "../sandbox/walls/wall.ts";
import type { ExecParts } from "./exec-parts.ts";

/** How long to wait for it, and how long it may take. */
export interface ExecTiming {
  timeoutMs: number | undefined;
  background: boolean;
  yieldMs: number | undefined;
}

export interface CommandPlan extends ExecTiming {
  command: string;
  reading: CommandReading;
  /** Real paths. */
  workdir: string;
  cwd: string;
  choice: WallChoice;
  shell: string;
  /** Complete, except for the mark that differs each time. */
  environment: Readonly<Record<string, string>>;
}

export interface Wish extends ExecTiming {
  command: string;
  cwd: string | undefined;
  /** Only this shell; by default the configured one, or the next that can be run. */
  shell?: string;
}

/** Throws PincerError if it would start outside the workdir. */
export async function planCommand(parts: ExecParts, wish: Wish): Promise<CommandPlan> {
  const { timeoutMs, background, yieldMs } = wish;
  const cwd = locate(parts, wish.cwd);
  const choice = await parts.wall();
  const path = await parts.shells.path([parts.workdir, ...parts.workdirs()]);
  const shell = wish.shell ?? (await shellFor(parts, choice));
  const { environment, home } = parts;
  const listed = parts.settings().environment;
  return {
    command: wish.command,
    reading: await readCommand(wish.command),
    workdir: locate(parts),
    cwd,
    choice,
    shell,
    timeoutMs,
    background,
    yieldMs,
    environment: programEnvironment({ environment, listed, path, home, shell, cwd }),
  };
}

/** Differences are reported in this order. */
interface Exact {
  command: string;
  directory: { path: string; id: string };
  environment: Record<string, string>;
  shell: FileIdentity | string;
  programs: ResolvedProgram[];
  wall: string;
  timing: ExecTiming;
}

/**
 * Equal texts are the same start, byte for byte. Reads the disk synchronously. `directoryId` identifies the start
 * directory.
 */
export function exactOf(plan: CommandPlan, directoryId: string): string {
  const { command, cwd, timeoutMs, background, yieldMs } = plan;
  const exact: Exact = {
    command,
    directory: { path: cwd, id: directoryId },
    environment: digests(plan.environment),
    shell: isElsewhere(plan.choice) ? plan.shell : (identifyFile(realOf(plan.shell)) ?? "not there"),
    programs: programsOf(plan),
    wall: isWalled(plan.choice) ? wallWords(plan.choice) : "none",
    timing: { timeoutMs, background, yieldMs },
  };
  return JSON.stringify(exact, (_, value: unknown) => (value === undefined ? null : value));
}

/** Programs of another machine cannot be inspected from here. */
export function programsOf({ reading, environment, cwd, choice }: CommandPlan): ResolvedProgram[] {
  const programs = resolvePrograms(reading, { path: environment["PATH"] ?? "", cwd });
  return isElsewhere(choice) ? programs.map(({ name }) => ({ name, type: "unknown" })) : programs;
}

/** What has changed, in words. */
export function whatDiffers(approved: string, now: string): string {
  const before = parsed(approved);
  const after = parsed(now);
  const names = Object.keys(words) as Array<keyof Exact>;
  const different = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return different.map((name) => words[name]).join(", ") || "all of it";
}

const words: Record<keyof Exact, string> = {
  command: "the command",
  directory: "the directory that it starts in",
  environment: "the environment",
  shell: "the shell",
  programs: "a program that it runs",
  wall: "what it runs behind",
  timing: "how long it may take",
};

function parsed(exact: string): Partial<Exact> {
  try {
    return JSON.parse(exact) as Partial<Exact>;
  } catch {
    // Not one of our texts: everything differs.
    return {};
  }
}

/** Values may be secrets, so digests are compared. */
const digests = (environment: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => [name, createHash("sha256").update(value).digest("hex")]),
  );

const isWalled = ({ type }: WallChoice): boolean => type === "walled";

/** For people. */
export const wallWords = (choice: WallChoice): string =>
  choice.type === "walled"
    ? `${choice.wall.kind} (${choice.wall.description})`
    : `outside any sandbox (${choice.reason})`;

const isElsewhere = (choice: WallChoice): boolean =>
  choice.type === "walled" && ["container", "microvm"].includes(choice.wall.kind);

/** The first that can be run. A separate machine has its own shells; only one of them exists everywhere. */
async function shellFor({ shells, settings }: ExecParts, choice: WallChoice): Promise<string> {
  const [first = "/bin/sh"] = isElsewhere(choice) ? [] : await shells.inOrder(settings().shell);
  return first;
}

/** The real path of a directory in the workdir. Throws PincerError. */
export function locate(
  { workdir, registry: keeper }: Pick<ExecParts, "workdir" | "registry">,
  cwd = ".",
): string {
  const there = realDirectory(workdir);
  if (there === undefined) throw gone(workdir);
  const root = keeper.same(workdir, there);
  const real = realDirectory(resolve(root, cwd));
  if (real === undefined) throw unfit(`${cwd} is not a directory`);
  const way = relative(root, real);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) throw outside(cwd);
  return real;
}

function realDirectory(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    // Missing or not accessible: nothing can start there.
    return undefined;
  }
}

/** For a missing path: its name. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export const outside = (cwd: string) => unfit(`${cwd} is outside the workdir`);

/** It was there when the turn began: a drive went, or somebody moved it. */
const gone = (workdir: string) =>
  new PincerError("tool/failed", `the workdir ${workdir} is gone: it is no directory any more`);

const unfit = (message: string) => new PincerError("tool/invalid-args", message);
