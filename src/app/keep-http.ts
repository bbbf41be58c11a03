/**
 * Keeps the side that faces the network open, or tries to: a port that is taken, or an address that this machine does not have yet, never keeps
 * the channels from working.
 */
import { asPincerError, type PincerError } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { noLonger } from "../infra/no-longer.ts";
import type { HttpSide } from "./open-http.ts";

export interface KeptHttp {
  /** Undefined while it is not open. */
  current(): HttpSide | undefined;
  /** Why it is not open; undefined while it is. */
  trouble(): PincerError | undefined;
  /** What runs is answered, unless `withinMs` are over first. Safe to call twice. */
  close(withinMs: number): Promise<void>;
}

const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/** Resolves after the first try, whatever came of it. Never throws. */
export async function keepHttp(parts: {
  /** Throws where it cannot be opened now. */
  open(): Promise<HttpSide>;
  clock: Clock;
  /** Told of each try that failed, and why. Must not throw. */
  onTrouble(error: PincerError): void;
  /** It is open, though not at the first try. Must not throw. */
  onLate(side: HttpSide): void;
}): Promise<KeptHttp> {
  const { clock } = parts;
  const closing = new AbortController();
  let side: HttpSide | undefined;
  let trouble: PincerError | undefined;

  async function tryToOpen(): Promise<boolean> {
    try {
      side = await parts.open();
      trouble = undefined;
    } catch (error) {
      trouble = asPincerError(error);
      parts.onTrouble(trouble);
    }
    return side !== undefined;
  }

  async function keepTrying(): Promise<void> {
    for (let pauseMs = firstPauseMs; !side; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await clock.sleep(pauseMs, closing.signal);
      if ((await tryToOpen()) && side) parts.onLate(side);
    }
  }

  const isOpen = await tryToOpen();
  // Ends by being closed.
  const trying = isOpen ? Promise.resolve() : keepTrying().catch(() => undefined);
  return {
    current: () => side,
    trouble: () => trouble,
    async close(withinMs) {
      closing.abort(noLonger);
      await trying;
      await side?.close(withinMs);
    },
  };
}
