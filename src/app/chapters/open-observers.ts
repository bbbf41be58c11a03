/** Those who watch over a gateway: gauges, health and traces. */
import type { EventBus } from "../../gateway/event-bus.ts";
import { createGauges, type Gauges } from "../../gateway/gauges/create-gauges.ts";
import { createTelemetry, type Telemetry } from "../../gateway/telemetry/create-telemetry.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { watchGateway, type GatewayWatch } from "../../gateway/gateway-watch.ts";
import type { LiveParts } from "./live-parts.ts";

export interface Observers {
  gauges: Gauges;
  telemetry: Telemetry;
  watch: GatewayWatch;
}

export function openObservers(
  gatewayContext: GatewayContext,
  { version, bus, live }: { version: string; bus: Pick<EventBus, "publish">; live: LiveParts },
): Observers {
  const { openedHome, parts, config, trouble } = gatewayContext;
  const { clock, stores, home, foundation } = openedHome;
  const gauges = createGauges({
    stage: () => live.stage,
    lanes: () => live.turns(),
    accounts: () => live.accounts(),
    connection: (...account) => live.connection(...account),
    renew: (...account) => live.renew(...account),
    connections: () => live.connections(),
    tellOwner: () => live.tellOwner(),
    clock,
    stores,
    config,
    databaseFile: home.coreDb,
    homeRoot: home.root,
    say: parts.say,
    redactor: parts.redactor,
    onChange: (status) => bus.publish({ event: "health.changed", payload: { status } }),
    onError: (error) => trouble("gauges", error),
  });
  const telemetry = createTelemetry({
    stores,
    config,
    clock,
    version,
    async resolve(handle) {
      const value = await foundation.secrets.resolve(handle);
      parts.redactor.add(handle, value);
      return value;
    },
    onError: (error) => trouble("telemetry", error),
  });
  return { gauges, telemetry, watch: watchGateway(gauges, telemetry) };
}
