/** The heap of a process that runs for months and mostly waits: small rather than quick to grow. */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Young objects keep to the megabyte that they begin with. They would grow to 32. To be called early: what has grown stays. */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

/**
 * While turns run: a turn leaves most of a megabyte behind, so with one megabyte there is a collection in the middle of each, in which much of it is
 * still held. With four there is one for some five turns, most of what it finds is over, and little becomes old that is not. More makes a gateway
 * larger, and hardly faster. The heap gives it back when it has nothing to do. Takes effect with one of the next collections: to be asked now and then.
 */
export function makeRoomForYoung(): void {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  const mayGrow = (young?.space_size ?? Infinity) < roomForYoung;
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
}

/** Two halves, one of which is in use. */
const roomForYoung = 8 * 1024 * 1024;

/**
 * Who moves the young objects that are still held. What few turns leave is so little that one thread is done with it before others are awake,
 * and waking them costs more than the work; where hundreds run at once, much is held, and everything waits for it.
 */
export function collectYoungBy(whom: "one-thread" | "all-threads"): void {
  setFlagsFromString(whom === "one-thread" ? "--no-parallel-scavenge" : "--parallel-scavenge");
}

/**
 * In small steps the heap is collected each time it has grown by a fifth; otherwise it doubles, which takes less work. Where hundreds wait for
 * words of a model, all that each wait leaves behind has become old by then, and only such a collection gives it back.
 */
export function growInSteps(steps: "small" | "usual"): void {
  setFlagsFromString(`--heap-growing-percent=${steps === "small" ? 20 : 0}`);
}

/**
 * All that can be given back is: what stays is moved together, which frees some 3 MB of a gateway that has just started. Stops everything for
 * some 30 ms; for when nobody waits, so that it does not happen when somebody does.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (how: CollectOptions) => void;
  setFlagsFromString("--no-expose-gc");
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

interface CollectOptions {
  type: "major";
  execution: "sync";
  flavor: "last-resort";
}
