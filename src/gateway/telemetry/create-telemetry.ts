/** Traces for a collector, if the config enables them. Disabled, they cost one look at the config per turn. */
import type { TurnWatch } from "../../agent/turns/turn-events.ts";
import type { DeliveryProgress } from "../../channels/delivery-step.ts";
import { whenNeeded } from "../../infra/when-needed.ts";
import type { TraceExporter, TraceExporterParts } from "./trace-exporter.ts";

export interface Telemetry {
  watch: Required<Pick<TurnWatch, "ended" | "over">>;
  delivered(progress: Pick<DeliveryProgress, "type" | "id" | "turnId">): void;
  /** Sends what is there; safe to call twice. */
  close(withinMs: number): Promise<void>;
}

export function createTelemetry(parts: TraceExporterParts): Telemetry {
  const isOn = () => parts.config().telemetry.enabled;
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
      ended: ({ turnId }) => tell((open) => open.turnEnded(turnId)),
      over: (turnId) => tell((open) => open.turnEnded(turnId)),
    },
    delivered({ type, id, turnId }) {
      if (type === "sent" && turnId !== null) tell((open) => open.delivered(id));
    },
    async close(withinMs) {
      await Promise.all(pending);
      await opened?.close(withinMs);
    },
  };
}
