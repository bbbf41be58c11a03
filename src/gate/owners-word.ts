/** The owner's yes or no to one call, as the gate asks for it. */
import type { ApprovalDraft } from "../storage/approvals/approvals.ts";

export type AskedCall = Pick<
  ApprovalDraft,
  "callId" | "subject" | "reason" | "rule" | "cause" | "scopes" | "keys"
>;

export type OwnersAnswer =
  | { type: "approved"; approvalId: string }
  /** `reason` says by whom, or that the time was over. */
  | { type: "denied"; reason: string }
  /** Nobody has answered yet: the turn is put aside. */
  | { type: "waiting"; approvalId: string };

export interface OwnersWord {
  /** What the owner has granted beyond single calls, by key. Throws what the storage does. */
  grants(): Promise<ReadonlyMap<string, { id: string }>>;
  /** Makes or finds the question, tells the owner, and waits as long as the turn may wait in place. Throws what the storage does. */
  ask(call: AskedCall, signal: AbortSignal): Promise<OwnersAnswer>;
  /** Uses an approval up, on the disk; false where there is none to use any more. Throws what the storage does. */
  spend(approvalId: string): Promise<boolean>;
}
