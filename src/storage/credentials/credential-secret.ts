/** The secret part of a credential: what is sealed into its row, read back, hidden, and turned into what goes with a request. */
import type { SecretBox } from "../../config/secret-box.ts";
import { failure } from "../../infra/failure.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { CredentialKey, CredentialStore, CredentialType } from "./credentials.ts";
import { formatCredentialKey } from "./credential-key.ts";

/** Fields as AUTH-03 names them: `key`; `token`, `expires`; `refresh`, `access`, `expires`. Others are kept as they came. */
export type CredentialSecret = Record<string, unknown>;

/** What a row is sealed under, so that it opens only as what it is. */
export const sealName = (tenantId: string, key: CredentialKey): string =>
  `credential/${tenantId}/${formatCredentialKey(key)}`;

export const sealSecret = (box: SecretBox, name: string, secret: CredentialSecret): Promise<string> =>
  box.seal(name, JSON.stringify(secret));

/** Throws secret/locked. */
export async function unsealSecret(box: SecretBox, name: string, sealed: string): Promise<CredentialSecret> {
  return JSON.parse(await box.unseal(name, sealed)) as CredentialSecret;
}

/** AUTH-05: whether there is anything in it to send. */
export function isUsable(type: CredentialType, secret: CredentialSecret, now: number): boolean {
  if (type === "api_key") return textIn(secret, "key").trim() !== "";
  if (type === "token") {
    const expires = expiryOf(secret);
    return textIn(secret, "token") !== "" && (expires === undefined || now < expires);
  }
  return textIn(secret, "access") !== "" || textIn(secret, "refresh") !== "";
}

export function textIn(secret: CredentialSecret, field: string): string {
  const value = secret[field];
  return typeof value === "string" ? value : "";
}

/** In milliseconds. */
export function expiryOf(secret: CredentialSecret): number | undefined {
  const { expires } = secret;
  return typeof expires === "number" && Number.isFinite(expires) && expires > 0 ? expires : undefined;
}

/** The form that the row has beside the sealed part. */
export function expiresAtOf(secret: CredentialSecret): string | null {
  const expires = expiryOf(secret);
  // Beyond what a date can hold is never.
  return expires === undefined || expires > 8.64e15 ? null : new Date(expires).toISOString();
}

/** The account that it belongs to, else the end of its key: enough to tell two apart, too little to be of use. */
export function labelOf(secret: CredentialSecret): string | null {
  const email = textIn(secret, "email");
  if (email) return email;
  const value = textIn(secret, "key") || textIn(secret, "token");
  return value.length >= 12 ? `…${value.slice(-4)}` : null;
}

/** Ends of the names of what tells whose it is and how far it reaches; what is unknown is taken to be secret. */
const openNames = [
  "email",
  "account_id",
  "project",
  "project_id",
  "resource_name",
  "gateway_id",
  "deployment_name_map",
  "region",
  "location",
  "base_url",
  "enterprise_url",
  "api_version",
  "scope",
  "scopes",
  "subscription_type",
  "token_type",
  "available_model_ids",
  // Where on this machine something lies, not what lies there.
  "profile",
  "file",
  "application_credentials",
];
const openEnd = new RegExp(`(?:^|_)(?:${openNames.join("|")})$`);

/** `accountId` and `CLOUDFLARE_ACCOUNT_ID` are the same name here. */
const isOpen = (name: string): boolean =>
  openEnd.test(name.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toLowerCase());

/** Every text in it that is to be kept secret, however deep it lies. */
export function secretsIn(value: unknown, name = ""): string[] {
  if (typeof value === "string") return isOpen(name) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((each) => secretsIn(each, name));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => secretsIn(inner, field));
}

/** From now on nothing of it is printed or stored. */
export function hideSecret(redactor: Redactor, id: string, secret: CredentialSecret): void {
  for (const value of secretsIn(secret)) redactor.add(id, value);
}

/**
 * Passes the values of all stored credentials to the redactor. Returns the names of those that cannot be opened,
 * whose values cannot leak from here either.
 */
export async function hideCredentials({
  store,
  box,
  redactor,
  tenantId,
}: {
  store: Pick<CredentialStore, "list">;
  box: SecretBox;
  redactor: Redactor;
  tenantId: string;
}): Promise<{ locked: string[] }> {
  const locked: string[] = [];
  for (const record of await store.list()) {
    try {
      hideSecret(redactor, record.id, await unsealSecret(box, sealName(tenantId, record), record.sealed));
    } catch {
      locked.push(record.id);
    }
  }
  return { locked };
}

/** Throws `usage/bad-argument` unless the secret has what its type needs. */
export function requireSecret(id: string, type: CredentialType, secret: CredentialSecret): void {
  // Expiry is checked at use; here only existence counts.
  if (isUsable(type, secret, 0)) return;
  throw failure("usage/bad-argument", "auth.no-secret", { name: id, type }, { hint: "auth.no-secret.hint" });
}
