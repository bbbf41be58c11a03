/** One credential as people see it. Whether it can be used is computed each time, never cached. */
import { asPincerError, type CredentialView } from "@pincer/sdk";
import type { Secrets } from "../../config/secrets.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Redactor } from "../../infra/redactor.ts";
import {
  hideSecret,
  labelOf,
  sealName,
  textIn,
  unsealSecret,
  type CredentialSecret,
} from "../../storage/credentials/credential-secret.ts";
import type { CredentialSource } from "../../models/credentials/credential-sources.ts";
import { setAsideUntil } from "../../models/credentials/credential-state.ts";
import { formatCredentialKey } from "../../storage/credentials/credential-key.ts";
import { unused, type CredentialRecord, type CredentialUse } from "../../storage/credentials/credentials.ts";

interface StatusParts {
  secrets: Pick<Secrets, "box" | "resolve">;
  redactor: Redactor;
  clock: Clock;
  tenantId: string;
}

type Finding = Pick<CredentialView, "state" | "until" | "reason">;

export async function describeCredential(
  parts: StatusParts,
  source: CredentialSource,
  known: { uses: ReadonlyMap<string, CredentialUse>; order: readonly string[] },
): Promise<CredentialView> {
  const position = known.order.indexOf(source.id) + 1 || null;
  if (source.type === "stored") return describeRecord(parts, source.record, position);
  const { id, agentId, provider } = source;
  const use = known.uses.get(formatCredentialKey(source)) ?? unused();
  const { label, locked } = source.type === "config" ? await openReference(parts, source) : nothingToOpen;
  return {
    id,
    agentId,
    provider,
    type: source.type === "config" ? source.mode : source.type,
    label,
    source: source.type,
    ...(locked ?? stateOf(use, parts.clock.now())),
    position,
    ...historyOf(use),
  };
}

/** `position` as in the view. */
export async function describeRecord(
  parts: StatusParts,
  record: CredentialRecord,
  position: number | null,
): Promise<CredentialView> {
  const { id, agentId, provider, type, label, source, use } = record;
  return {
    id,
    agentId,
    provider,
    type,
    label,
    source,
    ...(await findOut(parts, record)),
    position,
    ...historyOf(use),
  };
}

async function findOut(parts: StatusParts, record: CredentialRecord): Promise<Finding> {
  const { secrets, redactor, tenantId, clock } = parts;
  let secret: CredentialSecret;
  try {
    secret = await unsealSecret(secrets.box, sealName(tenantId, record), record.sealed);
  } catch (error) {
    return lockedBy(error);
  }
  hideSecret(redactor, record.id, secret);
  const { type, expiresAt, use } = record;
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= clock.now();
  // An access token that has run out is renewed when it is used.
  if (isOver && (type === "token" || textIn(secret, "refresh") === ""))
    return { state: "expired", until: expiresAt, reason: null };
  return stateOf(use, clock.now());
}

const nothingToOpen = { label: null, locked: undefined };

async function openReference(
  { secrets, redactor }: StatusParts,
  source: Extract<CredentialSource, { type: "config" }>,
): Promise<{ label: string | null; locked: Finding | undefined }> {
  try {
    const key = await secrets.resolve(source.reference);
    redactor.add(source.id, key);
    return { label: source.label ?? labelOf({ key }), locked: undefined };
  } catch (error) {
    return { label: source.label, locked: lockedBy(error) };
  }
}

const lockedBy = (error: unknown): Finding => ({
  state: "locked",
  until: null,
  reason: asPincerError(error).message,
});

function stateOf(use: CredentialUse, now: number): Finding {
  const until = setAsideUntil(use, now);
  if (until === undefined) return { state: "ready", until: null, reason: null };
  return { state: "set-aside", until: new Date(until).toISOString(), reason: use.lastError };
}

const historyOf = ({ lastUsedAt, lastError, lastErrorAt }: CredentialUse) => ({
  lastUsedAt,
  lastError,
  lastErrorAt,
});
