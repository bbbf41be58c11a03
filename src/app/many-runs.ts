/**
 * The heap while turns run. What few turns leave behind is young: it gets room. Where very many run at once, their waiting fills the heap with what
 * has become old: then it is collected sooner, and by whoever can.
 */
import type { RunTurn } from "../agent/turn-run.ts";
import { collectYoungBy, growInSteps, keepHeapSmall, makeRoomForYoung } from "../infra/small-heap.ts";

/** Below the second it is as before; so it does not change with every turn. */
const many = 100;
const fewAgain = 50;

/** Room is looked after with every so many turns that begin. */
const lookEvery = 8;

const systemHeap = { collectYoungBy, growInSteps, keepHeapSmall, makeRoomForYoung };

export function heedingHeap(run: RunTurn, heap: typeof systemHeap = systemHeap): RunTurn {
  let running = 0;
  let begun = 0;
  let isCrowded = false;
  heap.collectYoungBy("one-thread");

  function count(change: 1 | -1): void {
    running += change;
    const isCrowdedNow = running >= (isCrowded ? fewAgain : many);
    if (isCrowdedNow !== isCrowded) {
      heap.growInSteps(isCrowdedNow ? "small" : "usual");
      heap.collectYoungBy(isCrowdedNow ? "all-threads" : "one-thread");
    }
    isCrowded = isCrowdedNow;
  }

  /** Where many run, what waits would take all the room that it is given. */
  function makeRoom(): void {
    begun++;
    if (begun % lookEvery > 0) return;
    if (running < fewAgain) heap.makeRoomForYoung();
    else heap.keepHeapSmall();
  }

  return async (...given) => {
    count(1);
    makeRoom();
    try {
      return await run(...given);
    } finally {
      count(-1);
    }
  };
}
