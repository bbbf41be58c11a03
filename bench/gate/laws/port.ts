/**
 * The narrow side of a gate that the laws are tried on. A driver plays the owner and every model; the gate decides what
 * happens, and says what outsiders saw. The pure core fits behind it as well as a whole gateway.
 */

/** What can be taken out, to see that a law then fails. */
export const rules = ["grants", "leaving", "bits", "labels", "planner-input"] as const;
export type Rule = (typeof rules)[number];

/** What the owner's words allow, as the planner of the driver answers it: places, hosts and sources in their own names. */
export interface LawGrant {
  tool: string;
  recipients: string[];
  hosts: string[];
  args: Record<string, string>;
  sources: string[];
  count: number;
}

export interface TurnStart {
  by: "owner" | "peer";
  /** `family` is a group in which others read. */
  session: "main" | "second" | "family";
  agent: "main" | "helper";
  /** Days since the first turn. */
  day: number;
  /** Block by block, as the channel tells them apart. */
  words: ReadonlyArray<{ text: string; isPasted: boolean }>;
}

/** What a request shows that was not shown before in the turn. */
export interface Shown {
  text: string;
  /** Whether the context counts as tainted from here on. */
  isTainted: boolean;
}

export interface ModelCall {
  tool: string;
  arguments: Record<string, string>;
}

export type CallAnswer =
  /** It ran, or it was refused: what the model reads of it. */
  | { type: "result"; ran: boolean; shown: Shown }
  /** A card of the owner's; the turn waits. */
  | { type: "asked" };

/** In the order in which it was seen. `turn` and `call` count from 0; an answer has the number after the last call. */
export type OutsideEvent =
  | {
      type: "act";
      turn: number;
      call: number;
      tool: string;
      /** Places that heard of it; the host, of a request. */
      recipients: string[];
      /** With which it was done: another wording may stand in them than in the call. */
      arguments: Record<string, string>;
    }
  | { type: "read"; turn: number; call: number; by: "turn" | "scout"; url: string }
  | { type: "search"; turn: number; call: number; query: string };

export interface GateUnderTest {
  startTurn(turn: TurnStart): Promise<Shown>;
  call(call: ModelCall): Promise<CallAnswer>;
  /** To the open card. */
  answerCard(isYes: boolean): Promise<CallAnswer>;
  /** Resolves with the words that were delivered. */
  endTurn(answer: string): Promise<string>;
  /** The owner stops it. */
  stopTurn(): Promise<void>;
  /** The process dies and comes back; the turn goes on. A card that was open still is. */
  crash(): Promise<void>;
  look(): {
    outside: readonly OutsideEvent[];
    /** What the owner was shown in full, and when: before the nth call of a turn. */
    owner: ReadonlyArray<{ turn: number; call: number; text: string }>;
    /** What requests showed that counted as untainted, where that is known only later. */
    untainted?: ReadonlyArray<{ turn: number; text: string }>;
  };
  close(): Promise<void>;
}

/** The models that the gate itself asks. Each hears exactly what the gate would send. */
export interface LawModels {
  /** Undefined: it does not answer. */
  planner(input: string): readonly LawGrant[] | undefined;
  writer(input: string, names: readonly string[]): Record<string, string>;
  /** The addresses that a scout reads. */
  scout(input: string, isTainted: boolean): readonly string[];
}

export type OpenGate = (
  world: LawWorld,
  models: LawModels,
  options?: { without?: Rule },
) => Promise<GateUnderTest>;

/** What is there in every program. */
export interface LawWorld {
  /** Path to text; all are private, and those that are not the owner's of unknown authors. */
  files: Record<string, { text: string; isOwners: boolean }>;
  /** Confirmed, and the owner's: private, trusted. */
  memory: string;
  user: string;
  mails: Record<string, string>;
  pages: Record<string, string>;
}
