/** How the gate asks the owner about one call. */
import type { ApprovalDraft } from "../storage/approvals/approvals.ts";

export type ApprovalQuestion = Pick<
  ApprovalDraft,
  "callId" | "subject" | "reason" | "rule" | "cause" | "scopes" | "keys"
>;

export type ApprovalVerdict =
  /** Valid for one call: `spend` it when the call begins. */
  | { type: "approved"; approvalId: string }
  /** `reason` is for the model: the owner refused, or did not answer in time. */
  | { type: "denied"; reason: string }
  /** Nobody has answered yet. The turn parks, and asks the same question again when it resumes. */
  | { type: "waiting"; approvalId: string };

/** The approvals of one turn. */
export interface CallApprovals {
  /** What the owner has granted beyond single calls, by key. Throws what the storage does. */
  grants(): Promise<ReadonlyMap<string, { id: string }>>;
  /**
   * Creates or finds the question, notifies the owner, and waits as long as the turn may wait in place.
   * Throws what the storage does.
   */
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalVerdict>;
  /** Uses up an approval, on disk. False if it cannot be used any more. Throws what the storage does. */
  spend(approvalId: string): Promise<boolean>;
}
