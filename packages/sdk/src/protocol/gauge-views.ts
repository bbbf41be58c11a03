/** What a running gateway measures of itself, at a glance; the whole is under /metrics. */

interface WaitingView {
  waiting: number;
  /** Since when the oldest waits; null where nothing does. */
  oldestSeconds: number | null;
}

/** Times in milliseconds; null where nothing was measured. */
interface LatencyView {
  p95Ms: number | null;
  p99Ms: number | null;
}

export interface GaugesView {
  uptimeSeconds: number;
  memory: { rssBytes: number; heapBytes: number };
  /** By how much the process was late, within the last minute or two. */
  eventLoop: { p50Ms: number; p99Ms: number; maxMs: number };
  queue: WaitingView & { running: number };
  inbox: WaitingView;
  outbox: WaitingView;
  deadLetters: number;
  /** Null where it cannot be read. */
  databaseBytes: number | null;
  connections: number;
  /** Within the last five minutes. */
  requests: LatencyView & { perSecond: number; failed: number; limited: number };
  turns: LatencyView & { ended: number; meanToolCalls: number | null };
}
