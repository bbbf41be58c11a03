/**
 * Makes a program that speaks faster than anybody could read wait: it is read from at a steady rate, with something to spare for a burst. Otherwise one
 * that floods would take the thread that everybody shares.
 */
import type { Clock } from "../../infra/clock.ts";
import type { Terminal } from "./terminal.ts";

export interface FlowValve {
  /** So many bytes were read. */
  passed(bytes: number): void;
  /** What is to be paused; it may have spoken before. */
  attach(terminal: Pick<Terminal, "pause" | "resume">): void;
}

export function createFlowValve(clock: Clock): FlowValve {
  let terminal: Pick<Terminal, "pause" | "resume"> | undefined;
  let spare = mostAtOnce;
  let seen = clock.now();
  let isPaused = false;

  function refill(): void {
    const now = clock.now();
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
/** Shorter than a terminal waits for its reader when the program has ended: its last words are always read. */
const pauseMs = 50;
