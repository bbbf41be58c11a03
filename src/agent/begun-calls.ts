/** Which of its calls a turn had started before it was interrupted. */
import { findLastAnswer } from "../storage/sessions/entry-view.ts";
import type { BegunCall, ClaimOutcome } from "../storage/turns/turns.ts";

/** The ids of those calls of the last answer that were begun, perhaps more than once; earlier answers have their results. */
export function begunOfLastAnswer({
  session,
  entries,
  begunCalls,
}: Pick<Extract<ClaimOutcome, { type: "claimed" }>, "session" | "entries" | "begunCalls">): Set<string> {
  const last = findLastAnswer(entries);
  if (!last) return new Set();
  // Where the journal does not name the answer, what began after it was stored is its own.
  const isItsOwn = ({ answer, time }: BegunCall): boolean =>
    answer ? answer.sessionId === session.sessionId && answer.seq === last.seq : time >= last.time;
  return new Set(begunCalls.filter(isItsOwn).map(({ callId }) => callId));
}
