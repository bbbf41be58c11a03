/** What a running gateway measures about itself, at a glance; /metrics has everything. */

interface WaitingView {
  waiting: number;
  /** Since when the oldest one waits; null if none does. */
  oldestSeconds: number | null;
}

/** Times in milliseconds; null if nothing was measured. */
interface LatencyView {
  p95Ms: number | null;
  p99Ms: number | null;
}

export interface GaugesView {
  uptimeSeconds: number;
  memory: { rssBytes: number; heapBytes: number };
  /** How late the event loop was within the last minute or two. */
  eventLoop: { p50Ms: number; p99Ms: number; maxMs: number };
  queue: WaitingView & { running: number };
  inbox: WaitingView;
  outbox: WaitingView;
  deadLetters: number;
  /** Null if it cannot be read. */
  databaseBytes: number | null;
  connections: number;
  /** Within the last five minutes. */
  requests: LatencyView & { perSecond: number; failed: number; limited: number };
  turns: LatencyView & { ended: number; meanToolCalls: number | null };
}
