/** What became of messages in trouble that allows more than a kill does, as the judge needs to know it. */

/** A person waited for longer than anybody has to without a word, while the product ran. */
export interface LongWait {
  messageId: string;
  /** Which of the seen texts came meanwhile: from this one to just before that one. */
  from: number;
  to: number;
}

export interface Allowances {
  /** Messages that may stay unanswered, by their ids, if somebody was told: the sender or the owner. */
  unanswered: Map<string, "told" | "untold">;
  /** What knew that they had been answered is lost: they may be answered once more. */
  repeated: Set<string>;
  /** Texts that were seen half-written when what knew of them was lost, by their keys: nobody can finish them. */
  unfinished: Set<string>;
  /** Written a day before or longer, by the product's clock: their answers may no longer be sent again to find out whether they arrived. */
  outdated: Set<string>;
  /** The owner had them run again: answers, effects and their order are the owner's doing. */
  rerun: Set<string>;
  longWaits: LongWait[];
  /** Less policy than before, as it was seen during the series. */
  lessPolicy: string[];
}

export const createAllowances = (): Allowances => ({
  unanswered: new Map(),
  repeated: new Set(),
  unfinished: new Set(),
  outdated: new Set(),
  rerun: new Set(),
  longWaits: [],
  lessPolicy: [],
});
