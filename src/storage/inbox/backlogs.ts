/** What waits, counted: for those who watch over the house. The promises that all verbs keep are in `storage.ts`. */
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

export interface BacklogStore {
  /** As they are at one moment. Costs as much as waits, not as much as there ever was. */
  read(): Promise<Backlogs>;
  /** Changes nothing and goes the way of a write: throws `storage/…` where none is taken. Rides with the next write. */
  tryWrite(): Promise<void>;
}
