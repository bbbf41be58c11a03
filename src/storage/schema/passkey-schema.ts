/** The schema of version 7: keys by which browsers sign in. Who comes in by one, and as what, is a row of `access`. */
import type { SqlDialect } from "../sqlite/sql-dialect.ts";

export const passkeySchema = ({ json, clustered }: SqlDialect): string[] => [
  // `counter` only ever rises, where the key has one at all.
  `CREATE TABLE passkeys (
    tenant_id TEXT NOT NULL,
    credential_id TEXT NOT NULL,
    access_id TEXT NOT NULL,
    rp_id TEXT NOT NULL,
    public_key TEXT NOT NULL,
    counter INTEGER NOT NULL,
    transports_json ${json} NOT NULL,
    PRIMARY KEY (tenant_id, credential_id)
  )${clustered}`,
  `CREATE UNIQUE INDEX passkeys_access ON passkeys (tenant_id, access_id)`,
];
