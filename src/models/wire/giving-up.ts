/** One listener for a whole exchange, whatever of it an abort has to end. */
import { onAbort } from "../../infra/on-abort.ts";

export interface GivingUp {
  /** What an abort does from now on, instead of what it did before; at once if there was one. */
  by(act: (reason: unknown) => void): void;
  /** An abort does nothing any more. Safe to call twice. */
  end(): void;
}

export function givingUpOn(signal: AbortSignal | undefined): GivingUp {
  if (!signal) return nobodyGivesUp;
  let act: ((reason: unknown) => void) | undefined;
  const giveUp = () => act?.(signal.reason);
  const stopListening = onAbort(signal, giveUp);
  return {
    by(next) {
      act = next;
      if (signal.aborted) giveUp();
    },
    end() {
      act = undefined;
      stopListening();
    },
  };
}

const nobodyGivesUp: GivingUp = { by() {}, end() {} };
