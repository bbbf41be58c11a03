/**
 * Sends spans to the collector in batches. Nobody waits for it: while the collector does not answer, spans wait here,
 * up to a limit; the rest are counted and dropped.
 */
import type { Clock } from "../../infra/clock.ts";
import { noLonger } from "../../infra/no-longer.ts";
import type { Span } from "./span.ts";
import { within } from "../../infra/within.ts";

export interface SpanSender {
  /** Never throws, never waits. */
  add(spans: readonly Span[]): void;
  /** How many found no room or were refused. */
  dropped(): number;
  waiting(): number;
  /** Sends what is there and stops; what the collector does not take within that time is left out. Safe to call twice. */
  close(withinMs: number): Promise<void>;
}

/** later: it may be tried again. never: the collector does not want these. */
export type SendSpans = (spans: readonly Span[], signal: AbortSignal) => Promise<"taken" | "later" | "never">;

const mostWaiting = 2048;
const mostAtOnce = 256;
const everyMs = 2000;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;
const timeoutMs = 10_000;

export function createSpanSender({
  send,
  clock,
  onTrouble = () => {},
}: {
  send: SendSpans;
  clock: Clock;
  /** Told when the collector does not take spans any more, once until it does again. Must not throw. */
  onTrouble?(error: unknown): void;
}): SpanSender {
  const stop = new AbortController();
  const closing = new AbortController();
  let queue: Span[] = [];
  let left = 0;
  let working: Promise<void> | undefined;
  let isInTrouble = false;

  function note(error: unknown): void {
    if (!isInTrouble && !stop.signal.aborted) onTrouble(error);
    isInTrouble = true;
  }

  async function work(): Promise<void> {
    let pauseMs = firstPauseMs;
    // A little patience makes one request of many spans.
    await rest(everyMs);
    while (queue.length > 0 && !stop.signal.aborted) {
      const batch = queue.slice(0, mostAtOnce);
      const outcome = await trySend(batch);
      if (outcome === "later") {
        if (closing.signal.aborted) break;
        await rest(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
        continue;
      }
      pauseMs = firstPauseMs;
      if (outcome === "never") left += batch.length;
      const settled = new Set(batch);
      queue = queue.filter((span) => !settled.has(span));
    }
  }

  async function trySend(batch: readonly Span[]): Promise<"taken" | "later" | "never"> {
    const enough = new AbortController();
    const timer = new AbortController();
    const giveUp = () => enough.abort(noLonger);
    stop.signal.addEventListener("abort", giveUp, { once: true });
    // Aborted below, when there was an answer in time.
    void clock.sleep(timeoutMs, timer.signal).then(giveUp, () => undefined);
    try {
      const outcome = await send(batch, enough.signal);
      if (outcome === "taken") isInTrouble = false;
      else note(new Error(`the collector said ${outcome === "later" ? "to come later" : "no"}`));
      return outcome;
    } catch (error) {
      // Nobody there, or no answer in time: they may be back.
      note(error);
      return "later";
    } finally {
      timer.abort(noLonger);
      stop.signal.removeEventListener("abort", giveUp);
    }
  }

  async function rest(ms: number): Promise<void> {
    if (closing.signal.aborted) return;
    // Aborted when it is to close: then there is no time for patience.
    await clock.sleep(ms, closing.signal).catch(() => undefined);
  }

  function begin(): void {
    working ??= work().finally(() => {
      working = undefined;
      if (queue.length > 0 && !closing.signal.aborted) begin();
    });
  }

  return {
    add(spans) {
      if (closing.signal.aborted) return;
      queue.push(...spans);
      const surplus = queue.length - mostWaiting;
      if (surplus > 0) {
        // The newest tell what is going on now.
        queue = queue.slice(surplus);
        left += surplus;
      }
      if (queue.length > 0) begin();
    },
    dropped: () => left,
    waiting: () => queue.length,
    async close(withinMs) {
      closing.abort(noLonger);
      if (queue.length > 0) begin();
      await within(clock, withinMs, Promise.resolve(working));
      stop.abort(noLonger);
      await working;
    },
  };
}
