import type { ContextStrategy } from "../../agent/prompt/prompt.ts";
import type { ModelWish } from "../../models/choose-model.ts";
import type { TurnRecord } from "../../storage/turns.ts";

/** What whoever started a turn wants of it; kept with the turn, so that it goes on the same way after a crash. */
export interface TurnWishes extends ModelWish {
  newSession?: boolean;
  memory?: boolean;
  /** Without `maxSteps` the agent's own limit holds. */
  tools?: { enabled: boolean; allow: string[]; maxSteps?: number };
  /** Instead of the agent's own. */
  workdir?: string;
  /** What the model is told, instead of what the config says. */
  context?: ContextStrategy;
  /** What its owner wrote for the shell, comma included: the turn is for that. */
  shellLine?: string;
  /** Nothing is answered: the session is summed up. */
  compact?: { instructions?: string };
  /** Somebody is there to be asked. wait: a question is put aside when they do not answer soon. once: it then counts as denied. */
  attended?: "wait" | "once";
}

export const wishesOf = (turn: Pick<TurnRecord, "options">): TurnWishes => turn.options;
