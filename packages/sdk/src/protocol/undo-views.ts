/** What turns changed in workdirs, as it can be undone. */
import type { ChangesView } from "../dry-run.ts";

/** Relative to the workdir; a directory ends with a slash. */
export interface ChangedPathView {
  path: string;
  change: "made" | "changed" | "removed";
}

/** What a turn changed, line by line. */
export interface TurnDiffView extends ChangesView {
  turnId: string;
}

export interface TurnChangesView {
  /** The time of the turn, or of the undo. */
  turnId: string;
  sessionKey: string;
  agentId: string;
  workdir: string;
  at: string;
  paths: ChangedPathView[];
  /** What was changed and cannot be restored. */
  notKept: string[];
  /** The undo that restored it. */
  undoneBy?: string;
  /** If it is an undo: what it undid. */
  undoes?: string;
}

export interface UndoReportView {
  turnId: string;
  /** Undoing that one redoes the changes. Missing if there was nothing to restore. */
  undoId?: string;
  restored: ChangedPathView[];
  /** Changed again since, and not restored. */
  conflicts: string[];
  notKept: string[];
}
