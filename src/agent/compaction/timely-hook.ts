import type { Clock } from "../../infra/clock.ts";
import { noLonger } from "../../infra/no-longer.ts";
import type { BeforeCompact } from "./compaction.ts";

/** A hook that does not answer in time, or before the turn is stopped, has no wish. Throws what the hook throws in time. */
export function timelyHook(hook: BeforeCompact, clock: Clock): BeforeCompact {
  return async (event) => {
    const over = new AbortController();
    const signal = AbortSignal.any([event.signal, over.signal]);
    const noWish = () => undefined;
    try {
      return await Promise.race([hook(event), clock.sleep(hookTimeMs, signal).then(noWish, noWish)]);
    } finally {
      over.abort(noLonger);
    }
  };
}

const hookTimeMs = 10_000;
