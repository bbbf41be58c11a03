/**
 * Events for subscribers (`events.subscribe`), no matter who caused them. An event says that something changed and
 * names it; clients request the details. Each raises `stateVersion`: a client with an older one, or with a gap in
 * `seq`, reloads what it shows.
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
  /** There may be a new notice, or one less. */
  | { event: "notice.changed"; payload: Record<string, never> }
  | { event: "channel.state"; payload: { channel: string; accountId: string; state: string } }
  | { event: "config.changed"; payload: { inForce: boolean } }
  | { event: "node.attached" | "node.gone"; payload: { id: string; name: string } }
  | { event: "health.changed"; payload: { status: string } }
  /** The last event before the gateway ends; it may be back in a moment. */
  | { event: "gateway.stopping"; payload: { restarts: boolean } };

interface RunNews {
  runId: string;
  agentId: string;
  sessionKey: string;
  state: string;
}

/** Null: every subscriber of any topic gets it. */
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
