/** What a stage and its troubles are given. */
import type { Program } from "./child-process.ts";
import type { NetworkLedger } from "./network-ledger.ts";
import type { Plant } from "./plant.ts";
import type { ProveHome } from "./prove-home.ts";

/** What a life has besides the usual. */
export interface LifeManner {
  speed?: number;
  pauseMs?: number;
}

export interface StageWishes {
  seed: number;
  /** How fast the product's clock runs. */
  speed: number;
  plant?: Plant | undefined;
}

export interface StageParts {
  place: ProveHome;
  program: Program;
  signal: AbortSignal;
  /** What the network had seen before. */
  ledger?: NetworkLedger;
  /** What the product says to people who wait, which answers nothing. */
  waitingLines?: readonly string[] | undefined;
  /** When the product's clock began to run faster: the same for all who open the same home. */
  origin?: number;
  /** How long nothing may be finished before it counts as never. */
  patienceMs?: number;
}

/** How long a process is given that cannot write. */
export const helplessMs = 1500;
