/**
 * Maintains the audit log while the gateway runs: anchors in time, deletes expired rows, and writes everything at the
 * stop.
 */
import type { Clock } from "../../infra/clock.ts";
import type { AuditAnchors } from "../../storage/audit/audit-anchors.ts";
import type { AuditStore } from "../../storage/audit/audit.ts";
import type { AuditTrail } from "./audit-trail.ts";

const lookEveryMs = 15_000;
const pruneEveryMs = 24 * 60 * 60_000;
const firstPruneAfterMs = 11 * 60_000;
const rowsAtOnce = 500;
const dayMs = 24 * 60 * 60_000;

export interface AuditKeeping {
  /** What was noted is written, and an anchor with it. Never throws. */
  stop(): Promise<void>;
}

/** Begins at once. What goes wrong is told to `onError`, and tried again. */
export function keepAudit(parts: {
  audit: Pick<AuditStore, "prune" | "record">;
  anchors: Pick<AuditAnchors, "write" | "tidy">;
  trail: Pick<AuditTrail, "settled">;
  /** Zero: for good. */
  keepDays(): number;
  clock: Clock;
  onError(error: unknown): void;
}): AuditKeeping {
  const { audit, anchors, trail, keepDays, clock, onError } = parts;
  const stopping = new AbortController();

  async function keep(): Promise<void> {
    let pruneAt = clock.monotonic() + firstPruneAfterMs;
    for (;;) {
      await clock.sleep(lookEveryMs, stopping.signal);
      await anchors.write("due").catch(onError);
      if (clock.monotonic() < pruneAt) continue;
      pruneAt = clock.monotonic() + pruneEveryMs;
      await prune().catch(onError);
      await anchors.tidy().catch(onError);
    }
  }

  async function prune(): Promise<void> {
    const days = keepDays();
    if (days <= 0) return;
    const before = new Date(clock.now() - days * dayMs).toISOString();
    let pruned = 0;
    for (let count = rowsAtOnce; count === rowsAtOnce && !stopping.signal.aborted;) {
      count = await audit.prune(before, rowsAtOnce);
      pruned += count;
    }
    if (pruned === 0) return;
    await audit.record({
      actor: "system",
      action: "audit-prune",
      resourceType: "audit",
      resourceId: "audit",
      metadata: { rows: pruned, before },
    });
  }

  const keeping = keep().catch(() => {
    // Stopped: the rest is done in `stop`.
  });

  return {
    async stop() {
      stopping.abort();
      await keeping;
      await trail.settled();
      await anchors.write("now").catch(onError);
    },
  };
}
