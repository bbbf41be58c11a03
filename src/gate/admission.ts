import type { ToolResult } from "@pincer/sdk";

/** The gate's answer to a call, before the call counts as begun. */
export type Admission =
  /**
   * The call may run, exactly as it was admitted. `run` is called at most once, after the journal says that the call
   * has begun; it never throws. `run` itself uses up the approval, so a crash before it leaves the approval unused.
   */
  | { type: "run"; run(signal: AbortSignal): Promise<ToolResult> }
  /** The call may not run; `result` says why. */
  | { type: "refused"; result: ToolResult }
  | CallPause
  | CallBreak
  | CallHandover;

/** A call that waits for the owner. It has no result yet: the turn parks, and asks the gate again when it resumes. */
export interface CallPause {
  type: "pause";
  approvalId: string;
}

/** A call that ends the run, because it reached a limit that protects the owner. The call does not run. */
export interface CallBreak {
  type: "break";
  /** Which limit, why, and how to raise it; shown to people. */
  reason: string;
}

/** A call of a tool that the caller brought along: nothing runs here, and the turn ends with this call. */
export interface CallHandover {
  type: "hand-over";
}
