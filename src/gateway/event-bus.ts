/** Publishes what happens in the gateway to all listeners: pages, terminals, monitors. Nothing is stored: a client that missed something asks. */
import { topicOf, type EventTopic, type GatewayEvent } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";

export interface Told {
  event: GatewayEvent;
  /** Null: for everybody. */
  topic: EventTopic | null;
  stateVersion: number;
  /** Whose affair it is; undefined where it is no agent's. */
  agentId: string | undefined;
}

export interface EventBus {
  /** Never throws, whatever those who listen do. */
  publish(event: GatewayEvent, about?: { agentId?: string | undefined }): void;
  /** The answer stops listening. */
  subscribe(listener: (told: Told) => void): () => void;
  /** Rises with every event, also over restarts. */
  stateVersion(): number;
}

export function createEventBus({ clock }: { clock: Pick<Clock, "now"> }): EventBus {
  const listeners = new Set<(told: Told) => void>();
  // Begins with the time, so that a gateway that was started anew goes on above where the last one ended.
  let version = clock.now();
  return {
    publish(event, about = {}) {
      version += 1;
      const told: Told = { event, topic: topicOf(event), stateVersion: version, agentId: about.agentId };
      for (const listener of listeners) {
        try {
          listener(told);
        } catch {
          // A listener that throws loses the event; the others do not.
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stateVersion: () => version,
  };
}
