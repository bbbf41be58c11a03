/** Sets up those who watch over a gateway; what they look at may come to be later than they do. */
import type { EventBus } from "../../gateway/event-bus.ts";
import { createGauges, type Gauges, type GaugesParts } from "../gauges/create-gauges.ts";
import { createTelemetry, type Telemetry } from "../telemetry/create-telemetry.ts";
import type { GatewayFloor } from "./gateway-floor.ts";
import { watchHouse, type HouseWatch } from "./house-watch.ts";

export interface GatewayWatch {
  gauges: Gauges;
  telemetry: Telemetry;
  house: HouseWatch;
}

export function openGatewayWatch(
  floor: GatewayFloor,
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
): GatewayWatch {
  const { ground, parts, config, trouble } = floor;
  const { clock, stores, home, foundation } = ground;
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
  return { gauges, telemetry, house: watchHouse(gauges, telemetry) };
}
