/** The doors of the gateway: they turn credentials into a caller. */
import type { Caller } from "../../policy/caller.ts";

/** What came with a request or a connection, as it came. */
export interface Shown {
  /** Of the `Authorization` header: a token of ours, or a JWT. */
  bearer?: string | undefined;
  /** The session of a browser. */
  cookie?: string | undefined;
  /** A key of a device, proved by signing what the gateway made up for this connection. */
  device?: DeviceProof | undefined;
}

export interface DeviceProof {
  /** Ed25519, raw, base64url. */
  publicKey: string;
  /** Over `deviceStatement` of the challenge, base64url. */
  signature: string;
  /** For the owner to tell devices apart. */
  name: string;
  /** What it would like to be; the owner decides. */
  wants: "owner" | "admin" | "developer" | "viewer" | "auditor" | "node";
}

export type Admission =
  | { type: "admitted"; caller: Caller }
  /** Nothing was shown. */
  | { type: "nothing-shown" }
  /** What was shown is wrong, over, or taken back; which of them nobody is told. */
  | { type: "refused" }
  /** A device that the owner has not let in yet; `code` is what the owner compares. */
  | { type: "pending"; code: string }
  | { type: "too-many-tries"; retryAfterSeconds: number };

/** Where it came from. */
export interface ShownFrom {
  address: string;
  /** What was made up for this connection, for a device to sign. */
  challenge?: string | undefined;
  /** Somebody passed it on (a forwarded-for header, or the like): the address says nothing about who may be trusted without proof. */
  isForwarded?: boolean | undefined;
}

export interface Doors {
  /** Reads what is stored anew each time: what was taken back does not work any more. Never throws for what is shown. */
  admit(shown: Shown, from: ShownFrom): Promise<Admission>;
  /**
   * Whether the caller still is who they were, for connections that stay open: false when it was taken back or is over, or when they may do or
   * reach something else by now. `caller` must be the very object that `admit` gave.
   */
  isStillIn(caller: Caller): Promise<boolean>;
}
