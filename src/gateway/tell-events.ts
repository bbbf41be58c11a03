/** Sends events about turns and approval requests to subscribers. */
import type { GatewayEvent } from "@pincer/sdk";
import type { TurnWatch } from "../agent/turns/turn-events.ts";
import type { EventBus } from "./event-bus.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";

type RunEvent = Extract<GatewayEvent, { event: `run.${string}` }>["event"];

export function publishRun(bus: Pick<EventBus, "publish">, event: RunEvent, turn: TurnRecord): void {
  const { turnId, agentId, sessionKey, state } = turn;
  bus.publish({ event, payload: { runId: turnId, agentId, sessionKey, state } }, { agentId });
}

export function tellEvents(bus: Pick<EventBus, "publish">): TurnWatch {
  return {
    begun: (turn) => publishRun(bus, "run.started", turn),
    event(turn, event) {
      const { agentId, turnId } = turn;
      if (event.type === "approval-asked") {
        const { id, state } = event.approval;
        bus.publish({ event: "approval.asked", payload: { id, runId: turnId, state } }, { agentId });
      }
      if (event.type === "approval-answered") {
        const { id, state } = event;
        bus.publish({ event: "approval.answered", payload: { id, runId: turnId, state } }, { agentId });
      }
    },
    ended(turn) {
      const { sessionKey, sessionId, agentId } = turn;
      publishRun(bus, "run.ended", turn);
      const named = { sessionKey, ...(sessionId === null ? {} : { sessionId }) };
      bus.publish({ event: "session.changed", payload: named }, { agentId });
    },
  };
}
