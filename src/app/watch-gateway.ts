/** Sets up those who watch over a gateway; what they look at may come to be later than they do. */
import type { EventBus } from "../gateway/event-bus.ts";
import { createGauges, type Gauges, type GaugesParts } from "../gateway/gauges/create-gauges.ts";
import { createTelemetry, type Telemetry } from "../gateway/telemetry/create-telemetry.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { watchGateway, type GatewayWatch } from "../gateway/gateway-watch.ts";

export interface GatewayObservers {
  gauges: Gauges;
  telemetry: Telemetry;
  house: GatewayWatch;
}

export function openGatewayWatch(
  gatewayContext: GatewayContext,
  {
    version,
    bus,
    ...live
  }: Pick<
    GaugesParts,
    "stage" | "lanes" | "accounts" | "connection" | "renew" | "connections" | "tellOwner"
  > & {
    version: string;
    bus: Pick<EventBus, "publish">;
  },
): GatewayObservers {
  const { openedHome, parts, config, trouble } = gatewayContext;
  const { clock, stores, home, foundation } = openedHome;
  const gauges = createGauges({
    ...live,
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
  return { gauges, telemetry, house: watchGateway(gauges, telemetry) };
}
