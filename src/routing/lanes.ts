/**
 * Runs turns: one at a time in each session, a limited number in all, fair between sessions. Whatever a run does, its lane comes
 * free again: a run past its deadline is aborted, one that does not react loses its session's lease and is forgotten, and one that
 * throws is tried again later. The queue in memory is only a view of the store, from which it can be made again at any time.
 */
import { TurnStop, type RunTurn, type TurnRunOutcome } from "../agent/turn-run.ts";
import type { Clock } from "../infra/clock.ts";
import { lostLease } from "../storage/sessions/lease-store.ts";
import type { OutboxDraft, OutboxRow } from "../storage/outbox/outbox.ts";
import type { TurnRecord, TurnStore } from "../storage/turns/turns.ts";
import { createFairQueue } from "./fair-queue.ts";
import {
  isPending,
  isTroubleOfStorage,
  isWaiting,
  laneOf,
  placeOf,
  readLane,
  type Place,
} from "./lane-place.ts";
import { createLaneStops, type LaneStops, type PausedLane, type RunningPlace } from "./lane-stops.ts";
import { superviseRun } from "./supervise-run.ts";

export interface LaneParts {
  run: RunTurn;
  turns: Pick<TurnStore, "get" | "pending" | "list" | "cancelQueued" | "cancel">;
  clock: Clock;
  /** The most turns at once. */
  limit: number;
  deadlineMs(turn: TurnRecord): number;
  /** How long the present run of a turn has waited for an answer: that is no work. */
  waitedMs?(turnId: string): number;
  /** How long an aborted run may take to end. */
  graceMs: number;
  /** Takes the session's lease away from a run that hangs. May throw or hang itself. */
  evict(turn: TurnRecord): Promise<void>;
  /** Makes a dead letter of a turn that took the process down too often. */
  bury(turn: TurnRecord): Promise<void>;
  maxClaims?: number;
  /** What the user of a turn sees that is aborted before it has begun. */
  stoppedDrafts?(turn: TurnRecord): OutboxDraft[];
  /** Tells the deliverer that these wait; must not throw. */
  wakeOutbox?(rows: OutboxRow[]): void;
  /** Told of every turn that is over without a run having ended it, perhaps more than once; must not throw. */
  onOver?(turnId: string): void;
  /** Told of everything that went wrong; must not throw. */
  onError(error: unknown, turn: { turnId: string; sessionKey: string }): void;
}

export interface Lanes extends LaneStops {
  /** Runs the turn when it is its lane's turn. Safe to repeat; nothing happens once draining has begun. */
  offer(turn: TurnRecord): void;
  /** Reads what the store has pending and begins to run. Before that nothing runs. Throws what the storage does. */
  recover(): Promise<void>;
  /** Does something while no turn of the session begins; one that runs goes on. Throws what the work does. */
  between<Result>(workspaceId: string, sessionKey: string, work: () => Promise<Result>): Promise<Result>;
  running(): Array<{ turnId: string; sessionKey: string; since: number }>;
  load(): { running: number; waiting: number };
  /** No new turn begins; what runs may end within the bound, then is asked to park. Safe to call twice. */
  drain(withinMs: number): Promise<DrainedLanes>;
  /** Resolves when nothing runs and, unless draining, nothing waits. */
  idle(): Promise<void>;
}

/** `left` did not react: the next start goes on with them as after a crash. */
export interface DrainedLanes {
  finished: number;
  parked: number;
  left: number;
}

const firstPauseMs = 1000;
const longestPauseMs = 60_000;
const pageSize = 500;

