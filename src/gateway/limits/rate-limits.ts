/** How many requests per minute one address, one caller, one channel and the whole tenant may make. */
import type { Clock } from "../../infra/clock.ts";
import { addressKey } from "./address-key.ts";
import { createTokenBuckets, type Taken } from "./token-buckets.ts";

export type LimitKind = "address" | "user" | "channel" | "tenant";

export interface RateLimits {
  /**
   * Takes one of what is left. `key`: an address, the id of a caller, `channel:account`, the id of a tenant. Of several kinds ask the
   * narrow one first: what that one refuses takes nothing from the others.
   */
  take(kind: LimitKind, key: string): Taken;
}

interface LimitsOfConfig {
  perAddress: number;
  perUser: number;
  perChannel: number;
  perTenant: number;
}

/** `limits` is asked each time: what the config says now holds now. */
export function createRateLimits({
  clock,
  limits,
  mostKeys,
}: {
  clock: Pick<Clock, "monotonic">;
  limits(): LimitsOfConfig;
  mostKeys?: number;
}): RateLimits {
  const of = (key: keyof LimitsOfConfig) =>
    createTokenBuckets({
      clock,
      perMinute: () => limits()[key],
      ...(mostKeys === undefined ? {} : { mostKeys }),
    });
  const buckets = {
    address: of("perAddress"),
    user: of("perUser"),
    channel: of("perChannel"),
    tenant: of("perTenant"),
  };
  return {
    take: (kind, key) => buckets[kind].take(kind === "address" ? addressKey(key) : key),
  };
}
