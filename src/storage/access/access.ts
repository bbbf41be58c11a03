/** Who has a way in through the gateway: tokens, devices, browsers, passkeys, and devices that ask for one. The promises of all verbs are in `storage.ts`. */

export type AccessKind = "token" | "device" | "browser" | "passkey";

/** Which part of the tenant is reachable. */
export type AccessScope =
  | { type: "tenant" }
  | { type: "workspace"; workspaceIds: readonly string[] }
  | { type: "agent"; agentIds: readonly string[] };

export interface AccessRecord {
  id: string;
  kind: AccessKind;
  role: string;
  name: string;
  scope: AccessScope;
  /** How its creator had authenticated. */
  way: string;
  /** Good only while the secret or the identity provider of this digest is what the config says; null: good by itself. */
  boundTo: string | null;
  createdAt: string;
  /** The caller's id. */
  createdBy: string;
  /** To about a minute. */
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

export interface NewAccess {
  kind: AccessKind;
  role: string;
  name: string;
  scope: AccessScope;
  way: string;
  boundTo?: string | null;
  createdBy: string;
  expiresAt: string | null;
  /** Digest of a 256-bit random secret; the secret itself is not stored. */
  secretDigest: string;
}

export interface DeviceRequest {
  id: string;
  publicKey: string;
  name: string;
  wants: string;
  /** What the device shows and the owner compares. */
  code: string;
  address: string;
  createdAt: string;
  expiresAt: string;
}

export interface AccessStore {
  /** `full` at the limit of live ones. Deletes long-expired rows, except those whose accesses still exist. */
  put(entry: NewAccess): Promise<{ type: "stored"; access: AccessRecord } | { type: "full" }>;
  /** Neither revoked nor expired; the same for `findDevice`. */
  findByDigest(secretDigest: string): Promise<AccessRecord | undefined>;
  findDevice(publicKey: string): Promise<AccessRecord | undefined>;
  /** Live or not. */
  get(id: string): Promise<AccessRecord | undefined>;
  /** Newest first, at most 1000; the live ones unless `all`. */
  list(query?: { all?: boolean }): Promise<AccessRecord[]>;
  /** Notes a use and the new expiry. Writes at most once a minute, along with the next write. */
  touch(id: string, expiresAt?: string): Promise<void>;
  /**
   * Revokes it and everything that it admitted, for a browser also its passkey, except what is spared. Returns those
   * that were live, itself first; none if it was not.
   */
  revoke(
    id: string,
    actor: string,
    sparing?: { kind?: AccessKind; ids?: readonly string[] },
  ): Promise<AccessRecord[]>;

  /**
   * Stores a device's request for access; the code stays the same until it is answered or expires. `full` if too many
   * are open.
   */
  askForDevice(
    device: Pick<DeviceRequest, "publicKey" | "name" | "wants" | "address">,
    makeCode: () => string,
  ): Promise<{ type: "pending"; request: DeviceRequest; isNew: boolean } | { type: "full" }>;
  /** Oldest first. */
  listPending(): Promise<DeviceRequest[]>;
  /** Accepts a request, by id or code, and admits the device as `as` says. An earlier access of the key ends. */
  approveDevice(
    idOrCode: string,
    as: Pick<NewAccess, "role" | "scope" | "createdBy" | "expiresAt" | "boundTo"> & { name?: string },
  ): Promise<{ type: "approved"; access: AccessRecord } | { type: "unknown" } | { type: "full" }>;
  /** Undefined when there was none. */
  denyDevice(idOrCode: string, actor: string): Promise<DeviceRequest | undefined>;

  /** The permanent id of this gateway, which devices include in their signatures. */
  gatewayId(): Promise<string>;
}
