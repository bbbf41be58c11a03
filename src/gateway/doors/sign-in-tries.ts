/**
 * Limits failed tries. Every wrong proof of any kind counts, for its address and in total; a right one resets nothing,
 * so nobody can earn new tries.
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
  clock: Pick<Clock, "monotonic">;
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
