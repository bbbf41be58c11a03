/**
 * For monitoring from outside: whether the process is alive, whether it accepts work, and its figures. The first is
 * answered without checking anything, so that it is true even if everything else hangs.
 */
import type { MeterFamily } from "../../infra/meters.ts";
import { isLoopback } from "../limits/address-key.ts";
import type { HttpCall, HttpReply, HttpRoute } from "./http-route.ts";
import { metricsContentType, metricsText } from "./metrics-text.ts";

export interface HealthRouteParts {
  /** Why no work should be sent here now. Must answer, whatever state the gateway is in. */
  notReady(): Promise<readonly string[]>;
  metrics(): Promise<MeterFamily[]>;
  /** Whether anybody who can reach it may read the metrics. */
  isMetricsOpen(): boolean;
}

const fresh = { "cache-control": "no-store" };

/** What is open is decided when they are made: a changed config takes a new start. */
export function healthRoutes(parts: HealthRouteParts): HttpRoute[] {
  const metrics = async (_call: HttpCall, reply: HttpReply) =>
    reply.text(200, metricsText(await parts.metrics()), { ...fresh, "content-type": metricsContentType });
  return [
    {
      method: "GET",
      path: "/healthz",
      access: { type: "open" },
      async handle(_call: HttpCall, reply: HttpReply) {
        reply.json(200, { status: "ok" }, fresh);
      },
    },
    {
      method: "GET",
      path: "/readyz",
      access: { type: "open" },
      async handle(call: HttpCall, reply: HttpReply) {
        const reasons = await parts.notReady();
        const status = reasons.length === 0 ? "ready" : "not-ready";
        const told = isLoopback(call.address) ? { status, reasons } : { status };
        reply.json(reasons.length === 0 ? 200 : 503, told, fresh);
      },
    },
    parts.isMetricsOpen()
      ? { method: "GET", path: "/metrics", access: { type: "open" }, handle: metrics }
      : {
          method: "GET",
          path: "/metrics",
          access: { type: "permission", point: "state.view" },
          handle: metrics,
        },
  ];
}
