/** How the house is: one document, the same for people, programs and probes. */
import { answer, language, method } from "./method.ts";

export const healthMethods = {
  /** Looks and repairs nothing. */
  "health.get": method({
    params: { language },
    result: answer<HealthView>(),
    effect: "read",
    permission: "state.view",
    scope: "free",
  }),
};

/** degraded: it works, and somebody should look. failing: something that people rely on does not work. */
export type HealthStatus = "ok" | "degraded" | "failing";

export interface HealthCheckView {
  /** gateway, database, disk, channels, models, queue, event-loop, memory, outbox, deadletters: what was looked at. */
  name: string;
  status: HealthStatus;
  /** In words, where it is not ok. */
  reason?: string | undefined;
  /** What was measured, for programs; null where nobody knows. */
  figures?: Record<string, number | string | null> | undefined;
}

export interface HealthView {
  /** The worst of the checks. */
  status: HealthStatus;
  checkedAt: string;
  checks: HealthCheckView[];
}
