/**
 * A question that somebody waits for: stored, and where its lane is free begun with the same transaction, so that it costs one commit
 * instead of two.
 */
import type { Lanes, ReservedPlace } from "../../routing/lanes.ts";
import type { BeginTurn } from "../../storage/turns/turns.ts";
import type { AskInput, QueuedAsk } from "../../routing/ask-turn.ts";
import type { Engine } from "../../routing/engine.ts";

export interface AskAtOnceParts {
  engine: Pick<Engine, "queue" | "beginning">;
  lanes: Pick<Lanes, "offer" | "reserve" | "abort">;
}

export interface AskedTurn extends Omit<QueuedAsk, "begun"> {
  /** Lets it run now; without it, it runs a moment later. Safe to call twice, and for one that was asked before. */
  start(): void;
}

/** `told`: when whoever asks hears of it; see `BeginTurn`. Throws PincerError; see `queueAsk`. */
export async function askAtOnce(
  { engine, lanes }: AskAtOnceParts,
  input: AskInput,
  told: BeginTurn["told"] = "at-once",
): Promise<AskedTurn> {
  let reserved: ReservedPlace | undefined;
  const { begun, ...queued } = await engine
    .queue(input, (session, turnId) => {
      reserved = lanes.reserve(session.workspaceId, session.sessionKey, turnId);
      return reserved && engine.beginning(session, { turnId, told });
    })
    .catch((error: unknown) => {
      reserved?.leave();
      throw error;
    });
  const stop = begun ? undefined : reserved?.leave();

  let isStarted = false;
  function start(): void {
    if (isStarted) return;
    isStarted = true;
    if (begun) reserved?.run(queued.turn, begun);
    else if (!queued.duplicate) offer(queued);
  }

  function offer({ turn, joined }: Pick<QueuedAsk, "turn" | "joined">): void {
    lanes.offer(turn);
    // Where the store fails, it begins aborted; see `LaneStops.abort`.
    if (stop && !joined) lanes.abort(turn.turnId, stop).catch(() => undefined);
  }
  // Whoever wants to listen first does so at once; what is begun must not be left lying.
  setImmediate(start);
  return { ...queued, start };
}
