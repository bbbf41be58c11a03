/** Traces for a collector, where the config wants them. Switched off, they cost a look at the config for each turn and nothing else. */
import { createRecent } from "@pincer/sdk";
import type { TurnWatch } from "../../agent/turn-runner.ts";
import type { DeliveryProgress } from "../../channels/delivery-step.ts";
import { whenNeeded } from "../../infra/when-needed.ts";
import type { TraceExporter, TraceExporterParts } from "./trace-exporter.ts";
import { parseTraceparent, traceOf } from "./trace-ids.ts";

export interface Telemetry {
  watch: Required<Pick<TurnWatch, "begun" | "ended">>;
  /** A turn is over without having been run to its end. */
  over(turnId: string): void;
  delivered(progress: Pick<DeliveryProgress, "type" | "id" | "turnId">): void;
  /** For lines of the log, whether or not traces are sent. */
  traceIdOf(runId: string): string;
  /** Sends what is there; safe to call twice. */
  close(withinMs: number): Promise<void>;
}

/** Of the runs that began last in a trace of whoever asked. */
const mostRemembered = 1000;

export function createTelemetry(parts: TraceExporterParts): Telemetry {
  const isOn = () => parts.config().telemetry.enabled;
  /** Of runs in a trace of whoever asked; any other run's is made of its own id, where somebody wants to know. */
  const given = createRecent<string>(mostRemembered);
  const pending = new Set<Promise<void>>();
  let opened: TraceExporter | undefined;
  const room = whenNeeded(async () => {
    const { openTraceExporter } = await import("./trace-exporter.ts");
    return (opened = openTraceExporter(parts));
  });

  function tell(work: (room: TraceExporter) => Promise<void>): void {
    if (!isOn()) return;
    const telling = room()
      .then(work)
      .catch(parts.onError)
      .finally(() => pending.delete(telling));
    pending.add(telling);
  }

  return {
    watch: {
      begun(turn) {
        const trace = parseTraceparent(turn.options["traceparent"]);
        if (!trace) return;
        given.set(turn.turnId, trace.traceId);
      },
      ended: ({ turnId }) => tell((open) => open.turnEnded(turnId)),
    },
    over: (turnId) => tell((open) => open.turnEnded(turnId)),
    delivered({ type, id, turnId }) {
      if (type === "sent" && turnId !== null) tell((open) => open.delivered(id));
    },
    traceIdOf: (runId) => given.get(runId) ?? traceOf({ turnId: runId, options: {} }).traceId,
    async close(withinMs) {
      await Promise.all(pending);
      await opened?.close(withinMs);
    },
  };
}
