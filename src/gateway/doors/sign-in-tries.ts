/**
 * How often somebody may be wrong. Every wrong proof counts, of whatever kind, for the address that it came from and for all of them; a right
 * one takes nothing back, so nobody buys themselves new tries.
 */
import type { Clock } from "../../infra/clock.ts";
import { addressKey } from "../limits/address-key.ts";
import { createTokenBuckets, type Taken } from "../limits/token-buckets.ts";

export interface SignInTries {
  /** Whether something that could be guessed may be tried at all. */
  look(address: string): Taken;
  /** Counts a wrong one; not ok when it was one too many. */
  wrong(address: string): Taken;
}

export function createSignInTries({
  clock,
  perMinute,
}: {
  clock: Pick<Clock, "now">;
  perMinute(): number;
}): SignInTries {
  const byAddress = createTokenBuckets({ clock, perMinute });
  const inAll = createTokenBuckets({ clock, perMinute: () => perMinute() * 10, mostKeys: 1 });
  return {
    look(address) {
      const own = byAddress.peek(addressKey(address));
      return own.ok ? inAll.peek("") : own;
    },
    wrong(address) {
      const own = byAddress.take(addressKey(address));
      const all = inAll.take("");
      return own.ok ? all : own;
    },
  };
}
