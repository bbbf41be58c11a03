/** The monitors of a running gateway: gauges and traces. They get events, and nobody waits for them. */
import type { AccountSign, AccountState } from "../channels/account-supervisor.ts";
import type { AccountName } from "../channels/channel-health.ts";
import type { DeliveryProgress } from "../channels/delivery-step.ts";
import type { Verdict } from "../policy/decision.ts";
import type { Door } from "../routing/door.ts";
import type { Gauges } from "./gauges/create-gauges.ts";
import type { Telemetry } from "./telemetry/create-telemetry.ts";

/** Nothing in it throws. */
export interface GatewayWatch {
  decided(verdict: Verdict): void;
  delivered(progress: DeliveryProgress): void;
  accountState(state: AccountState): void;
  accountSign(account: AccountName, sign: AccountSign): void;
  /** The same door, watched. */
  door(door: Door): Door;
}

export function watchGateway(gauges: Gauges, telemetry: Telemetry): GatewayWatch {
  return {
    decided: gauges.decided,
    delivered(progress) {
      gauges.delivered(progress);
      telemetry.delivered(progress);
    },
    accountState: gauges.channelHealth.onState,
    accountSign: gauges.channelHealth.onSign,
    door: gauges.countDoor,
  };
}
