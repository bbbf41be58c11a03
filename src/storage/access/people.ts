/** Who may speak: strangers with their codes, those who were let in, and the owner's claim. The promises of all verbs are in `storage.ts`. */

export interface PairingRequest {
  channel: string;
  accountId: string;
  senderId: string;
  code: string;
  createdAt: string;
  lastSeenAt: string;
  meta: Record<string, string>;
}

/** `accountId` null: on every account of the channel. */
export interface AllowedSender {
  channel: string;
  accountId: string | null;
  senderId: string;
  addedAt: string;
  /** `pairing`, `import`, `owner`. */
  by: string;
}

export interface PairingLimits {
  ttlMs: number;
  max: number;
}

export interface PairingStore {
  /**
   * Remembers an unknown sender. The code stays the same until it is approved or its `ttlMs` is over; `full` when the account has as
   * many pending as it may. What has run out is cleared on the way, each by its own time, and so is what an account has more than it
   * may; here and in `list` and `approve`.
   */
  request(
    sender: { channel: string; accountId: string; senderId: string; meta: Record<string, string> },
    limits: PairingLimits,
    makeCode: () => string,
  ): Promise<{ type: "pending"; request: PairingRequest; isNew: boolean } | { type: "full" }>;
  /** Oldest first. `mostOn`: how many may wait on an account of a channel. */
  list(query: {
    channel?: string;
    accountId?: string;
    mostOn(channel: string): number;
  }): Promise<PairingRequest[]>;
  /** Takes the code once and lets its sender in. After `maxTries` wrong ones within an hour nothing is tried any more: `locked`. */
  approve(attempt: {
    code: string;
    channel?: string;
    accountId?: string;
    mostOn(channel: string): number;
    maxTries: number;
    by: string;
  }): Promise<
    { type: "approved"; request: PairingRequest } | { type: "unknown" } | { type: "locked"; until: string }
  >;
  isAllowed(sender: { channel: string; accountId: string; senderId: string }): Promise<boolean>;
  listAllowed(query: { channel?: string; accountId?: string }): Promise<AllowedSender[]>;
  /** Safe to repeat. */
  allow(senders: Array<Omit<AllowedSender, "addedAt">>): Promise<void>;
  /** On one account, or with null on every one of the channel. Also takes back a pending request. False when the sender was not there. */
  revoke(sender: { channel: string; accountId: string | null; senderId: string }): Promise<boolean>;

  /** Makes the one-time code by which the owner claims an account of theirs; an older one stops working, wrong tries are forgotten. */
  openClaim(claim: { code: string; ttlMs: number }): Promise<void>;
  /** `wrong` also when there is no claim open; tries are counted per sender and in all. */
  claimOwner(attempt: {
    code: string;
    channel: string;
    senderId: string;
    maxTries: number;
  }): Promise<{ type: "claimed" } | { type: "wrong" } | { type: "locked" }>;
  isOwner(channel: string, senderId: string): Promise<boolean>;
  listOwners(): Promise<Array<{ channel: string; senderId: string; claimedAt: string }>>;
  removeOwner(channel: string, senderId: string): Promise<boolean>;
}
