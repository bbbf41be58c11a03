/** Where very many turns run at once, their waiting fills the heap with what has become old: then it is collected sooner. */
import type { RunTurn } from "../../agent/turn-run.ts";
import { growInSteps } from "../../infra/small-heap.ts";

/** Below the second it is as before; so it does not change with every turn. */
const many = 100;
const fewAgain = 50;

export function heedingHeap(run: RunTurn, grow: typeof growInSteps = growInSteps): RunTurn {
  let running = 0;
  let isCrowded = false;

  function count(change: 1 | -1): void {
    running += change;
    const isCrowdedNow = running >= (isCrowded ? fewAgain : many);
    if (isCrowdedNow !== isCrowded) grow(isCrowdedNow ? "small" : "usual");
    isCrowded = isCrowdedNow;
  }

  return async (...given) => {
    count(1);
    try {
      return await run(...given);
    } finally {
      count(-1);
    }
  };
}
