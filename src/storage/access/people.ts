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
   * Stores an unknown sender. The code stays the same until it is approved or `ttlMs` is over; `full` at the
   * account's limit. Expired requests, and those above the limit, are deleted here, in `list` and in `approve`.
   */
  request(
    sender: { channel: string; accountId: string; senderId: string; meta: Record<string, string> },
    limits: PairingLimits,
    makeCode: () => string,
  ): Promise<{ type: "pending"; request: PairingRequest; isNew: boolean } | { type: "full" }>;
  /** Oldest first. `mostOn`: the limit of an account. */
  list(query: {
    channel?: string;
    accountId?: string;
    mostOn(channel: string): number;
  }): Promise<PairingRequest[]>;
  /** Accepts the code once and admits its sender. `locked` after `maxTries` wrong ones within an hour. */
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
  /**
   * On one account, or with null on all of the channel. Also withdraws a pending request. False if the sender was
   * unknown.
   */
  revoke(sender: { channel: string; accountId: string | null; senderId: string }): Promise<boolean>;

  /**
   * Creates the one-time code with which the owner claims an account; replaces an older code and forgets wrong tries.
   */
  openClaim(claim: { code: string; ttlMs: number }): Promise<void>;
  /** `wrong` also if no claim is open; tries are counted per sender and in total. */
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
