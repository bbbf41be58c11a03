/** Keys by which browsers sign in (WebAuthn). The promises of all verbs are in `storage.ts`. */
import type { AccessRecord, NewAccess } from "./access.ts";

export interface Passkey {
  /** The access of whoever comes by it. */
  access: AccessRecord;
  /** As the browser names it, base64url. */
  credentialId: string;
  /** The name of the place that it is good for, such as `localhost`. */
  rpId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** How often it was used, where the key counts; zero where it does not. */
  counter: number;
  /** How browsers reach it, as they said. */
  transports: readonly string[];
}

export type NewPasskey = Omit<Passkey, "access"> & {
  access: Pick<NewAccess, "role" | "name" | "scope" | "boundTo" | "createdBy" | "expiresAt">;
};

export interface PasskeyStore {
  /** `known` when there is one of this id already, whoever has it; `full` as for every access. */
  add(
    passkey: NewPasskey,
  ): Promise<{ type: "stored"; access: AccessRecord } | { type: "known" } | { type: "full" }>;
  /** Only one that is neither revoked nor over. */
  find(credentialId: string): Promise<Passkey | undefined>;
  /** Those of a place that are good, at most 100. */
  listFor(rpId: string): Promise<Array<Pick<Passkey, "credentialId" | "transports">>>;
  /** Notes a use. False when the counter did not rise since the last one: then nothing is noted, and there are two of the key. */
  use(credentialId: string, counter: number): Promise<boolean>;
}
