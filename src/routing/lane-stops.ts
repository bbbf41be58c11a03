/** Stops turns in any state: running, waiting in their lane, or in a paused lane. */
import { TurnStop } from "../agent/turn-run.ts";
import type { OutboxDraft, OutboxRow } from "../storage/outbox/outbox.ts";
import type { CancelQueued, TurnEndingRecord, TurnRecord, TurnStore } from "../storage/turns/turns.ts";
import type { FairQueue } from "./fair-queue.ts";
import { isPending, isWaiting, laneOf, type Place } from "./lane-place.ts";

export interface RunningPlace {
  lane: string;
  place: Place;
  sessionKey: string;
  since: number;
  abort: AbortController;
  /** Offered again while it ran: it may have ended and been continued meanwhile. */
  isOfferedAgain: boolean;
}

/** A lane that waits after a throw, with what ends the wait early. */
export interface PausedLane {
  place: Place;
  wake: AbortController;
}

export interface LaneStopParts {
  turns: Pick<TurnStore, "get" | "cancelQueued" | "cancel">;
  queue: Pick<FairQueue<Place>, "remove" | "waiting">;
  runs: ReadonlyMap<string, RunningPlace>;
  pauses: ReadonlyMap<string, PausedLane>;
  stoppedDrafts?(turn: TurnRecord): OutboxDraft[];
  wakeOutbox?(rows: OutboxRow[]): void;
  onOver?(turnId: string): void;
  /** Places have left the queue. */
  onCancelled(): void;
}

type By = TurnStop["by"];

export interface LaneStops {
  /**
   * Ends a session's work: aborts the running turn at once and cancels those that wait for their lane or for an answer, or with
   * `conversation` those of one conversation. Throws what the storage does, after the abort.
   */
  stop(
    workspaceId: string,
    sessionKey: string,
    by: By,
    wishes?: Pick<CancelQueued, "conversation" | "replies">,
  ): Promise<StoppedWork>;
  /**
   * Ends one turn: one that runs is aborted before this returns, one that waits for its lane or for an answer ends in the store, one that
   * waits after a crash ends when it is its turn. False when it is over or not here. Throws what the storage does; it then begins aborted.
   */
  abort(turnId: string, by: By): Promise<boolean>;
  /** Aborts one that runs. False when it does not. */
  abortRun(turnId: string, by: By): boolean;
  /** Aborts what runs in the session, without the storage; answers which turn. */
  abortSession(workspaceId: string, sessionKey: string, by: By): string | undefined;
}

export interface StoppedWork {
  count: number;
  /** The one that was running. */
  turnId: string | undefined;
  /** What is said about the others. */
  outbox: OutboxRow[];
}

export function createLaneStops(parts: LaneStopParts): LaneStops {
  const { turns, queue, runs, pauses } = parts;

  function abortRun(turnId: string, by: By): boolean {
    const running = runs.get(turnId);
    if (!running) return false;
    if (by === "stop" || by === "interrupt" || by === "client") running.place.stop ??= by;
    running.abort.abort(new TurnStop(by));
    return true;
  }

  function abortSession(lane: string, by: By): string | undefined {
    const running = [...runs.values()].find((one) => one.lane === lane);
    if (!running || running.abort.signal.aborted) return undefined;
    abortRun(running.place.turnId, by);
    return running.place.turnId;
  }

  /** Those of a lane that no run has yet. */
  function waitingIn(lane: string): Place[] {
    const paused = pauses.get(lane);
    return [...(paused ? [paused.place] : []), ...queue.waiting(lane)];
  }

  /** A lane that pauses because of one of these goes on at once. */
  function stopLater(lane: string, places: readonly Place[], by: By): void {
    for (const place of places) place.stop = by;
    const paused = pauses.get(lane);
    if (paused && places.includes(paused.place)) paused.wake.abort();
  }

  function leave(lane: string, turnIds: ReadonlySet<string>): void {
    queue.remove(lane, ({ turnId }) => turnIds.has(turnId));
    for (const turnId of turnIds) parts.onOver?.(turnId);
    parts.onCancelled();
  }

  return {
    async stop(workspaceId, sessionKey, by, wishes = {}) {
      const lane = laneOf(workspaceId, sessionKey);
      const turnId = abortSession(lane, by);
      const ending = endingOf(by);
      const { turnIds, outbox } = await turns.cancelQueued({ ...wishes, workspaceId, sessionKey, ending });
      const cancelled = new Set(turnIds);
      // One that pauses may have been cancelled or not; what else is left was begun before: only a run can end it.
      const isMeant = ({ conversation }: Place) =>
        wishes.conversation === undefined || conversation === wishes.conversation;
      const paused = pauses.get(lane)?.place;
      const left = waitingIn(lane).filter((place) => isMeant(place) && (place.isSuspect || place === paused));
      leave(lane, cancelled);
      stopLater(lane, left, by);
      // One that was about to begin was cancelled and aborted: it is one piece of work.
      const ended = new Set([...cancelled, ...left.map((place) => place.turnId)]);
      if (turnId !== undefined) ended.add(turnId);
      return { count: ended.size, turnId, outbox };
    },

    async abort(turnId, by) {
      if (abortRun(turnId, by)) return true;
      const turn = await turns.get(turnId);
      if (!isPending(turn) && !isWaiting(turn)) return false;
      const lane = laneOf(turn.workspaceId, turn.sessionKey);
      const places = waitingIn(lane).filter((place) => place.turnId === turnId);
      for (const place of places) place.stop = by;
      const replies = parts.stoppedDrafts?.(turn) ?? [];
      const outbox = await turns.cancel(turnId, { ending: endingOf(by), replies });
      if (outbox) {
        parts.wakeOutbox?.(outbox);
        leave(lane, new Set([turnId]));
      }
      stopLater(lane, places, by);
      // It may have begun meanwhile.
      return abortRun(turnId, by) || outbox !== undefined || places.length > 0;
    },

    abortRun,
    abortSession: (workspaceId, sessionKey, by) => abortSession(laneOf(workspaceId, sessionKey), by),
  };
}

const endingOf = (by: By): TurnEndingRecord => ({
  type: "aborted",
  by: by === "shutdown" ? "stop" : by,
});
