/** Starts a command for a session: by which shell, from where, with what environment, behind which wall. */
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { PincerError, type Destination } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { Shells } from "../sandbox/programs/find-shell.ts";
import type { Programs, RunningProgram } from "../sandbox/programs/program.ts";
import { programEnvironment } from "../sandbox/programs/program-environment.ts";
import { programMark } from "../sandbox/programs/process-table.ts";
import type { WorkdirKeeper } from "../sandbox/workdir-keeper.ts";
import type { Enclosure, WallChoice } from "../sandbox/walls/wall.ts";
import { unapproved, whyAsk, type CommandInPlace } from "./exec-approval.ts";

export interface ExecSettings {
  timeoutSec: number;
  safeBins: readonly string[];
  /** Left out: the login shell. */
  shell?: string | undefined;
  /** Names of variables that programs see besides the usual few. */
  environment: readonly string[];
}

export interface ExecParts {
  programs: Programs;
  shells: Shells;
  wall(): Promise<WallChoice>;
  /** May throw: then nothing is started. */
  enclosure(): Promise<Enclosure>;
  workdir: string;
  /** Those of all agents, this one or not. */
  workdirs(): readonly string[];
  /** Says whether the workdir is still where it was. */
  keeper: WorkdirKeeper;
  /** Whether this process goes on after the call: only then can a program go on in the background. */
  lasts: boolean;
  settings(): ExecSettings;
  /** Pincer's own. */
  environment: Readonly<Record<string, string | undefined>>;
  /** What programs take for their home. */
  home: string;
  clock: Clock;
}

export interface CommandStart {
  command: string;
  cwd: string | undefined;
  sessionKey: string;
  turnId: string | undefined;
  destination: Destination | undefined;
  timeoutMs: number | undefined;
  /** The owner wrote it or said yes to it: it may run without a wall. */
  isApproved: boolean;
  /** Only this shell; left out, the one of the settings, and where it cannot be started the next. */
  shell?: string;
}

/** Throws PincerError, and an Error where the owner would have to be asked first. */
export async function startCommand(parts: ExecParts, start: CommandStart): Promise<RunningProgram> {
  const { command, sessionKey, turnId, destination, timeoutMs } = start;
  const cwd = locate(parts, start.cwd);
  const choice = await parts.wall();
  // Asked of the very wall that it starts behind: the one of an earlier question may not stand any more.
  const reason = start.isApproved ? undefined : await whyAsk(choice, placeOf(parts, start));
  if (reason !== undefined) throw unapproved("exec", reason);
  const enclosure = choice.type === "walled" ? await parts.enclosure() : undefined;
  const path = await parts.shells.path([parts.workdir, ...parts.workdirs()]);
  const shells = await shellsFor(parts, choice, start.shell);

  const startWith = (shell: string) =>
    parts.programs.start({
      command,
      cwd,
      sessionKey,
      turnId,
      destination,
      timeoutMs,
      wall: choice.type === "walled" ? choice.wall.kind : undefined,
      end: choice.type === "walled" ? (id) => choice.wall.end?.(id) ?? Promise.resolve() : undefined,
      call(id) {
        // What was looked at is what is started from: a link may have been put there since.
        if (locate(parts, start.cwd) !== cwd) throw outside(start.cwd ?? ".");
        const environment = programEnvironment({
          environment: parts.environment,
          listed: parts.settings().environment,
          path,
          home: parts.home,
          shell,
          cwd,
        });
        // Inside the wall, too: whatever leaves its process group is known by it.
        const marked = { ...environment, [programMark]: id };
        const call = { file: shell, args: ["-c", command], cwd, environment: marked };
        return choice.type === "walled" && enclosure ? choice.wall.enclose(call, enclosure, id) : call;
      },
    });

  const [first = "/bin/sh", ...others] = shells;
  return others.reduce(
    (started, shell) =>
      started.catch((error: unknown) => (isNotStarted(error) ? startWith(shell) : Promise.reject(error))),
    startWith(first),
  );
}

/** Throws PincerError where it would begin outside the workdir. */
export function placeOf(
  parts: ExecParts,
  { command, cwd }: Pick<CommandStart, "command" | "cwd">,
): CommandInPlace {
  const { safeBins } = parts.settings();
  return { command, safeBins, workdir: locate(parts), cwd: locate(parts, cwd) };
}

/** A machine of its own has shells of its own; only one of them is everywhere. */
async function shellsFor(
  { shells, settings }: ExecParts,
  choice: WallChoice,
  wanted?: string,
): Promise<string[]> {
  if (wanted !== undefined) return [wanted];
  const isElsewhere = choice.type === "walled" && ["container", "microvm"].includes(choice.wall.kind);
  return isElsewhere ? ["/bin/sh"] : shells.inOrder(settings().shell);
}

const isNotStarted = (error: unknown): boolean =>
  error instanceof PincerError && error.text?.key === "programs.not-started";

/** The real path of a directory in the workdir. Throws PincerError. */
function locate({ workdir, keeper }: Pick<ExecParts, "workdir" | "keeper">, cwd = "."): string {
  const root = keeper.same(workdir, realpathSync(workdir));
  const real = realOf(resolve(root, cwd));
  if (real === undefined) throw unfit(`${cwd} is not a directory`);
  const way = relative(root, real);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) throw outside(cwd);
  return real;
}

function realOf(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    // Not there, or not to be entered: either way nothing can start from it.
    return undefined;
  }
}

const outside = (cwd: string) => unfit(`${cwd} is outside the workdir`);

const unfit = (message: string) => new PincerError("tool/invalid-args", message);
