/** The parts that run programs. */
import type { Clock } from "../infra/clock.ts";
import type { Shells } from "../sandbox/programs/find-shell.ts";
import type { Programs, ProgramWatch } from "../sandbox/programs/program.ts";
import type { Enclosure, WallChoice } from "../sandbox/walls/wall.ts";
import type { WorkdirRegistry } from "../sandbox/workdir-registry.ts";

export interface ExecSettings {
  timeoutSec: number;
  safeBins: readonly string[];
  /** Left out: the login shell. */
  shell?: string | undefined;
  /** Variables that programs see besides the usual few. */
  environment: readonly string[];
}

/** `there`: what a wall shows read-only, by names in the workdir. */
export type GuardingWatch = ProgramWatch & { there: readonly string[] };

export interface ExecParts {
  programs: Programs;
  shells: Shells;
  wall(): Promise<WallChoice>;
  /** `nowhere`: without any network. If it throws, nothing is started. */
  enclosure(reach?: "allowed" | "nowhere"): Promise<Enclosure>;
  workdir: string;
  /** The workdirs of all agents. */
  workdirs(): readonly string[];
  /** Checks that the workdir has not moved. */
  registry: WorkdirRegistry;
  /** Whether this process outlives the call: only then can a program continue in the background. */
  lasts: boolean;
  settings(): ExecSettings;
  /** Pincer's own. */
  environment: Readonly<Record<string, string | undefined>>;
  /** The home directory of programs. */
  home: string;
  /**
   * Guards the files that steer the assistant while an unapproved program runs; `all`: also those that run by
   * themselves. If it throws, nothing is started.
   */
  watch?(byWall: "read-only" | "writable", guards: "steering" | "all"): Promise<GuardingWatch>;
  /** Whether the workdir has changes of tainted turns that the owner has not seen: a program may run them. Never throws. */
  hasUnseen?(): Promise<boolean>;
  clock: Clock;
}
