/** Lets clients follow a run: the runner publishes to the hub, the hub to those who follow that run. */
import type { TurnEvent } from "../turn-voice.ts";
import type { TurnWatch } from "./turn-events.ts";
import type { RecalledTurn, TurnRecord } from "../../storage/turns/turns.ts";
import type { HeldLease, SessionRecord } from "../../storage/stores.ts";

export interface RunListener {
  begun?(session: SessionRecord): void;
  event?(event: TurnEvent): void;
  /** Another process is at work in the session. */
  waiting?(lease: HeldLease): void;
  /** `whole`: all of it, where it was at hand. */
  ended?(turn: TurnRecord, whole?: RecalledTurn): void;
  /** It is over without having been run to its end: cancelled, quarantined, or ended by another process. */
  over?(): void;
}

/** Words since the last step. */
export interface Saying {
  text: string;
  thinking: string;
}

export interface RunEvents {
  watch: Required<Pick<TurnWatch, "begun" | "event" | "waiting" | "ended" | "over">>;
  /** Whether somebody follows it now. */
  isWatched(turnId: string): boolean;
  /** What a run is saying at this moment and is not stored yet; undefined where there is nothing. */
  saying(turnId: string): Saying | undefined;
  /** The answer stops listening. */
  subscribe(turnId: string, listener: RunListener): () => void;
}

export function createRunEvents(): RunEvents {
  const listeners = new Map<string, Set<RunListener>>();
  const growing = new Map<string, Saying>();

  function note(turnId: string, event: TurnEvent): void {
    const { text, thinking } = growing.get(turnId) ?? { text: "", thinking: "" };
    if (event.type === "text-delta") growing.set(turnId, { text: text + event.text, thinking });
    else if (event.type === "thinking-delta") growing.set(turnId, { text, thinking: thinking + event.text });
    // What was said is stored, or is not meant any more.
    else if (event.type === "tool-call-start" || event.type === "start-over" || event.type === "complete") {
      growing.delete(turnId);
    }
  }

  const tell = (turnId: string, how: (listener: RunListener) => void) => {
    for (const listener of listeners.get(turnId) ?? []) {
      try {
        how(listener);
      } catch {
        // A listener that throws loses the event; the run and the others do not.
      }
    }
  };
  return {
    watch: {
      begun: (turn, session) => tell(turn.turnId, (listener) => listener.begun?.(session)),
      event(turn, event) {
        note(turn.turnId, event);
        tell(turn.turnId, (listener) => listener.event?.(event));
      },
      waiting: (turn, lease) => tell(turn.turnId, (listener) => listener.waiting?.(lease)),
      ended(turn, _outbox, whole) {
        growing.delete(turn.turnId);
        tell(turn.turnId, (listener) => listener.ended?.(turn, whole));
      },
      over(turnId) {
        growing.delete(turnId);
        tell(turnId, (listener) => listener.over?.());
      },
    },
    saying: (turnId) => growing.get(turnId),
    isWatched: (turnId) => listeners.has(turnId),
    subscribe(turnId, listener) {
      const own = listeners.get(turnId) ?? new Set();
      listeners.set(turnId, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(turnId) === own) listeners.delete(turnId);
      };
    },
  };
}
