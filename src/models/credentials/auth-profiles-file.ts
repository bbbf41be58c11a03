/** Credentials as the file `auth-profiles.json` (AUTH-01 to 03), for bringing them along and for taking them elsewhere. */
import { failure } from "../../infra/failure.ts";
import { unused, type CredentialType, type CredentialUse } from "../../storage/credentials/credentials.ts";
import { isCredentialName, isReservedName } from "./credential-name.ts";
import { isUsable, type CredentialSecret } from "../../storage/credentials/credential-secret.ts";

export interface CarriedCredential {
  id: string;
  provider: string;
  type: CredentialType;
  secret: CredentialSecret;
  use: CredentialUse;
}

export interface CarriedCredentials {
  credentials: CarriedCredential[];
  /** By provider. */
  order: Record<string, string[]>;
}

/** One that is of no use here: there is nothing in it to send, or it is a login and its provider has none. */
export interface SkippedCredential {
  id: string;
  reason: "empty" | "no-login";
}

const version = 1;

/** Throws `usage/bad-argument`, without any of the file's content, when it is no such file or has a name that means something else. */
export function readAuthProfiles(
  text: string,
  file: string,
  hasLogin: (provider: string) => boolean,
): CarriedCredentials & { skipped: SkippedCredential[] } {
  const content = parseJson(text, file);
  const profiles = content["profiles"];
  if (!isTable(profiles)) throw unreadable(file, "no-profiles");
  const given = content["version"] ?? version;
  if (given !== version) throw unreadable(file, "too-new", { version: JSON.stringify(given) });
  const stats = isTable(content["usageStats"]) ? content["usageStats"] : {};
  const credentials = Object.entries(profiles).map(([id, profile]): CarriedCredential => {
    const { type, provider, ...secret } = isTable(profile) ? profile : {};
    if (!isType(type) || typeof provider !== "string" || provider === "" || !isCredentialName(id))
      throw unreadable(file, "bad-profile", { name: isCredentialName(id) ? id : "?" });
    if (isReservedName(id)) throw unreadable(file, "reserved-name", { name: id });
    return { id, provider, type, secret, use: readUse(Object.hasOwn(stats, id) ? stats[id] : undefined) };
  });
  const flawOf = ({ type, secret, provider }: CarriedCredential): SkippedCredential["reason"] | undefined => {
    if (!isUsable(type, secret, 0)) return "empty";
    return type === "oauth" && !hasLogin(provider) ? "no-login" : undefined;
  };
  return {
    credentials: credentials.filter((each) => flawOf(each) === undefined),
    skipped: credentials.flatMap((each) => {
      const reason = flawOf(each);
      return reason === undefined ? [] : [{ id: each.id, reason }];
    }),
    order: readOrder(content["order"]),
  };
}

/** What `readAuthProfiles` reads back. */
export function writeAuthProfiles(
  { credentials, order }: CarriedCredentials,
  lastGood: Record<string, string>,
): string {
  const profiles = Object.fromEntries(
    credentials.map(({ id, type, provider, secret }) => [id, { type, provider, ...secret }]),
  );
  const usageStats = Object.fromEntries(
    credentials
      .map(({ id, use }) => [id, writeUse(use)] as const)
      .filter(([, use]) => Object.keys(use).length > 0),
  );
  return `${JSON.stringify({ version, profiles, order, lastGood, usageStats }, null, 2)}\n`;
}

/** The times of a use, by their names in the file; in milliseconds there. */
const times = [
  ["lastUsed", "lastUsedAt"],
  ["cooldownUntil", "cooldownUntil"],
  ["disabledUntil", "disabledUntil"],
  ["lastErrorAt", "lastErrorAt"],
] as const;
const counts = ["errorCount", "billingCount"] as const;
const words = ["disabledReason", "lastError"] as const;

function readUse(given: unknown): CredentialUse {
  const use = unused();
  if (!isTable(given)) return use;
  for (const [name, field] of times) {
    const value = given[name];
    if (typeof value === "number" && value > 0 && value < 8.64e15) use[field] = new Date(value).toISOString();
  }
  for (const field of counts) {
    const value = given[field];
    if (typeof value === "number" && Number.isInteger(value) && value > 0) use[field] = Math.min(value, 1000);
  }
  for (const field of words) {
    const value = given[field];
    if (typeof value === "string") use[field] = value;
  }
  return use;
}

function writeUse(use: CredentialUse): Record<string, unknown> {
  const written = [
    ...times.map(([name, field]) => [name, use[field] === null ? null : Date.parse(use[field])] as const),
    ...counts.map((field) => [field, use[field] || null] as const),
    ...words.map((field) => [field, use[field]] as const),
  ];
  return Object.fromEntries(written.filter(([, value]) => value !== null));
}

const readOrder = (given: unknown): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(isTable(given) ? given : {}).map(([provider, ids]) => [
      provider,
      (Array.isArray(ids) ? ids : []).filter((id): id is string => typeof id === "string"),
    ]),
  );

/** Throws as `readAuthProfiles`. */
export function parseJson(text: string, file: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    // Without its cause: the words of a parser repeat what it stumbled over, which may be a key.
    throw unreadable(file, "not-json");
  }
  if (!isTable(content)) throw unreadable(file, "no-profiles");
  return content;
}

type Flaw = "not-json" | "no-profiles" | "bad-profile" | "reserved-name" | "no-login" | "too-new";

export const unreadable = (file: string, flaw: Flaw, more: Record<string, string> = {}) =>
  failure("usage/bad-argument", `auth.bad-file.${flaw}`, { file, ...more }, { hint: "auth.bad-file.hint" });

export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isType = (type: unknown): type is CredentialType =>
  type === "api_key" || type === "token" || type === "oauth";
