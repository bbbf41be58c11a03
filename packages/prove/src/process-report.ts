/** Tells, while it lives, how much memory a process holds and how long its thread was held up. */
import { monitorEventLoopDelay } from "node:perf_hooks";

export interface ProcessReport {
  rssBytes: number;
  /** After a collection, where the process may ask for one. */
  heapBytes: number;
  /** Of all delays so far, what one in a thousand exceeds. */
  delayMs: number;
}

const resolutionMs = 5;

/** Reports at intervals until the returned function is called. */
export function reportProcess(everyMs: number, tell: (report: ProcessReport) => void): () => void {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const timer = setInterval(() => {
    // A timer that is on time is seen as late by its own length.
    const delayMs = Math.max(0, delays.percentile(99.9) / 1e6 - resolutionMs);
    // The collection that the report itself asks for is no delay of the product.
    delays.disable();
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    tell({ rssBytes: rss, heapBytes: heapUsed, delayMs });
    delays.enable();
  }, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}
