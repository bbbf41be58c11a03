/** Those who watch over a gateway: gauges, health and traces. */
import { createGauges, type Gauges, type GaugesParts } from "../../gateway/gauges/create-gauges.ts";
import { createTelemetry, type Telemetry } from "../../gateway/telemetry/create-telemetry.ts";
import { watchGateway, type GatewayWatch } from "../../gateway/gateway-watch.ts";
import type { GatewayBase } from "./open-base.ts";

export interface Observers {
  gauges: Gauges;
  telemetry: Telemetry;
  watch: GatewayWatch;
}

/** What every chapter stands on that opens after them. */
export interface ObservedBase extends GatewayBase {
  observers: Observers;
}

/** What they look at when they are asked: the chapters, which open after them. */
export type Observed = Pick<
  GaugesParts,
  | "stage"
  | "lanes"
  | "accounts"
  | "connection"
  | "renew"
  | "connections"
  | "workdirs"
  | "httpTrouble"
  | "tellOwner"
>;

export function openObservers({ gatewayContext, bus, parts }: GatewayBase, observed: Observed): Observers {
  const { openedHome, config, trouble } = gatewayContext;
  const { clock, stores, database, home, foundation } = openedHome;
  const gauges = createGauges({
    ...observed,
    clock,
    stores,
    storage: database,
    isRecovering: () => openedHome.recovery.isOpen(),
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
    version: parts.version,
    async resolve(handle) {
      const value = await foundation.secrets.resolve(handle);
      parts.redactor.add(handle, value);
      return value;
    },
    onError: (error) => trouble("telemetry", error),
  });
  return { gauges, telemetry, watch: watchGateway(gauges, telemetry) };
}
