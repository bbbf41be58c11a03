/**
 * Repeated requests are executed once: the answer to a key is cached for a while and returned again. A failure is
 * forgotten, so that it can be tried again.
 */
import type { Clock } from "../infra/clock.ts";
import { digestOf } from "../infra/digest-of.ts";

export interface RememberedAnswers {
  /** Runs `work` unless the key is known. `conflict` when the key was used with other parameters. Throws what `work` throws. */
  answer(
    key: string,
    params: unknown,
    work: () => Promise<unknown>,
  ): Promise<{ type: "answer"; payload: unknown } | { type: "conflict" }>;
}

interface Kept {
  digest: string;
  payload: Promise<unknown>;
  at: number;
}

export function createRememberedAnswers({
  clock,
  most = 1000,
  keepMs = 600_000,
}: {
  clock: Clock;
  most?: number;
  keepMs?: number;
}): RememberedAnswers {
  // In order of age: the oldest are the first to go.
  const kept = new Map<string, Kept>();

  function forgetOld(): void {
    for (const [key, { at }] of kept) {
      if (kept.size <= most && at + keepMs > clock.monotonic()) return;
      kept.delete(key);
    }
  }

  return {
    async answer(key, params, work) {
      forgetOld();
      const digest = digestOf(params);
      const known = kept.get(key);
      if (known) {
        return known.digest === digest
          ? { type: "answer", payload: await known.payload }
          : { type: "conflict" };
      }
      const mine: Kept = { digest, payload: work(), at: clock.monotonic() };
      kept.set(key, mine);
      forgetOld();
      try {
        return { type: "answer", payload: await mine.payload };
      } catch (error) {
        if (kept.get(key) === mine) kept.delete(key);
        throw error;
      }
    },
  };
}
