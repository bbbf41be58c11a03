import type { Clock } from "../infra/clock.ts";
import { noLonger } from "../infra/no-longer.ts";

export class TimeLimitError extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = "TimeLimitError";
  }
}

/**
 * The result of `work`, or TimeLimitError after `ms`, or the reason of `stop` if it aborts. The signal tells the work
 * to end; work that ignores it is not awaited.
 */
export async function withinTime<Answer>(
  { clock, ms, stop }: { clock: Clock; ms: number; stop: AbortSignal },
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  stop.throwIfAborted();
  const controller = new AbortController();
  const timer = new AbortController();
  const onStop = () => controller.abort(stop.reason);
  stop.addEventListener("abort", onStop, { once: true });
  const { signal } = controller;
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  const tooLate = clock.sleep(ms, timer.signal).then(() => controller.abort(new TimeLimitError(ms)));
  // Aborted below, when the work was done in time.
  tooLate.catch(() => undefined);
  try {
    return await Promise.race([(async () => work(signal))(), aborted]);
  } finally {
    timer.abort(noLonger);
    stop.removeEventListener("abort", onStop);
  }
}