export function createLanes(parts: LaneParts): Lanes {
  const { turns, clock, limit, maxClaims = 3 } = parts;
  const queue = createFairQueue<Place>();
  const runs = new Map<string, RunningPlace>();
  const pauses = new Map<string, PausedLane>();
  /** Lanes in which nothing may begin, and for how many. */
  const holds = new Map<string, number>();
  const idlers: Array<() => void> = [];
  const ends = { finished: 0, parked: 0, left: 0 };
  /** The highest position that has begun: a turn behind it was never here before, and needs no look at what became of it. */
  let newest = 0;
  let state: "closed" | "open" | "draining" = "closed";

  const stops = createLaneStops({ ...parts, queue, runs, pauses, onCancelled: pump });
  const isOpen = () => state === "open";

  function offer(turn: TurnRecord): void {
    const lane = laneOf(turn.workspaceId, turn.sessionKey);
    const running = runs.get(turn.turnId);
    if (running) running.isOfferedAgain = true;
    if (state === "draining" || isHere(lane, turn.turnId)) return;
    const place = placeOf(turn);
    const isNew = turn.position > newest && turn.state === "queued" && turn.claims === 0;
    if (isNew) place.fresh = turn;
    queue.add(lane, place);
    pump();
    place.fresh = undefined;
  }

  const isHere = (lane: string, turnId: string) =>
    runs.has(turnId) || pauses.get(lane)?.place.turnId === turnId;

  function pump(): void {
    while (isOpen() && runs.size < limit) {
      const isSuspectRunning = [...runs.values()].some(({ place }) => place.isSuspect);
      const next = queue.next(!isSuspectRunning);
      if (!next) break;
      void go(enter(next.lane, next.item));
    }
    const isQuiet = runs.size === 0 && (state === "draining" || (queue.size() === 0 && pauses.size === 0));
    if (isQuiet) for (const wake of idlers.splice(0)) wake();
  }

  function enter(lane: string, place: Place): RunningPlace {
    const running: RunningPlace = {
      lane,
      place,
      sessionKey: readLane(lane).sessionKey,
      since: clock.now(),
      abort: new AbortController(),
      isOfferedAgain: false,
    };
    runs.set(place.turnId, running);
    if (place.stop) running.abort.abort(new TurnStop(place.stop));
    return running;
  }

  async function go(running: RunningPlace): Promise<void> {
    const { lane, place, sessionKey } = running;
    const { turnId } = place;
    newest = Math.max(newest, place.position);
    let continued: TurnRecord | undefined;
    try {
      const outcome = await attempt(running);
      await settle(running, outcome);
      if (outcome !== "hung" && (outcome.type === "ended" || outcome.type === "waiting"))
        continued = await continuedSince(running, outcome.type);
    } catch (error) {
      if (error instanceof TurnStop && error.by === "shutdown") {
        // It was still waiting for its session, so there was nothing to park.
        ends.parked++;
      } else {
        parts.onError(error, { turnId, sessionKey });
        if (!(error instanceof TurnStop) && !isTroubleOfStorage(error)) place.faults++;
        place.throws++;
        pauseLane(lane, place);
      }
    }
    runs.delete(turnId);
    if (continued) offer(continued);
    freeLane(lane);
    pump();
  }

  /**
   * Somebody may go on with a turn before its run is quite over, or have answered before it was quite put aside. What is offered while this
   * looks is looked at again.
   */
  async function continuedSince(
    running: RunningPlace,
    outcome: "ended" | "waiting",
  ): Promise<TurnRecord | undefined> {
    let found: TurnRecord | undefined;
    if (outcome === "waiting") running.isOfferedAgain = true;
    while (running.isOfferedAgain) {
      running.isOfferedAgain = false;
      const turn = await turns.get(running.place.turnId);
      found = isPending(turn) ? turn : undefined;
    }
    return found;
  }

  function freeLane(lane: string): void {
    const isRunning = [...runs.values()].some((one) => one.lane === lane);
    if (!isRunning && !pauses.has(lane) && !holds.has(lane)) queue.free(lane);
  }

  async function attempt(running: RunningPlace): Promise<TurnRunOutcome | "hung"> {
    const { place } = running;
    const turn = place.fresh ?? (await turns.get(place.turnId));
    if (!isPending(turn)) return { type: "over" };
    if (turn.claims >= maxClaims || place.faults >= maxClaims) {
      await parts.bury(turn);
      return { type: "over" };
    }
    return superviseRun({
      ...parts,
      turn,
      abort: running.abort,
      onLateEnd: (outcome) => "followUp" in outcome && outcome.followUp && offer(outcome.followUp),
    });
  }

  async function settle(
    { lane, place, abort }: RunningPlace,
    outcome: TurnRunOutcome | "hung",
  ): Promise<void> {
    if (outcome === "hung") {
      // It goes on as after a crash, except that one somebody stopped ends with that.
      const by = abort.signal.reason instanceof TurnStop ? abort.signal.reason.by : undefined;
      if (by !== "overdue" && by !== "shutdown") place.stop = by;
      place.isSuspect = true;
      if (state === "draining") ends.left++;
      else queue.add(lane, place);
      return;
    }
    if (outcome.type === "parked") ends.parked++;
    if (outcome.type === "ended") ends.finished++;
    if ("followUp" in outcome && outcome.followUp) offer(outcome.followUp);
    if (outcome.type === "over") {
      const turn = await turns.get(place.turnId);
      if (isPending(turn)) throw lostLease();
      if (!isWaiting(turn)) parts.onOver?.(place.turnId);
    }
    // Nothing was told about what came in meanwhile, so the store is asked.
    if (outcome.type === "over" || place.throws > 0) await rescan(lane);
  }

  async function rescan(lane: string): Promise<void> {
    const { workspaceId, sessionKey } = readLane(lane);
    const states: TurnRecord["state"][] = ["queued", "running"];
    const found = await turns.list({ limit: pageSize, sessionKey, states });
    const meant = found.filter((turn) => !turn.direct && turn.workspaceId === workspaceId);
    for (const turn of meant.reverse()) offer(turn);
  }

  function pauseLane(lane: string, place: Place): void {
    if (state === "draining") return;
    const wake = new AbortController();
    pauses.set(lane, { place, wake });
    const pauseMs = Math.min(firstPauseMs * 2 ** (place.throws - 1), longestPauseMs);
    const goOn = () => {
      pauses.delete(lane);
      queue.add(lane, place);
      freeLane(lane);
      pump();
    };
    if (place.stop && place.throws === 1) wake.abort();
    clock.sleep(pauseMs, wake.signal).then(goOn, goOn);
  }

  async function between<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    holds.set(lane, (holds.get(lane) ?? 0) + 1);
    queue.take(lane);
    try {
      return await work();
    } finally {
      const others = (holds.get(lane) ?? 1) - 1;
      if (others > 0) holds.set(lane, others);
      else holds.delete(lane);
      freeLane(lane);
      pump();
    }
  }

  async function recover(): Promise<void> {
    let after: number | undefined;
    for (;;) {
      const page = await turns.pending({ limit: pageSize, ...(after !== undefined && { after }) });
      for (const turn of page) offer(turn);
      after = page.at(-1)?.position;
      if (page.length < pageSize) break;
    }
    if (state === "closed") state = "open";
    pump();
  }

  const idle = () =>
    new Promise<void>((resolve) => {
      idlers.push(resolve);
      pump();
    });

  async function drain(withinMs: number): Promise<DrainedLanes> {
    state = "draining";
    for (const { wake } of pauses.values()) wake.abort();
    const before = { ...ends };
    const quiet = new AbortController();
    const allEnded = idle().then(() => quiet.abort());
    const orAfter = (ms: number) => Promise.race([allEnded, clock.sleep(ms, quiet.signal).catch(() => {})]);
    await orAfter(withinMs);
    for (const turnId of runs.keys()) stops.abortRun(turnId, "shutdown");
    if (runs.size > 0) await orAfter(parts.graceMs);
    quiet.abort();
    return {
      finished: ends.finished - before.finished,
      parked: ends.parked - before.parked,
      left: ends.left - before.left + runs.size,
    };
  }

  return {
    offer,
    recover,
    ...stops,
    between: (workspaceId, sessionKey, work) => between(laneOf(workspaceId, sessionKey), work),
    running: () =>
      [...runs.values()].map(({ place, sessionKey, since }) => ({ turnId: place.turnId, sessionKey, since })),
    load: () => ({ running: runs.size, waiting: queue.size() + pauses.size }),
    drain,
    idle,
  };
}
