/** Time as a part: passed in, so that tests control it. */
export interface Clock {
  /** Milliseconds since the epoch, by the wall clock: for what is shown or stored. People and time servers set it, both ways. */
  now(): number;
  /**
   * Whole milliseconds since some moment before this process began: for durations, deadlines, pauses and rates. Never goes back and never
   * jumps. Means nothing in another process.
   */
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls once after `ms`, never before it has returned; not at all when the function that it answers is called first, which is safe to
   * call at any time and twice. For waits that nearly always end early: an abort costs many times what the timer does. What is called
   * must not throw.
   */
  after(ms: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.floor(performance.now()),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        stop();
        reject(signal?.reason);
      };
      const stop = callAfter(ms, () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      });
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
  after: callAfter,
};

/** A timer of Node that is set for longer fires at once. */
const longestTimerMs = 2 ** 31 - 1;

function callAfter(ms: number, call: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    const now = Math.min(left, longestTimerMs);
    timer = setTimeout(() => (left > now ? wait(left - now) : call()), now);
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/** RFC 3339 in UTC with milliseconds, the form every stored time has. A turn asks for it some fifty times within few milliseconds. */
export function timestamp(clock: Pick<Clock, "now">): string {
  const now = clock.now();
  if (now !== last.now) last = { now, text: new Date(now).toISOString() };
  return last.text;
}

let last = { now: 0, text: new Date(0).toISOString() };
