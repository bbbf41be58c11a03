/** A turn's position in its lane, and what the lanes read from a turn. */
import { asPincerError, conversationOf } from "@pincer/sdk";
import type { TurnStop } from "../agent/turn-run.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import type { QueueItem } from "./fair-queue.ts";

/** A place in the queue. The turn itself is read when it begins, unless that is at once. */
export interface Place extends QueueItem {
  /** Where its answer goes, as one text; empty where nobody is told. */
  conversation: string;
  /** Begins aborted, so that it ends properly: it was stopped while nobody ran it. */
  stop: TurnStop["by"] | undefined;
  /** How often its run threw in a row. */
  throws: number;
  /** How many of them were no trouble of the storage. */
  faults: number;
  /** The turn itself, where it is new and begins as soon as it is offered. Should it have ended in that moment, its claim finds that. */
  fresh: TurnRecord | undefined;
}

export const placeOf = (turn: TurnRecord): Place => ({
  stop: undefined,
  throws: 0,
  faults: 0,
  fresh: undefined,
  turnId: turn.turnId,
  position: turn.position,
  conversation: turn.destination ? conversationOf(turn.destination) : "",
  isSuspect: turn.claims > 0,
});

export function isPending(turn: TurnRecord | undefined): turn is TurnRecord {
  return turn !== undefined && !turn.direct && (turn.state === "queued" || turn.state === "running");
}

/** Put aside until somebody answers. */
export function isWaiting(turn: TurnRecord | undefined): turn is TurnRecord {
  return turn?.state === "waiting";
}

/** The storage says no, or another process has the session: nothing is wrong with the turn itself. */
export function isTroubleOfStorage(error: unknown): boolean {
  const { domain } = asPincerError(error);
  return domain === "storage" || domain === "session";
}

/** One lane for each session key of a space. */
export const laneOf = (workspaceId: string, sessionKey: string): string => `${workspaceId}\0${sessionKey}`;

export function readLane(lane: string): { workspaceId: string; sessionKey: string } {
  const cut = lane.indexOf("\0");
  return { workspaceId: lane.slice(0, cut), sessionKey: lane.slice(cut + 1) };
}
