/** Who has a way in through the gateway: tokens, devices, browsers, passkeys, and devices that ask for one. The promises of all verbs are in `storage.ts`. */

export type AccessKind = "token" | "device" | "browser" | "passkey";

/** What of the tenant's somebody reaches. */
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
  /** How whoever made it proved themselves. */
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
  /** Of a secret with 256 bits of chance; the secret itself is nowhere. */
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
  /** `full` when there are as many live ones as there may be. Clears what was over long ago, and let in nothing that is still there. */
  put(entry: NewAccess): Promise<{ type: "stored"; access: AccessRecord } | { type: "full" }>;
  /** Only one that is neither revoked nor over, here and in `findDevice`. */
  findByDigest(secretDigest: string): Promise<AccessRecord | undefined>;
  findDevice(publicKey: string): Promise<AccessRecord | undefined>;
  /** Live or not. */
  get(id: string): Promise<AccessRecord | undefined>;
  /** Newest first, at most 1000; the live ones unless `all`. */
  list(query?: { all?: boolean }): Promise<AccessRecord[]>;
  /** Notes a use, and with it until when it is good from now on. At most once a minute; in between nothing is written. Rides with the next write. */
  touch(id: string, expiresAt?: string): Promise<void>;
  /** With everything that it let in, and of a browser the key by which it came, but for what is spared. Those that were live, itself first; none when it was not. */
  revoke(
    id: string,
    actor: string,
    sparing?: { kind?: AccessKind; ids?: readonly string[] },
  ): Promise<AccessRecord[]>;

  /**
   * Remembers a device that asks to be let in; the code stays the same until it is answered or its time is over. `full` when too many ask
   * already.
   */
  askForDevice(
    device: Pick<DeviceRequest, "publicKey" | "name" | "wants" | "address">,
    makeCode: () => string,
  ): Promise<{ type: "pending"; request: DeviceRequest; isNew: boolean } | { type: "full" }>;
  /** Oldest first. */
  listPending(): Promise<DeviceRequest[]>;
  /** Takes the request, by its id or its code, and lets the device in as `as` says. An access that the key had before ends. */
  approveDevice(
    idOrCode: string,
    as: Pick<NewAccess, "role" | "scope" | "createdBy" | "expiresAt" | "boundTo"> & { name?: string },
  ): Promise<{ type: "approved"; access: AccessRecord } | { type: "unknown" } | { type: "full" }>;
  /** Undefined when there was none. */
  denyDevice(idOrCode: string, actor: string): Promise<DeviceRequest | undefined>;

  /** The name of this gateway, which devices sign along: made once, the same for good. */
  gatewayId(): Promise<string>;
}
