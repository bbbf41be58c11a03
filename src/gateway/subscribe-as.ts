/** Subscribes to the gateway's events as a caller: events that the caller's role or scope may not see are left out. */
import type { EventTopic, PermissionPoint } from "@pincer/sdk";
import type { Caller } from "../policy/caller.ts";
import { holds } from "../policy/permission-points.ts";
import type { EventBus, Told } from "./event-bus.ts";

/** The answer stops listening. */
export function subscribeAs(
  caller: Caller,
  topics: readonly EventTopic[],
  bus: Pick<EventBus, "subscribe">,
  tell: (told: Told) => void,
): () => void {
  const wanted = topics.filter((topic) => holds(caller.role, pointOfTopic[topic]));
  return bus.subscribe((told) => {
    if (isFor(told, caller, wanted)) tell(told);
  });
}

/** What each topic is about is what those may see who may ask for it. */
const pointOfTopic: Record<EventTopic, PermissionPoint> = {
  runs: "sessions.view",
  sessions: "sessions.view",
  approvals: "approvals.view",
  notices: "state.view",
  channels: "state.view",
  config: "state.view",
  nodes: "state.view",
  health: "state.view",
};

function isFor({ topic, agentId }: Told, { scope }: Caller, wanted: readonly EventTopic[]): boolean {
  if (topic === null) return true;
  if (!wanted.includes(topic)) return false;
  return scope.type !== "agent" || (agentId !== undefined && scope.agentIds.includes(agentId));
}
