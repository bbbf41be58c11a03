/** When to try again: later each time, a little uneven, and never before the network wants it. */
export function retryDelay({
  firstMs,
  mostMs,
  tries,
  random,
  retryAfterMs = 0,
}: {
  firstMs: number;
  mostMs: number;
  /** How many have failed, from 1. */
  tries: number;
  /** From 0 to 1, as of Math.random. */
  random: () => number;
  retryAfterMs?: number | undefined;
}): number {
  const grown = Math.min(mostMs, firstMs * 2 ** Math.min(tries - 1, 30));
  // Between three quarters and the whole: those that failed together do not come back together.
  const uneven = grown * (0.75 + 0.25 * random());
  return Math.ceil(Math.max(uneven, retryAfterMs));
}
