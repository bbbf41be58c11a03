/** What the front of the gateway stands on. */
import type { PluginView } from "@pincer/sdk";
import type { ConnectedChannels } from "../../channels/channel-host.ts";
import type { KeptMedia } from "../../channels/media-store.ts";
import type { EventBus } from "../../gateway/event-bus.ts";
import type { RateLimits } from "../../gateway/limits/rate-limits.ts";
import type { Lanes } from "../../routing/lanes.ts";
import type { Router } from "../../routing/router.ts";
import type { AuditTrail } from "../audit/audit-trail.ts";
import type { GatewayMethodParts } from "../desks/gateway-methods.ts";
import type { Gauges } from "../gauges/create-gauges.ts";
import type { Hands } from "../hands/hands.ts";
import type { LazyModels } from "../models/connected-models.ts";
import type { GroundParts } from "../open-ground.ts";
import type { Engine } from "../turns/engine.ts";
import type { Outgoing } from "./build-outgoing.ts";
import type { GatewayFloor } from "./gateway-floor.ts";

export interface FrontParts {
  floor: GatewayFloor;
  parts: GroundParts;
  outgoing: Outgoing;
  engine: Engine;
  lanes: Lanes;
  router: Pick<Router, "accept">;
  host: Pick<ConnectedChannels, "states" | "connection">;
  commandRoom: NonNullable<GatewayMethodParts["commandRoom"]>;
  media: KeptMedia;
  memory: GatewayMethodParts["memory"];
  hands: Hands;
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
export const homeOf = ({ ground }: GatewayFloor) => ({
  tenantId: ground.tenantId,
  workspaceId: ground.workspaceId,
  agentId: ground.defaultAgentId,
});
