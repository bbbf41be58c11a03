/** What turns changed in workdirs, kept as it was before, so that it can be put back. */

export interface TurnPlace {
  turnId: string;
  sessionKey: string;
  agentId: string;
  /** A real path. */
  workdir: string;
  /** Texts of others were read before. */
  isTainted?: boolean;
}

/** One path that a turn changed, relative to the workdir; a directory ends with a slash. */
export interface ChangedPath {
  path: string;
  change: "made" | "changed" | "removed";
}

export interface TurnChanges extends TurnPlace {
  /** RFC 3339. */
  at: string;
  paths: ChangedPath[];
  /** What was not kept, and so cannot be put back, in words. */
  notKept: string[];
  /** The undoing that put it back, which is a change of its own. */
  undoneBy?: string;
  /** Where it is itself an undoing: what it undid. */
  undoes?: string;
  /** The owner was shown all of it. */
  isSeen?: true;
}

/** What a turn changed in files, as text; without what repositories keep for themselves. */
export interface TurnDiff {
  files: number;
  added: number;
  removed: number;
  text: string;
  /** False if something of it was too large, or is not kept. */
  isWhole: boolean;
  /** What programs wrote and was put elsewhere, by the name that it was to have; see `steering-files.ts`. */
  setAside: Array<{ path: string; keptAs: string }>;
}

export interface UndoReport {
  /** What was undone. */
  turnId: string;
  /** What the undoing is called: undoing that one brings the changes again. Left out where there was nothing to put back. */
  undoId?: string;
  restored: ChangedPath[];
  /** Changed again since, and left as they are. */
  conflicts: string[];
  notKept: string[];
}

export interface Snapshots {
  /**
   * Before a call of the turn changes these paths: keeps what they hold, once per turn. On the disk when it resolves; what could not be kept is
   * answered. Throws PincerError `storage/…` when the disk fails, and the signal's reason when that stops it: then the call must not run.
   */
  before(
    place: TurnPlace,
    paths: readonly string[] | "anything",
    signal?: AbortSignal,
  ): Promise<{ notKept: string[] }>;
  /**
   * How many files of the workdir the running turn has removed since it began or went on, of those that it was seen with; up to `many` of them may only
   * have been moved. 0 for a turn that keeps nothing here. Throws what the disk does.
   */
  removed(turnId: string, many: number): Promise<number>;
  /** The turn is over: what it changed is noted, before any turn that begins in the workdir after this call. Safe to repeat; after a crash the next start does it. Never throws for a turn that it does not know. */
  after(turnId: string): Promise<void>;
  /** The newest first; only those that are over and changed something. With `isOver` the asker knows that no turn of the session runs: what is still open is ended first; throws PincerError `session/busy` where another process has not yet ended one. */
  list(where: {
    sessionKey?: string;
    agentId?: string;
    limit: number;
    isOver?: boolean;
  }): Promise<TurnChanges[]>;
  /** Undefined while the turn runs, here or in another process. */
  find(turnId: string): Promise<TurnChanges | undefined>;
  /** Likewise, what it changed. Throws what the disk does. */
  diff(turnId: string): Promise<TurnDiff | undefined>;
  /** The owner was shown all that the turn changed. Throws what the disk does. */
  seen(turnId: string): Promise<void>;
  /** What tainted turns that are over changed in these paths of the workdir, and the owner has neither seen nor undone: as text, newest first; empty if nothing. Throws what the disk does. */
  unseen(workdir: string, paths: readonly string[]): Promise<string>;
  /** Whether a tainted turn left something in the workdir that the owner has neither seen nor undone. Throws what the disk does. */
  hasUnseen(workdir: string): Promise<boolean>;
  /** To be called while no turn of the session runs. Puts back what the turn changed; with `force` also where it was changed again since. Throws PincerError `usage/not-found`, `usage/…`, `session/busy` while it runs in another process. Killed half-way, it can be repeated. */
  undo(turnId: string, options: { force: boolean }): Promise<UndoReport>;
  /** Throws away what is older than the settings keep, and what is too much. */
  prune(): Promise<void>;
  /**
   * After a start, before any turn: ends what processes that are gone left open, half an undoing included. Resolves at once; it is done in
   * the background, and everything else waits for it. Safe to repeat; never throws for a workdir that is gone, and what fails there is told.
   */
  recover(): Promise<void>;
  /** Resolves when nothing goes on in the background; never throws. */
  settled(): Promise<void>;
}
