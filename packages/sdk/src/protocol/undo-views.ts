/** What turns changed in workdirs, as it can be undone. */

/** Relative to the workdir; a directory ends with a slash. */
export interface ChangedPathView {
  path: string;
  change: "made" | "changed" | "removed";
}

export interface TurnChangesView {
  /** Of the turn, or of the undoing. */
  turnId: string;
  sessionKey: string;
  agentId: string;
  workdir: string;
  at: string;
  paths: ChangedPathView[];
  /** What was changed and cannot be put back. */
  notKept: string[];
  /** The undoing that put it back. */
  undoneBy?: string;
  /** Where it is an undoing: what it undid. */
  undoes?: string;
}

export interface UndoReportView {
  turnId: string;
  /** Undoing that one brings the changes again. Left out where there was nothing to put back. */
  undoId?: string;
  restored: ChangedPathView[];
  /** Changed again since, and left as they are. */
  conflicts: string[];
  notKept: string[];
}
