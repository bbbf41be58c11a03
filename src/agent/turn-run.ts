/** The interface for running a turn: the lanes call it, the agent implements it. */
import { asPincerError } from "@pincer/sdk";
import type { TurnRecord } from "../storage/turns/turns.ts";

/** Why a turn is stopped, as the reason of its abort signal. `shutdown` parks it; the others end it, `overdue` as a limit does. */
export class TurnStop extends Error {
  readonly by: "stop" | "interrupt" | "overdue" | "client" | "shutdown";

  constructor(by: TurnStop["by"]) {
    super(`the turn was stopped: ${by}`);
    this.name = "TurnStop";
    this.by = by;
  }
}

/** Whether and by whom a turn is stopped. */
export const stopOf = (signal: AbortSignal): Pick<TurnStop, "by"> | undefined =>
  signal.aborted ? (signal.reason instanceof TurnStop ? signal.reason : { by: "client" }) : undefined;

/** Whether a turn that this is thrown in is whole on the disk and gone on with another time, rather than ended with what went wrong. */
export function isLeftForLater(error: unknown): boolean {
  const { domain, code } = asPincerError(error);
  return domain === "storage" || code === "session/lost-lease";
}

export type TurnRunOutcome =
  /** `followUp` is a turn made of what came in and was not taken up. */
  | { type: "ended"; turn: TurnRecord; followUp: TurnRecord | undefined }
  /** Given back; it goes on after the next start. */
  | { type: "parked" }
  /**
   * Put aside; it is queued again when the owner has answered, which with `isAnswered` has happened meanwhile. `followUp`: what came in for
   * it and goes on without it.
   */
  | { type: "waiting"; isAnswered: boolean; followUp: TurnRecord | undefined }
  /** Somebody else has ended or taken over this turn. */
  | { type: "over" };

/**
 * Runs a queued turn to its end, or goes on with one that a crash left `running`. Whatever the model, a tool or the gate does, the
 * turn ends with one line that its user sees. Throws only what the storage does: the turn is then still as it was on the disk.
 */
export type RunTurn = (turn: TurnRecord, signal: AbortSignal) => Promise<TurnRunOutcome>;
