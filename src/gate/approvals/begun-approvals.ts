/**
 * A process may die after it used up an approval and before the call has a result. The run that continues the call
 * gets the same approval again: nobody is asked twice about something that may have been done already.
 */
import type { Entry } from "@pincer/sdk";
import { findLastAnswer } from "../../storage/sessions/entry-view.ts";
import type {
  ApprovalDraft,
  ApprovalRecord,
  ApprovalState,
  ApprovalStore,
} from "../../storage/approvals/approvals.ts";
import type { BegunCall, TurnStore } from "../../storage/turns/turns.ts";

export interface BegunApprovals {
  /**
   * The approval with which an earlier run of the turn began this call, if the call has no result. Throws what the
   * storage does.
   */
  find(turnId: string, call: Pick<ApprovalDraft, "callId" | "subject">): Promise<ApprovalRecord | undefined>;
  /** True once per run of the turn for an approval that `find` returned. */
  use(approvalId: string): boolean;
  /** Call this when another run of the turn begins, and when the turn is over. */
  forget(turnId: string): void;
}

export function createBegunApprovals(parts: {
  approvals: Pick<ApprovalStore, "list">;
  turns: Pick<TurnStore, "journal" | "entries">;
}): BegunApprovals {
  const { approvals, turns } = parts;
  const found = new Map<string, { turnId: string; isUsed: boolean }>();

  return {
    async find(turnId, { callId, subject }) {
      const asked = await approvals.list({ limit: mostAsked, turnId, states: notRefused });
      const newest = asked.find((each) => isOfCall(each, callId) && each.subject.digest === subject.digest);
      if (newest?.state !== "spent" || found.get(newest.id)?.isUsed) return undefined;
      const answer = findUnsettled(await turns.entries(turnId), callId);
      // Asked before the model made this call, so it belonged to another call with the same id.
      if (!answer || newest.askedAt < answer.time) return undefined;
      const journal = await turns.journal(turnId);
      const claimed = journal.findLastIndex(({ type }) => type === "claimed");
      const isBegun = journal.some(
        (step, at) =>
          // A call that this run began is still running: its approval is not free.
          at < claimed && step.type === "tool-begin" && step.callId === callId && isOfAnswer(step, answer),
      );
      if (!isBegun) return undefined;
      if (!found.has(newest.id)) found.set(newest.id, { turnId, isUsed: false });
      return { ...newest, state: "approved" };
    },
    use(approvalId) {
      const once = found.get(approvalId);
      if (!once || once.isUsed) return false;
      once.isUsed = true;
      return true;
    },
    forget(turnId) {
      for (const [id, once] of found) if (once.turnId === turnId) found.delete(id);
    },
  };
}

const mostAsked = 100;
const notRefused: ApprovalState[] = ["pending", "approved", "spent"];

const isOfCall = (approval: ApprovalRecord, callId: string): boolean =>
  approval.callId === callId || approval.callId.startsWith(`${callId}#`);

/** The model's last answer, if no result of the call follows it. */
function findUnsettled(entries: readonly Entry[], callId: string): Entry | undefined {
  const last = findLastAnswer(entries);
  const isSettled = entries.some(
    (entry) =>
      entry.type === "message" &&
      entry.message.role === "toolResult" &&
      entry.message.toolCallId === callId &&
      last !== undefined &&
      entry.seq > last.seq,
  );
  return isSettled ? undefined : last;
}

/** Journals of older versions do not name the answer; there the time decides. */
const isOfAnswer = ({ answer, time }: BegunCall, { seq, time: stored }: Entry): boolean =>
  answer ? answer.seq === seq : time >= stored;
