/**
 * The calls of one answer are judged side by side, and those of them that have to be asked become one card: a call that
 * asks waits until every other one has been judged.
 */
import type { ApprovalDraft } from "../storage/approvals/approvals.ts";

export type ApprovalQuestion = Pick<
  ApprovalDraft,
  "callId" | "subject" | "reason" | "reasons" | "rule" | "cause" | "scopes" | "keys"
>;

export interface CallRound {
  /** Resolves with what all calls of the round ask; the same list for all of them. */
  join(question: ApprovalQuestion): Promise<readonly ApprovalQuestion[]>;
  /** The call asks nothing, or was not judged. Safe to repeat, and after it has joined. */
  pass(callId: string): void;
}

/** For these calls, each of which joins or passes. */
export function createCallRound(callIds: readonly string[]): CallRound {
  const left = new Set(callIds);
  const questions: ApprovalQuestion[] = [];
  const complete = Promise.withResolvers<void>();

  function pass(callId: string): void {
    left.delete(callId);
    if (left.size === 0) complete.resolve();
  }

  return {
    pass,
    async join(question) {
      questions.push(question);
      pass(question.callId);
      await complete.promise;
      // In the order in which the answer has them, not in that of their judging.
      questions.sort((one, other) => callIds.indexOf(one.callId) - callIds.indexOf(other.callId));
      return questions;
    },
  };
}
