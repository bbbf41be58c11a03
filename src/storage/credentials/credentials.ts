/**
 * Credentials for providers of models: encrypted before they come here. Rows of an agent go before those that hold for all. The promises that all
 * verbs keep are in `storage.ts`.
 */
export type CredentialType = "api_key" | "token" | "oauth";

/** Which one is meant: an agent may have one of the same name as one that holds for all. */
export interface CredentialKey {
  /** Null: it holds for every agent. */
  agentId: string | null;
  /** The person's name for it: `anthropic-main`. Unique within its agent. */
  id: string;
}

export interface CredentialUse {
  lastUsedAt: string | null;
  /** Failures in a row, of any kind that is held against it. */
  errorCount: number;
  /** Billing failures in a row. */
  billingCount: number;
  cooldownUntil: string | null;
  disabledUntil: string | null;
  disabledReason: string | null;
  /** What it failed with last; null once it has worked again. */
  lastError: string | null;
  lastErrorAt: string | null;
}

export interface CredentialRecord extends CredentialKey {
  provider: string;
  type: CredentialType;
  /** For people: an account, the last four characters. Not secret. */
  label: string | null;
  /** When it stops working by itself; for oauth, when its access part has to be renewed. */
  expiresAt: string | null;
  /** Where it came from: login, import, environment. */
  source: string;
  /** The secret part, sealed; opaque here. */
  sealed: string;
  /** Rises with every change of the sealed part: a renewal overwrites only the version that it read. */
  version: number;
  createdAt: string;
  updatedAt: string;
  use: CredentialUse;
}

export type CredentialDraft = Pick<
  CredentialRecord,
  "id" | "agentId" | "provider" | "type" | "label" | "expiresAt" | "source" | "sealed"
>;

export interface CredentialOutlook {
  /** As `list` gives them. */
  records: CredentialRecord[];
  /** As `uses` gives it. */
  uses: ReadonlyMap<string, CredentialUse>;
  orders: { own: Record<string, string[]>; shared: Record<string, string[]> };
}

/** Credentials that live in the config have no row; what is known of their use is kept under their name all the same. */
export interface CredentialStore {
  /** Adds or replaces; what is known of its use is forgotten. Its version goes on rising, also over a removal. */
  put(draft: CredentialDraft): Promise<CredentialRecord>;
  get(key: CredentialKey): Promise<CredentialRecord | undefined>;
  /** All, by provider and name; those that hold for every agent before those of one. */
  list(): Promise<CredentialRecord[]>;
  /** With what is known of its use, and out of the orders of its agent. False when there was none. */
  remove(key: CredentialKey): Promise<boolean>;
  /** Writes a renewed secret over `version`; undefined if it was changed or removed meanwhile. */
  renew(
    key: CredentialKey & { version: number },
    fresh: { sealed: string; expiresAt: string | null },
  ): Promise<CredentialRecord | undefined>;
  /** What is known of the use of all, also of those without a row; by `formatCredentialKey`. */
  uses(): Promise<ReadonlyMap<string, CredentialUse>>;
  /** Changes what is known of one, in one transaction; `change` may be called more than once. Rides with the next write. */
  noteUse(
    key: CredentialKey & { provider: string },
    change: (use: CredentialUse) => CredentialUse,
  ): Promise<CredentialUse>;
  /** The order that a person has set, by provider; it goes before the config's. */
  orders(agentId: string | null): Promise<Record<string, string[]>>;
  /** An empty list takes the order away. */
  setOrder(agentId: string | null, provider: string, ids: readonly string[]): Promise<void>;
  /** What has to be known before each request, of one moment: all records, what is known of their use, and both orders. */
  outlook(agentId: string | null): Promise<CredentialOutlook>;
  /** Of those that hold for all, or those of one agent: the one that worked last, by provider. */
  lastGood(agentId: string | null): Promise<Record<string, string>>;
}

export const unused = (): CredentialUse => ({
  lastUsedAt: null,
  errorCount: 0,
  billingCount: 0,
  cooldownUntil: null,
  disabledUntil: null,
  disabledReason: null,
  lastError: null,
  lastErrorAt: null,
});
