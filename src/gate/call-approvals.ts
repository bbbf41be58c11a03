/** How the gate asks the owner about calls. */
import type { GateReason } from "@pincer/sdk";
import type { ApprovalQuestion, CallRound } from "./call-round.ts";

export type ApprovalVerdict =
  /** Valid for one call: `spend` it when the call begins. */
  | { type: "approved"; approvalId: string }
  /** `reason` is for the model: the owner refused, or did not answer in time. */
  | { type: "denied"; reason: string }
  /** It was not asked at all: the task, or the session, has asked as much as it may. `reason` is for the model. */
  | { type: "not-asked"; reason: string; why: GateReason }
  /** Nobody has answered yet. The turn parks, and asks the same question again when it resumes. */
  | { type: "waiting"; approvalId: string };

/** The approvals of one turn. */
export interface CallApprovals {
  /** What the owner has granted beyond single calls, by key. Throws what the storage does. */
  grants(): Promise<ReadonlyMap<string, { id: string }>>;
  /**
   * Creates or finds the question, notifies the owner, and waits as long as the turn may wait in place. With a round,
   * it is asked together with what else its answer asks. Throws what the storage does.
   */
  ask(question: ApprovalQuestion, signal: AbortSignal, round?: CallRound): Promise<ApprovalVerdict>;
  /** Uses up an approval, on disk. False if it cannot be used any more. Throws what the storage does. */
  spend(approvalId: string): Promise<boolean>;
}
