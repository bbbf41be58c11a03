/** The real window of models, as their refusals have shown: a window may be declared larger than it is. */
import { createRecent } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";

export interface FoundWindows {
  /** What it takes as far as is known; at most `declared`. */
  of(model: ModelName, declared: number): number;
  found(model: ModelName, window: number): void;
}

export interface ModelName {
  provider: string;
  id: string;
}

/**
 * Forgets after an hour: the model may have been restarted with a larger window, and the refusal may have been an
 * accident.
 */
export function createFoundWindows(clock: Pick<Clock, "monotonic">): FoundWindows {
  const windows = createRecent<{ window: number; until: number }>(mostKept);
  const nameOf = ({ provider, id }: ModelName) => `${provider}/${id}`;
  return {
    of(model, declared) {
      const known = windows.get(nameOf(model));
      return known && clock.monotonic() < known.until ? Math.min(known.window, declared) : declared;
    },
    found(model, window) {
      windows.set(nameOf(model), { window, until: clock.monotonic() + keptMs });
    },
  };
}

/**
 * The assumed limit of a model that refused this many tokens, of which `fixed` cannot be dropped: less would leave no
 * usable space.
 */
export const windowAfterRefusal = (refused: number, fixed: number): number =>
  Math.max(Math.floor(refused * 0.9), leastWindow, fixed * 2);

const keptMs = 3_600_000;
const mostKept = 100;
const leastWindow = 4000;
