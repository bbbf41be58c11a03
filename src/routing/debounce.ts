/**
 * Collects a burst: messages that one person sends in quick succession become one turn. They are on disk already, so
 * nothing is lost with the process. Each message extends the wait, up to a limit in number and time.
 */
import type { Clock } from "../infra/clock.ts";

export interface Debounce<Row> {
  /**
   * Keeps `row` until its burst is over and then hands the whole burst to `flush`, the one given with the last row. `flush` must not
   * throw. `group` is what `take` asks for.
   */
  add(burst: { key: string; group: string; windowMs: number }, row: Row, flush: (rows: Row[]) => void): void;
  /** Takes back the bursts that are still gathered in a group, those that are meant; they will not be flushed. */
  take(group: string, isMeant?: (row: Row) => boolean): Row[];
  /** Flushes everything now. */
  flushAll(): void;
  /** How many rows are gathered. */
  size(): number;
}

export interface DebounceParts {
  clock: Clock;
  /** A burst of this many rows is flushed at once. */
  most?: number;
  /** Nor does a burst last longer than this. */
  longestMs?: number;
}

interface Burst<Row> {
  group: string;
  rows: Row[];
  flush: (rows: Row[]) => void;
  until: number;
  due: number;
  timer: AbortController;
}

export function createDebounce<Row>({ clock, most = 20, longestMs = 2000 }: DebounceParts): Debounce<Row> {
  const bursts = new Map<string, Burst<Row>>();

  function close(key: string, burst: Burst<Row>): Row[] {
    bursts.delete(key);
    burst.timer.abort();
    return burst.rows;
  }

  async function wait(key: string, burst: Burst<Row>): Promise<void> {
    try {
      while (clock.monotonic() < burst.due)
        await clock.sleep(burst.due - clock.monotonic(), burst.timer.signal);
    } catch {
      // Flushed or taken before its time: the timer is the only thing that could throw here.
      return;
    }
    if (bursts.get(key) === burst) burst.flush(close(key, burst));
  }

  return {
    add({ key, group, windowMs }, row, flush) {
      const now = clock.monotonic();
      let burst = bursts.get(key);
      const isNew = burst === undefined;
      burst ??= { group, rows: [], flush, until: now + longestMs, due: 0, timer: new AbortController() };
      burst.rows.push(row);
      burst.flush = flush;
      burst.due = Math.min(now + windowMs, burst.until);
      if (windowMs <= 0 || burst.rows.length >= most) return flush(close(key, burst));
      if (!isNew) return;
      bursts.set(key, burst);
      void wait(key, burst);
    },
    take(group, isMeant = () => true) {
      const taken = [...bursts].filter(([, burst]) => burst.group === group && burst.rows.every(isMeant));
      return taken.flatMap(([key, burst]) => close(key, burst));
    },
    flushAll() {
      for (const [key, burst] of bursts) burst.flush(close(key, burst));
    },
    size: () => [...bursts.values()].reduce((sum, { rows }) => sum + rows.length, 0),
  };
}
