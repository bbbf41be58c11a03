/**
 * Throttles a program that prints faster than anybody could read: a steady rate, with a reserve for bursts. Otherwise
 * a flood would occupy the main thread.
 */
import type { Clock } from "../../infra/clock.ts";
import type { Terminal } from "./terminal.ts";

export interface FlowValve {
  /** This many bytes were read. */
  passed(bytes: number): void;
  /** The terminal to pause; it may have printed before. */
  attach(terminal: Pick<Terminal, "pause" | "resume">): void;
}

export function createFlowValve(clock: Clock): FlowValve {
  let terminal: Pick<Terminal, "pause" | "resume"> | undefined;
  let spare = mostAtOnce;
  let seen = clock.monotonic();
  let isPaused = false;

  function refill(): void {
    const now = clock.monotonic();
    spare = Math.min(mostAtOnce, spare + ((now - seen) / 1000) * bytesPerSecond);
    seen = now;
  }

  function hold(): void {
    if (isPaused || spare >= 0 || !terminal) return;
    isPaused = true;
    terminal.pause();
    void letGo(terminal);
  }

  async function letGo(paused: Pick<Terminal, "resume">): Promise<void> {
    await clock.sleep(pauseMs);
    isPaused = false;
    refill();
    paused.resume();
  }

  return {
    passed(bytes) {
      refill();
      spare -= bytes;
      hold();
    },
    attach(given) {
      terminal = given;
      hold();
    },
  };
}

const bytesPerSecond = 2_000_000;
const mostAtOnce = 2_000_000;
/**
 * Shorter than a terminal waits for its reader after the end of a program, so that the last output is always read.
 */
const pauseMs = 50;
