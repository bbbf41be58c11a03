/** What is shown below the end of a turn, besides its answer. */
import { closingBody, type EntryBody } from "@pincer/sdk";
import type { TurnGate } from "../gate/turn-gate.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";

export interface TurnClosing {
  /** Stored with the end of the turn, for the page and the terminal. */
  bodies: EntryBody[];
  /** Lines for a chat, which shows nothing else. */
  told: string[];
}

export interface TurnClosingParts {
  gate: Pick<TurnGate, "grantedIn">;
  onError(error: unknown): void;
}

/** What cannot be found out is told, and left out: the turn ends all the same. */
export function createTurnClosing({ gate, onError }: TurnClosingParts) {
  const tried = <Found>(work: Promise<Found>): Promise<Found | undefined> =>
    work.catch((error: unknown) => {
      onError(error);
      return undefined;
    });

  return async function closing(turn: TurnRecord): Promise<TurnClosing> {
    const granted = await tried(gate.grantedIn(turn));
    return {
      bodies: granted && granted.grants.length > 0 ? [closingBody("granted", granted)] : [],
      told: [],
    };
  };
}
