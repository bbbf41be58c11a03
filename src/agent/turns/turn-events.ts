/** Events of running turns: the runner and the lanes publish them, watchers of all turns subscribe. */
import type { OutboxRow } from "../../storage/outbox/outbox.ts";
import type { HeldLease, SessionRecord } from "../../storage/stores.ts";
import type { RecalledTurn, TurnRecord } from "../../storage/turns/turns.ts";
import type { TurnEvent } from "../turn-voice.ts";

/** Who follows turns while they run. Nothing in it may throw. */
export interface TurnWatch {
  begun?(turn: TurnRecord, session: SessionRecord): void;
  event?(turn: TurnRecord, event: TurnEvent): void;
  /** Called before the turn ends; what grows on somebody's screen must not grow any more afterwards. */
  ending?(turn: TurnRecord): Promise<void>;
  /** `whole`: what `recall` would give, where it was at hand. */
  ended?(turn: TurnRecord, outbox: OutboxRow[], whole?: RecalledTurn): void;
  waiting?(turn: TurnRecord, lease: HeldLease): void;
  /** It is over without having been run to its end: cancelled, quarantined, or ended by somebody else. */
  over?(turnId: string): void;
}

export interface TurnEvents {
  /** Tells all who have subscribed by then. */
  publish: Required<TurnWatch>;
  subscribe(watch: TurnWatch): void;
}

/**
 * Watchers are told in the order in which they subscribed, one after the other. Of the end they are told in reverse: those who subscribed last
 * send the answer, and it goes on its way before anybody else is told.
 */
export function createTurnEvents(): TurnEvents {
  const watches: TurnWatch[] = [];
  return {
    subscribe: (watch) => void watches.push(watch),
    publish: {
      begun(turn, session) {
        for (const watch of watches) watch.begun?.(turn, session);
      },
      event(turn, event) {
        for (const watch of watches) watch.event?.(turn, event);
      },
      waiting(turn, lease) {
        for (const watch of watches) watch.waiting?.(turn, lease);
      },
      async ending(turn) {
        for (const watch of watches) await watch.ending?.(turn);
      },
      ended(...told) {
        for (const watch of watches.toReversed()) watch.ended?.(...told);
      },
      over(turnId) {
        for (const watch of watches) watch.over?.(turnId);
      },
    },
  };
}
