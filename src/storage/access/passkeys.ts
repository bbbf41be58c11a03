/** Passkeys for signing in from browsers (WebAuthn). `storage.ts` states the contract of all verbs. */
import type { AccessRecord, NewAccess } from "./access.ts";

export interface Passkey {
  /** The access that it grants. */
  access: AccessRecord;
  /** The browser's id for it, base64url. */
  credentialId: string;
  /** The domain that it is valid for, such as `localhost`. */
  rpId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** Its use counter; zero if the key has none. */
  counter: number;
  /** Transports that the browser reported. */
  transports: readonly string[];
}

export type NewPasskey = Omit<Passkey, "access"> & {
  access: Pick<NewAccess, "role" | "name" | "scope" | "boundTo" | "createdBy" | "expiresAt">;
};

export interface PasskeyStore {
  /** `known` if the id exists already, for anybody; `full` as for every access. */
  add(
    passkey: NewPasskey,
  ): Promise<{ type: "stored"; access: AccessRecord } | { type: "known" } | { type: "full" }>;
  /** Neither revoked nor expired. */
  find(credentialId: string): Promise<Passkey | undefined>;
  /** The valid ones for a domain, at most 100. */
  listFor(rpId: string): Promise<Array<Pick<Passkey, "credentialId" | "transports">>>;
  /** Notes a use. False if the counter did not rise: then nothing is stored, and the key was cloned. */
  use(credentialId: string, counter: number): Promise<boolean>;
}
