/** Traces for a collector, where the config wants them. Switched off, they cost a look at the config for each turn and nothing else. */
import type { TurnWatch } from "../../agent/turn-runner.ts";
import type { DeliveryProgress } from "../../channels/delivery-step.ts";
import { whenNeeded } from "../../infra/when-needed.ts";
import type { TraceRoom, TraceRoomParts } from "./trace-room.ts";
import { traceOf } from "./trace-ids.ts";

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

/** Of the runs that began last. */
const mostRemembered = 1000;

export function createTelemetry(parts: TraceRoomParts): Telemetry {
  const isOn = () => parts.config().telemetry.enabled;
  const traceIds = new Map<string, string>();
  const pending = new Set<Promise<void>>();
  let opened: TraceRoom | undefined;
  const room = whenNeeded(async () => {
    const { openTraceRoom } = await import("./trace-room.ts");
    return (opened = openTraceRoom(parts));
  });

  function tell(work: (room: TraceRoom) => Promise<void>): void {
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
        traceIds.set(turn.turnId, traceOf(turn).traceId);
        const [oldest] = traceIds.keys();
        if (traceIds.size > mostRemembered && oldest !== undefined) traceIds.delete(oldest);
      },
      ended: ({ turnId }) => tell((open) => open.turnEnded(turnId)),
    },
    over: (turnId) => tell((open) => open.turnEnded(turnId)),
    delivered({ type, id, turnId }) {
      if (type === "sent" && turnId !== null) tell((open) => open.delivered(id));
    },
    traceIdOf: (runId) => traceIds.get(runId) ?? traceOf({ turnId: runId, options: {} }).traceId,
    async close(withinMs) {
      await Promise.all(pending);
      await opened?.close(withinMs);
    },
  };
}
