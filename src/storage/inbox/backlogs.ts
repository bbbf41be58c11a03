/** Counts of what waits, for monitoring. The promises that all verbs keep are in `storage.ts`. */
export interface Backlog {
  count: number;
  /** When the oldest of them came; null where there is none. */
  oldestAt: string | null;
}

export interface Backlogs {
  /** Messages that nobody has looked at yet. */
  inbox: Backlog;
  /** Turns that wait for their lane. */
  turns: Backlog;
  /** Messages that are still to be sent, found out about or edited, by the account that sends them. */
  outbox: Array<Backlog & { channel: string; accountId: string }>;
  /** Turns and messages that were given up and wait for the owner. */
  deadLetters: number;
  /** Questions that wait for the owner. */
  approvals: number;
  /** What the owner should know and has not dismissed. */
  notices: number;
}

export interface HoldWork {
  /** `all`: whatever waits. `begun`: turns that have run in part, of which nobody knows any more how far. */
  which: "all" | "begun";
  /** The time of the state that came back. */
  since: string;
  notice: "notice.held-restore" | "notice.held-repair" | "notice.held-loss";
}

export interface HeldWork {
  /** Turns, and messages that had none yet: dead letters now. */
  turns: number;
  /** Replies: failed ones in the outbox now. */
  sends: number;
}

export interface BacklogStore {
  /** Nothing that waits is done until the owner runs or drops it. Adds a notice where anything was held. */
  hold(work: HoldWork): Promise<HeldWork>;
  /** As they are at one moment. Costs as much as waits, not as much as there ever was. */
  read(): Promise<Backlogs>;
}
