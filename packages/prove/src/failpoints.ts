/**
 * Named places in the running product where the proof can end it or make the disk fail. Passing one costs a count; only the place,
 * the time and the deed that were armed do anything.
 */
import type { PincerError } from "@pincer/sdk";
import type { Clock } from "../../../src/infra/clock.ts";
import { failure } from "../../../src/infra/failure.ts";
import type { FailpointCut } from "./cut.ts";

export interface Failpoints {
  /** Passes the point. Throws what the armed trouble is; does not return when the process is to die here. */
  reach(point: string): void;
  /** The disk is full until it is said to have room again. */
  fill(isFull: boolean): void;
  /** From now on hits are counted for this one; undefined: nothing is armed. */
  arm(cut: FailpointCut | undefined): void;
  /** How often each point was passed in this life. */
  counts(): Record<string, number>;
  /** Whether the armed point was reached. */
  wasReached(): boolean;
}

export interface FailpointParts {
  clock: Pick<Clock, "monotonic">;
  /** Ends the process as a power switch would. */
  die(): void;
  /** How long a disk stays full, or fails to write. */
  fullForMs: number;
}

export function createFailpoints({ clock, die, fullForMs }: FailpointParts): Failpoints {
  const counts = new Map<string, number>();
  let armed: FailpointCut | undefined;
  let hits = 0;
  let reached = false;
  let fullUntil = 0;
  let isFilled = false;
  let syncIsBroken = false;
  let brokenUntil = 0;

  /** A sync that failed goes on failing until the process ends; a write that failed may succeed when it is tried again. */
  function act({ action, point }: FailpointCut): void {
    reached = true;
    if (action === "kill") die();
    if (action === "full") fullUntil = clock.monotonic() + fullForMs;
    if (action === "eio" && point === "sync:before") syncIsBroken = true;
    if (action === "eio" && point !== "sync:before") brokenUntil = clock.monotonic() + fullForMs;
  }

  return {
    reach(point) {
      counts.set(point, (counts.get(point) ?? 0) + 1);
      if (armed?.point === point && ++hits === armed.hit) act(armed);
      if (syncIsBroken && point === "sync:before") throw brokenSync();
      if (!isWrite(point)) return;
      if (isFilled || clock.monotonic() < fullUntil) throw diskFull();
      if (clock.monotonic() < brokenUntil) throw brokenDisk();
    },
    fill: (isFull) => void (isFilled = isFull),
    arm(cut) {
      armed = cut;
      hits = 0;
      reached = false;
    },
    counts: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
    wasReached: () => reached,
  };
}

/** Verbs that change nothing: a full disk does not concern them. */
const readingVerb =
  /^(get|find\w*|list\w*|pending|running|inputs|journal|entries|head|unfinished|load|is[A-Z]\w*|recent|before|after|grants)$/;

/** Whether a full disk makes it fail: a store's verb that writes, before it has begun. Those have one dot, and stores only. */
export function isWrite(point: string): boolean {
  const [, place, verb] = /^(\w+)\.(\w+):before$/.exec(point) ?? [];
  return place !== undefined && verb !== undefined && place !== "tool" && !readingVerb.test(verb);
}

const brokenSync = () =>
  Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO", syscall: "fdatasync" });

const brokenDisk = (): PincerError =>
  failure(
    "storage/unavailable",
    "failure.database-away",
    { reason: "EIO: pretended", file: "core.db" },
    { hint: "failure.database-away.hint" },
  );

const diskFull = (): PincerError =>
  failure(
    "storage/full",
    "failure.disk-full",
    { reason: "pretended", file: "core.db" },
    { hint: "failure.disk-full.hint" },
  );
