/** The health of the gateway: one document, the same for people, programs and probes. */
import { answer, language, method } from "./method.ts";

export const healthMethods = {
  /** Checks, and repairs nothing. */
  "health.get": method({
    params: { language },
    result: answer<HealthView>(),
    effect: "read",
    permission: "state.view",
    scope: "free",
  }),
};

/** degraded: it works, but needs attention. failing: something that people rely on does not work. */
export type HealthStatus = "ok" | "degraded" | "failing";

export interface HealthCheckView {
  /** gateway, database, disk, channels, models, queue, event-loop, memory, outbox, deadletters. */
  name: string;
  status: HealthStatus;
  /** In words, if it is not ok. */
  reason?: string | undefined;
  /** What was measured, for programs; null if unknown. */
  figures?: Record<string, number | string | null> | undefined;
}

export interface HealthView {
  /** The worst of the checks. */
  status: HealthStatus;
  checkedAt: string;
  checks: HealthCheckView[];
}
