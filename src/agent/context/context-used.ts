import type { Message } from "@pincer/sdk";
import { conservative } from "./estimate-tokens.ts";

interface ContextFacts {
  /** As it is shown, in rising order. */
  shown: ReadonlyArray<{ seq: number; message: Message; tokens: number }>;
  /** The last mark: what was counted before it was counted of another request. */
  markSeq: number | undefined;
  /** Our own count of the whole request, prompt and tools included. */
  estimate: number;
}

/**
 * How full the window is: what the provider counted last, and our own count of what came after. Never less than our own count of the whole,
 * since the prompt may have grown.
 */
export function contextUsed({ shown, markSeq = 0, estimate }: ContextFacts): number {
  let after = 0;
  for (let index = shown.length - 1; index >= 0; index--) {
    const each = shown[index];
    if (!each || each.seq <= markSeq) break;
    const reported = reportedBy(each.message);
    if (reported > 0) return Math.max(estimate, reported + after);
    after += each.tokens;
  }
  return estimate;
}

interface WholeRequest extends Pick<ContextFacts, "shown" | "markSeq"> {
  /** Our own count of what stands before the messages. */
  server: number;
  /** What surely fits, by our own count. */
  space: number;
  /** What fits, as the provider counts. */
  limit: number;
}

/**
 * Whether everything fits because the provider has counted all but the end of it, even if our own estimate says
 * otherwise. A count is trusted if that request was complete: it certainly fitted, or was itself known to fit. The
 * same entries always give the same answer.
 */
export function isKnownToFit({ shown, markSeq = 0, server, space, limit }: WholeRequest): boolean {
  let counted: { tokens: number; of: number } | undefined;
  let sum = server;
  const isCounted = () => counted !== undefined && counted.tokens + conservative(sum - counted.of) <= limit;
  for (const { seq, message, tokens } of shown) {
    const reported = seq > markSeq ? reportedBy(message) : 0;
    if (reported > 0) {
      const wasWhole = sum <= space || isCounted();
      counted = wasWhole ? { tokens: reported, of: sum + tokens } : undefined;
    }
    sum += tokens;
  }
  return isCounted();
}

/** The reported tokens of the request and its answer; zero if missing, or if the answer was interrupted. */
function reportedBy(message: Message): number {
  if (message.role !== "assistant") return 0;
  if (message.stopReason === "error" || message.stopReason === "aborted") return 0;
  const { input, output, cacheRead, cacheWrite, estimated } = message.usage;
  return estimated ? 0 : input + cacheRead + cacheWrite + output;
}
