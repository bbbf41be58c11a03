/** Runs one turn under a watch that acts: abort at the deadline, and eviction of a run that does not react to an abort. */
import { TurnStop, type RunTurn, type TurnRunOutcome } from "../agent/turn-run.ts";
import type { Clock } from "../infra/clock.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import { onAbort } from "../infra/on-abort.ts";
import { createWaits, type Waits } from "../infra/waits.ts";

export interface SupervisedRun {
  turn: TurnRecord;
  run: RunTurn;
  abort: AbortController;
  clock: Clock;
  deadlineMs(turn: TurnRecord): number;
  waitedMs?(turnId: string): number;
  graceMs: number;
  evict(turn: TurnRecord): Promise<void>;
  onError(error: unknown, turn: { turnId: string; sessionKey: string }): void;
  /** What a forgotten run came to after all. */
  onLateEnd(outcome: TurnRunOutcome): void;
}

/** Throws what the run does. `hung`: it was given up, its session's lease taken away; it may still be at work somewhere. */
export async function superviseRun(supervised: SupervisedRun): Promise<TurnRunOutcome | "hung"> {
  const { turn, run, abort, clock, onError, onLateEnd } = supervised;
  const work = createWaits(clock);
  const grace = createWaits(clock);
  if (abort.signal.aborted) work.end();
  const stopListening = onAbort(abort.signal, work.end);
  // Inside a promise, so that a run that throws at once is no different from one that throws later.
  const running = Promise.resolve().then(() => run(turn, abort.signal));
  try {
    const first = await Promise.race([running, watch(supervised, work, grace)]);
    if (first !== "hung") return first;
  } finally {
    stopListening();
    work.end();
    grace.end();
  }
  onError(new Error("the turn did not react to being stopped; its session was taken from it"), turn);
  running.then(onLateEnd, (error: unknown) => onError(error, turn));
  return "hung";
}

/** Timers cannot count further, and would fire at once. */
const longestSleepMs = 2 ** 31 - 1;

/** Resolves only when the run has to be given up. An abort ends `work`; the end of the run ends `grace` as well. */
async function watch(supervised: SupervisedRun, work: Waits, grace: Waits): Promise<"hung"> {
  const { abort, graceMs } = supervised;
  if (await hasWorkedTooLong(supervised, work)) abort.abort(new TurnStop("overdue"));
  if (!(await grace.wait(graceMs))) return never();
  await evictWithin(supervised, grace);
  return grace.isEnded() ? never() : "hung";
}

/** Resolves when its time is over, the time not counted in which it waited for an answer; false when the wait was ended. */
export async function hasWorkedTooLong(
  { turn, clock, deadlineMs, waitedMs }: Pick<SupervisedRun, "turn" | "clock" | "deadlineMs" | "waitedMs">,
  { wait }: Waits,
): Promise<boolean> {
  const begunAt = clock.monotonic();
  for (;;) {
    const worked = clock.monotonic() - begunAt - (waitedMs?.(turn.turnId) ?? 0);
    const left = Math.min(deadlineMs(turn) - worked, longestSleepMs);
    if (left <= 0) return true;
    if (!(await wait(left))) return false;
  }
}

/** The run has ended first: its race is decided, and this side of it is collected with it. */
const never = () => new Promise<never>(() => {});

/** An eviction that fails or hangs must not keep the lane: the lease then runs out, and the next run waits for it. */
async function evictWithin(supervised: SupervisedRun, grace: Waits): Promise<void> {
  const { turn, graceMs, evict, onError } = supervised;
  const evicting = Promise.resolve()
    .then(() => evict(turn))
    .catch((error: unknown) => onError(error, turn));
  await Promise.race([evicting, grace.wait(graceMs)]);
}
