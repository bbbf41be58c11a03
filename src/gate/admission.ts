import type { ToolResult } from "@pincer/sdk";

/** What the gate says to a call, before it counts as begun. */
export type Admission =
  /**
   * It may run, and only as it was admitted. `run` is called at most once, after the call was journalled as begun; it never throws. What is
   * used up by running (an approval) is used up in it: a crash before it leaves the approval as it was.
   */
  | { type: "run"; run(signal: AbortSignal): Promise<ToolResult> }
  /** It may not; `result` says why. */
  | { type: "refused"; result: ToolResult }
  | CallPause
  | CallBreak
  | CallHandover;

/** A call that waits for the owner. It has no result yet: the turn parks, and the gate is asked again when it goes on. */
export interface CallPause {
  type: "pause";
  /** What it waits for. */
  approvalId: string;
}

/** A call that ends the run: a limit was reached that protects the owner. It does not run. */
export interface CallBreak {
  type: "break";
  /** Which limit, why, and how to raise it, in words for people. */
  reason: string;
}

/** A call of a tool that whoever asked brought along: nothing runs here, and the turn ends with it. */
export interface CallHandover {
  type: "hand-over";
}
