/**
 * The order in which lanes run. Within a lane by position, one at a time; between lanes round-robin. A turn that may
 * have crashed the process (a suspect) waits in a separate round.
 */
export interface QueueItem {
  turnId: string;
  position: number;
  isSuspect: boolean;
}

export interface FairQueue<Item extends QueueItem> {
  /** Into its place by position; ignored when the lane has it already. */
  add(lane: string, item: Item): void;
  /** The next item whose lane is free; the lane is taken until `free`. A suspect only if `mayTakeSuspect`, and then before others. */
  next(mayTakeSuspect: boolean): { lane: string; item: Item } | undefined;
  /** Whether nothing of the lane waits, and nobody has taken it. */
  isIdle(lane: string): boolean;
  /** Nothing of the lane is next until `free`. */
  take(lane: string): void;
  /** The lane may run again, behind the others. */
  free(lane: string): void;
  /** Takes waiting items out. */
  remove(lane: string, isMeant: (item: Item) => boolean): Item[];
  /** Those that wait in a lane, in order. */
  waiting(lane: string): readonly Item[];
  size(): number;
}

interface Lane<Item> {
  items: Item[];
  isTaken: boolean;
}

export function createFairQueue<Item extends QueueItem>(): FairQueue<Item> {
  const lanes = new Map<string, Lane<Item>>();
  // Sets keep the order in which keys were added; each free lane with something waiting is in exactly one of them.
  const ready = new Set<string>();
  const suspects = new Set<string>();
  let size = 0;

  /** A lane that was ready keeps its place unless it changes the round. */
  function place(key: string, lane: Lane<Item>): void {
    const [head] = lane.items;
    const round = !head || lane.isTaken ? undefined : head.isSuspect ? suspects : ready;
    if (round !== ready) ready.delete(key);
    if (round !== suspects) suspects.delete(key);
    round?.add(key);
    if (!head && !lane.isTaken) lanes.delete(key);
  }

  return {
    add(key, item) {
      const lane = lanes.get(key) ?? { items: [], isTaken: false };
      if (lane.items.some(({ turnId }) => turnId === item.turnId)) return;
      lanes.set(key, lane);
      const index = lane.items.findLastIndex(({ position }) => position < item.position);
      lane.items.splice(index + 1, 0, item);
      size++;
      place(key, lane);
    },
    next(mayTakeSuspect) {
      const [suspect] = mayTakeSuspect ? suspects : [];
      const [first] = ready;
      const key = suspect ?? first;
      const lane = key === undefined ? undefined : lanes.get(key);
      const item = lane?.items.shift();
      if (key === undefined || !lane || !item) return undefined;
      size--;
      lane.isTaken = true;
      place(key, lane);
      return { lane: key, item };
    },
    isIdle: (key) => !lanes.has(key),
    take(key) {
      const lane = lanes.get(key) ?? { items: [], isTaken: true };
      lane.isTaken = true;
      lanes.set(key, lane);
      place(key, lane);
    },
    free(key) {
      const lane = lanes.get(key);
      if (!lane) return;
      lane.isTaken = false;
      place(key, lane);
    },
    remove(key, isMeant) {
      const lane = lanes.get(key);
      if (!lane) return [];
      const removed = lane.items.filter(isMeant);
      lane.items = lane.items.filter((item) => !isMeant(item));
      size -= removed.length;
      place(key, lane);
      return removed;
    },
    waiting: (key) => lanes.get(key)?.items ?? [],
    size: () => size,
  };
}
