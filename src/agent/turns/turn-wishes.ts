import type { ToolDescription } from "@pincer/sdk";
import type { GivenMessages } from "../turn-inputs.ts";
import type { ContextStrategy } from "../prompt/prompt.ts";
import type { ModelWish } from "../../models/choose-model.ts";
import type { SetAsidePlace, TurnRecord } from "../../storage/turns/turns.ts";

/** What the caller wants of a turn; stored with the turn, so that it continues the same way after a crash. */
export interface TurnWishes extends ModelWish {
  newSession?: boolean;
  /** It goes back to before an entry of its session; the entries from there on are superseded when it begins. */
  setAside?: SetAsidePlace;
  memory?: boolean;
  /** Without `maxSteps` the agent's own limit holds. */
  tools?: { enabled: boolean; allow: string[]; maxSteps?: number };
  /** Instead of the agent's own. */
  workdir?: string;
  /** What the model is told, instead of what the config says. */
  context?: ContextStrategy;
  /** What its owner wrote for the shell, comma included: the turn is for that. */
  shellLine?: string;
  /** Effects are listed and not done; files are changed in a copy. */
  dryRun?: boolean;
  /** Nothing is answered: the session is summed up. */
  compact?: { instructions?: string };
  /** Somebody is there to be asked. wait: a question is put aside when they do not answer soon. once: it then counts as denied. */
  attended?: "wait" | "once";
  /** What a program says in messages of its own, earlier ones too, instead of plain words. */
  given?: GivenMessages;
  /** Tools that the caller runs itself: the model sees them beside ours, and they never run here. */
  clientTools?: ToolDescription[];
  /** Instructions of the caller for this turn; at the end of the prompt. */
  instructions?: string;
  /** Nothing that is said meanwhile becomes part of it before it begins. */
  alone?: true;
  /** Tells one question from another under the same key. */
  digest?: string;
  /** The trace of the caller, as W3C Trace Context. */
  traceparent?: string;
}

export const wishesOf = (turn: Pick<TurnRecord, "options">): TurnWishes => turn.options;
