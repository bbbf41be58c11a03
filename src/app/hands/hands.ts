/**
 * What agents reach beyond words with: programs behind walls, the one way to the network, and what it takes to undo their work. One per process; nothing
 * is loaded or started before somebody needs it.
 */
import type { Tool } from "@pincer/sdk";
import type { Snapshots, TurnPlace } from "../../sandbox/snapshots/snapshots.ts";
import type { WorkdirKeeper } from "../../sandbox/workdir-keeper.ts";
import type { WallChoice } from "../../sandbox/walls/wall.ts";

export interface Hands {
  /** The tools that reach beyond the files of a workdir, as they work there. Quick: nothing is started. */
  toolsIn(workdir: string): Tool[];
  /** Who remembers where workdirs really are; shared with whoever else works in them. */
  keeper: WorkdirKeeper;
  /** Changes whenever the config gives other tools than before. */
  stamp(): string;
  /** Keeps what a call of a turn may change. Throws PincerError: then the call must not run. */
  keep(place: TurnPlace, changes: readonly string[] | "anything", signal: AbortSignal): Promise<void>;
  /** How many files the running turn has removed so far, as far as its changes are kept; what cannot be counted is told and counts as none. Never throws. */
  removed(turnId: string): Promise<number>;
  /** Notes in the background what the turn has changed. */
  turnEnded(turnId: string): void;
  snapshots: Pick<Snapshots, "list" | "find" | "undo">;
  /** What programs run behind. Never throws. */
  wall(): Promise<WallChoice>;
  /** What an earlier process left is ended and noted. Never throws: what fails is told. */
  recover(): Promise<void>;
  /** Throws away what is kept no longer. Throws what the disk does. */
  tidy(): Promise<void>;
  /** Ends what runs. Safe to call twice. */
  close(): Promise<void>;
}
