/**
 * A process may end between the yes that is used up and the result of its call. Whoever goes on with the call has the same yes for it: nobody
 * is asked once more about what may have been done already.
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
  /** The yes with which an earlier run of the turn began this very call, where the call has no result. Throws what the storage does. */
  find(turnId: string, call: Pick<ApprovalDraft, "callId" | "subject">): Promise<ApprovalRecord | undefined>;
  /** True once in each run of the turn for what was found. */
  use(approvalId: string): boolean;
  /** Another run of the turn begins, or it is over. */
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
      // Asked before the model wanted this call: then it was for another one under the same id.
      if (!answer || newest.askedAt < answer.time) return undefined;
      const journal = await turns.journal(turnId);
      const claimed = journal.findLastIndex(({ type }) => type === "claimed");
      const isBegun = journal.some(
        (step, at) =>
          // What this run has begun is under way: its yes is for it alone.
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

/** The last answer of the model, where the call has no result after it. */
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

/** Journals of older versions do not name the answer: then what began after it was stored is its own. */
const isOfAnswer = ({ answer, time }: BegunCall, { seq, time: stored }: Entry): boolean =>
  answer ? answer.seq === seq : time >= stored;
