/** How long what was stopped may take to come to an end by itself. */
import type { Clock } from "../infra/clock.ts";
import { onAbort } from "../infra/on-abort.ts";

const graceMs = 150;

/** What does not heed the signal is left behind: nobody waits for it any longer than this, and `left` says what it came to. */
export async function withinReach<Result>(
  running: Promise<Result>,
  { clock, signal }: { clock: Pick<Clock, "after">; signal: AbortSignal },
  left: () => Result,
): Promise<Result> {
  const abandoned = Promise.withResolvers<Result>();
  let stopTimer = () => {};
  const leaveSoon = () => {
    stopTimer = clock.after(graceMs, () => abandoned.resolve(left()));
  };
  if (signal.aborted) leaveSoon();
  const stopListening = onAbort(signal, leaveSoon);
  try {
    return await Promise.race([running, abandoned.promise]);
  } finally {
    stopListening();
    stopTimer();
  }
}
