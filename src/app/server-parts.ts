/** The parts that the server of the gateway needs. */
import type { PluginView } from "@pincer/sdk";
import type { ConnectedChannels } from "../channels/channel-host.ts";
import type { KeptMedia } from "../storage/media/media-store.ts";
import type { EventBus } from "../gateway/event-bus.ts";
import type { RateLimits } from "../gateway/limits/rate-limits.ts";
import type { Lanes } from "../routing/lanes.ts";
import type { Ask } from "../routing/questions.ts";
import type { Router } from "../routing/router.ts";
import type { AuditTrail } from "../gateway/audit/audit-trail.ts";
import type { GatewayMethodParts } from "./gateway-methods.ts";
import type { Gauges } from "../gateway/gauges/create-gauges.ts";
import type { OpenLabels } from "../gate/labels/open-labels.ts";
import type { Effects } from "../agent/effects/effects.ts";
import type { LazyModels } from "../agent/models/connected-models.ts";
import type { OpenHomeParts } from "../storage/home/open-home.ts";
import type { Engine } from "../routing/engine.ts";
import type { Outbound } from "./chapters/open-outbound.ts";
import type { GatewayContext } from "./gateway-context.ts";

export interface GatewayServerParts {
  gatewayContext: GatewayContext;
  parts: OpenHomeParts;
  outgoing: Outbound;
  engine: Engine;
  /** The way in for callers who wait. */
  ask: Ask;
  lanes: Lanes;
  router: Pick<Router, "accept">;
  host: Pick<ConnectedChannels, "states" | "connection">;
  media: KeptMedia;
  memory: GatewayMethodParts["memory"];
  effects: Effects;
  labels: OpenLabels;
  connected: LazyModels;
  bus: EventBus;
  gauges: Gauges;
  trail: AuditTrail;
  limits: RateLimits;
  plugins: PluginView[];
  about: { version: string; startedAt: string };
  /** Aborts when the gateway stops. */
  stopping: AbortSignal;
  control: Pick<GatewayMethodParts, "stop" | "restart" | "reload">;
  /** Pages and programs are served, too; not only commands of this home. */
  isServed: boolean;
}

/** What a session key leaves out. */
export const homeOf = ({ openedHome }: GatewayContext) => ({
  tenantId: openedHome.tenantId,
  workspaceId: openedHome.workspaceId,
  agentId: openedHome.defaultAgentId,
});
