/** How long to wait before a request is tried again. */
import type { ModelFailure } from "../model-failure.ts";

const firstMs = 500;
const mostMs = 8000;

/**
 * As long as the provider asks for, else twice as long after each attempt, shortened by up to a half at random so that many do not come
 * back together. Undefined when the provider asks for more than `longestMs`: then it is not worth waiting within a request.
 */
export function pauseBefore(
  attempt: number,
  { retryAfterMs }: Pick<ModelFailure, "retryAfterMs">,
  { random, longestMs }: { random(): number; longestMs: number },
): { pauseMs: number } | undefined {
  if (retryAfterMs !== undefined) return retryAfterMs <= longestMs ? { pauseMs: retryAfterMs } : undefined;
  const full = Math.min(mostMs, firstMs * 2 ** (attempt - 1));
  return { pauseMs: Math.round(full * (1 - random() / 2)) };
}
