/** However long a network asks us to wait, it is asked again each hour: it may have been a mistake, and answers wait. */
export const longestAskedMs = 60 * 60_000;

/** The delay before the next try: growing, with jitter, and never less than the network asks for, up to an hour. */
export function retryDelay({
  firstMs,
  mostMs,
  tries,
  random,
  retryAfterMs = 0,
}: {
  firstMs: number;
  mostMs: number;
  /** Failures so far, from 1. */
  tries: number;
  /** From 0 to 1, as of Math.random. */
  random: () => number;
  retryAfterMs?: number | undefined;
}): number {
  const grown = Math.min(mostMs, firstMs * 2 ** Math.min(tries - 1, 30));
  // Three quarters to the full delay, so that simultaneous failures do not retry simultaneously.
  const uneven = grown * (0.75 + 0.25 * random());
  return Math.ceil(Math.max(uneven, Math.min(retryAfterMs, longestAskedMs)));
}
