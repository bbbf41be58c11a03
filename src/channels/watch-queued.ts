/** Tells senders that their turn does not begin yet: within a minute each sees typing, an answer, or one line. */
import { createRecent } from "@pincer/sdk";
import type { TurnWatch } from "../agent/turns/turn-events.ts";
import type { Clock } from "../infra/clock.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import type { WaitingLines, WaitingPerson } from "./tell-waiting.ts";

export interface QueuedTurns extends Required<Pick<TurnWatch, "begun" | "ended" | "over">> {
  /** It waits for its place. Safe to repeat. */
  queued(turn: TurnRecord): void;
  /** Its run failed because of us, and is tried again. */
  held(turnId: string, error: unknown): Promise<void>;
}

/** Leaves time for the line itself. */
const patienceMs = 45_000;
const mostTurns = 1000;

export function watchQueued(parts: {
  lines: WaitingLines;
  clock: Pick<Clock, "after">;
  /** For turns of an earlier process. May throw. */
  find(turnId: string): Promise<TurnRecord | undefined>;
}): QueuedTurns {
  const timers = new Map<string, () => void>();
  const people = createRecent<WaitingPerson>(mostTurns);

  function calm(turnId: string): void {
    timers.get(turnId)?.();
    timers.delete(turnId);
  }

  function forget(turnId: string): void {
    calm(turnId);
    people.delete(turnId);
  }

  return {
    queued(turn) {
      const { turnId } = turn;
      const whom = whoWaitsFor(turn);
      if (!whom || people.get(turnId)) return;
      people.set(turnId, whom);
      const tell = () => {
        timers.delete(turnId);
        parts.lines.tell(whom, { type: "queued" });
      };
      timers.set(turnId, parts.clock.after(patienceMs, tell));
    },
    async held(turnId, error) {
      calm(turnId);
      const turn = people.get(turnId) ? undefined : await parts.find(turnId).catch(() => undefined);
      const whom = people.get(turnId) ?? (turn && whoWaitsFor(turn));
      if (whom) parts.lines.tell(whom, { type: "held", error });
    },
    begun: ({ turnId }) => calm(turnId),
    ended: ({ turnId }) => forget(turnId),
    over: forget,
  };
}

/** Nobody waits for what the system began. */
function whoWaitsFor({ destination, person }: TurnRecord): WaitingPerson | undefined {
  return destination === null || person.role === "system" ? undefined : { destination, person: person.id };
}
