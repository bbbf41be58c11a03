/** Runs one turn under a watch that acts: abort at the deadline, and eviction of a run that does not react to an abort. */
import { TurnStop, type RunTurn, type TurnRunOutcome } from "../agent/turn-run.ts";
import type { Clock } from "../infra/clock.ts";
import type { TurnRecord } from "../storage/turns.ts";
import { noLonger } from "../infra/no-longer.ts";

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
  const { turn, run, abort, onError, onLateEnd } = supervised;
  const over = new AbortController();
  // Inside a promise, so that a run that throws at once is no different from one that throws later.
  const running = Promise.resolve().then(() => run(turn, abort.signal));
  try {
    const first = await Promise.race([running, watch(supervised, over.signal)]);
    if (first !== "hung") return first;
  } finally {
    over.abort(noLonger);
  }
  onError(new Error("the turn did not react to being stopped; its session was taken from it"), turn);
  running.then(onLateEnd, (error: unknown) => onError(error, turn));
  return "hung";
}

/** Timers cannot count further, and would fire at once. */
const longestSleepMs = 2 ** 31 - 1;

/** Resolves only when the run has to be given up. */
async function watch(supervised: SupervisedRun, over: AbortSignal): Promise<"hung"> {
  const { abort, clock, graceMs } = supervised;
  const awake = new AbortController();
  const wake = () => awake.abort(noLonger);
  if (abort.signal.aborted) wake();
  abort.signal.addEventListener("abort", wake, { once: true });
  over.addEventListener("abort", wake, { once: true });
  try {
    if (await hasWorkedTooLong(supervised, awake.signal)) abort.abort(new TurnStop("overdue"));
    if (await isCutShort(clock, graceMs, over)) return await never();
    await evictWithin(supervised, over);
    return over.aborted ? await never() : "hung";
  } finally {
    abort.signal.removeEventListener("abort", wake);
  }
}

/** Resolves when its time is over, the time not counted in which it waited for an answer; false when the signal ended the wait. */
export async function hasWorkedTooLong(
  { turn, clock, deadlineMs, waitedMs }: Pick<SupervisedRun, "turn" | "clock" | "deadlineMs" | "waitedMs">,
  signal: AbortSignal,
): Promise<boolean> {
  const begunAt = clock.now();
  for (;;) {
    const worked = clock.now() - begunAt - (waitedMs?.(turn.turnId) ?? 0);
    const left = Math.min(deadlineMs(turn) - worked, longestSleepMs);
    if (left <= 0) return true;
    if (await isCutShort(clock, left, signal)) return false;
  }
}

/** Sleeps; true when the signal ended the sleep. */
const isCutShort = (clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> =>
  clock.sleep(ms, signal).then(
    () => false,
    () => true,
  );

/** The run has ended first: its race is decided, and this side of it is collected with it. */
const never = () => new Promise<never>(() => {});

/** An eviction that fails or hangs must not keep the lane: the lease then runs out, and the next run waits for it. */
async function evictWithin(supervised: SupervisedRun, over: AbortSignal): Promise<void> {
  const { turn, clock, graceMs, evict, onError } = supervised;
  const evicting = Promise.resolve()
    .then(() => evict(turn))
    .catch((error: unknown) => onError(error, turn));
  const inTime = new AbortController();
  await Promise.race([evicting, isCutShort(clock, graceMs, AbortSignal.any([over, inTime.signal]))]);
  inTime.abort(noLonger);
}
