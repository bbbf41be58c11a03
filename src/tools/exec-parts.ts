/** What programs are run with. */
import type { Clock } from "../infra/clock.ts";
import type { Shells } from "../sandbox/programs/find-shell.ts";
import type { Programs } from "../sandbox/programs/program.ts";
import type { SteeringWatch } from "../sandbox/steering-files.ts";
import type { Enclosure, WallChoice } from "../sandbox/walls/wall.ts";
import type { WorkdirRegistry } from "../sandbox/workdir-registry.ts";

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
  /** `nowhere`: without any network. May throw: then nothing is started. */
  enclosure(reach?: "allowed" | "nowhere"): Promise<Enclosure>;
  workdir: string;
  /** Those of all agents, this one or not. */
  workdirs(): readonly string[];
  /** Says whether the workdir is still where it was. */
  keeper: WorkdirRegistry;
  /** Whether this process goes on after the call: only then can a program go on in the background. */
  lasts: boolean;
  settings(): ExecSettings;
  /** Pincer's own. */
  environment: Readonly<Record<string, string | undefined>>;
  /** What programs take for their home. */
  home: string;
  /** Looks after the files that steer the assistant while a program runs that nobody approved. Throws: then nothing is started. */
  watch?(byWall: "read-only" | "writable"): Promise<SteeringWatch>;
  clock: Clock;
}
