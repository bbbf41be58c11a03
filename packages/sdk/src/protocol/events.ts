/**
 * What a gateway tells those who subscribed (`events.subscribe`), whoever caused it. An event says that something changed and names it; the
 * rest is asked for. Each raises `stateVersion`: whoever has an older one, or finds a gap in `seq`, asks again for what they show.
 */
export const eventTopics = [
  "runs",
  "sessions",
  "approvals",
  "notices",
  "channels",
  "config",
  "nodes",
  "health",
] as const;
export type EventTopic = (typeof eventTopics)[number];

export type GatewayEvent =
  | { event: "run.queued" | "run.started" | "run.ended"; payload: RunNews }
  | { event: "session.changed" | "session.deleted"; payload: { sessionKey: string; sessionId?: string } }
  | {
      event: "approval.asked" | "approval.answered";
      payload: { id: string; runId: string | null; state: string };
    }
  /** There may be another notice, or one less. */
  | { event: "notice.changed"; payload: Record<string, never> }
  | { event: "channel.state"; payload: { channel: string; accountId: string; state: string } }
  | { event: "config.changed"; payload: { inForce: boolean } }
  | { event: "node.attached" | "node.gone"; payload: { id: string; name: string } }
  | { event: "health.changed"; payload: { status: string } }
  /** The last one before the gateway ends; it may be back in a moment. */
  | { event: "gateway.stopping"; payload: { restarts: boolean } };

interface RunNews {
  runId: string;
  agentId: string;
  sessionKey: string;
  state: string;
}

/** Null: everybody who subscribed to anything is told. */
export function topicOf({ event }: GatewayEvent): EventTopic | null {
  return event === "gateway.stopping"
    ? null
    : byNoun[event.slice(0, event.indexOf(".")) as keyof typeof byNoun];
}

const byNoun = {
  run: "runs",
  session: "sessions",
  approval: "approvals",
  notice: "notices",
  channel: "channels",
  config: "config",
  node: "nodes",
  health: "health",
} as const satisfies Record<string, EventTopic>;
