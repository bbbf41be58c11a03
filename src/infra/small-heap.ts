/** The heap of a process that runs for months and mostly waits: small rather than quick to grow. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Young objects keep to the two megabytes that they begin with. They would grow to 32, which more than doubles a gateway and makes nothing
 * faster: what a turn leaves behind is dead when it ends. To be called early: what has grown stays.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
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
