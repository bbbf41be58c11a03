/**
 * After a failed summary, the session is not summarised for a while: otherwise every turn would pay for another try.
 */
import { createRecent } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import type { NoticeStore } from "../../storage/outbox/notices.ts";
import type { SessionRecord } from "../../storage/stores.ts";

export interface FailedSummaries {
  isResting(sessionId: string): boolean;
  /** Tells the owner, once. Never throws. */
  failed(session: Pick<SessionRecord, "sessionId" | "sessionKey">, reason: string): void;
}

export interface FailedSummariesParts {
  clock: Pick<Clock, "monotonic">;
  notices: Pick<NoticeStore, "add">;
  onError(error: unknown): void;
}

const shortestRestMs = 5 * 60_000;
const longestRestMs = 3_600_000;
const mostSessions = 1000;

export function createFailedSummaries({ clock, notices, onError }: FailedSummariesParts): FailedSummaries {
  const resting = createRecent<{ until: number; restMs: number }>(mostSessions);
  return {
    isResting: (sessionId) => (resting.get(sessionId)?.until ?? 0) > clock.monotonic(),
    failed({ sessionId, sessionKey }, reason) {
      const last = resting.get(sessionId);
      const restMs = Math.min(longestRestMs, last ? last.restMs * 2 : shortestRestMs);
      resting.set(sessionId, { until: clock.monotonic() + restMs, restMs });
      const text = { key: "notice.summary-failed", parameters: { sessionKey, reason } };
      notices.add({ kind: "summary-failed", subject: `summary:${sessionId}`, text }).catch(onError);
    },
  };
}
