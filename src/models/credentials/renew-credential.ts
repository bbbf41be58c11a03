/**
 * Renews access tokens. Refresh tokens are often good for one exchange only, so each is exchanged by one renewer: those in this
 * process share its answer, those in other processes wait for its lease and then read what it wrote.
 */
import type { SecretBox } from "../../config/secret-box.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { createHash } from "node:crypto";
import { formatCredentialKey } from "../../storage/credentials/credential-key.ts";
import type { CredentialRecord, CredentialStore } from "../../storage/credentials/credentials.ts";
import type { SessionLeases } from "../../storage/sessions/session-lease.ts";
import {
  expiresAtOf,
  hideSecret,
  sealName,
  sealSecret,
  textIn,
  unsealSecret,
  type CredentialSecret,
} from "../../storage/credentials/credential-secret.ts";
import type { OAuthFlows } from "./oauth-flows.ts";

export interface RenewerParts {
  store: Pick<CredentialStore, "get" | "renew">;
  box: SecretBox;
  oauth: Pick<OAuthFlows, "refresh">;
  clock: Clock;
  redactor: Redactor;
  tenantId: string;
  /** Without it, only this process keeps its renewers apart. */
  leases?: Pick<SessionLeases, "hold"> | undefined;
}

export type Renewal =
  | { type: "fresh"; secret: CredentialSecret; version: number }
  | { type: "refused" | "unavailable" | "gone" };

export interface Renewer {
  /** The secret with an access token that holds. Aborting ends the waiting, not the exchange. Throws what storage, box and signal do. */
  fresh(record: CredentialRecord, signal: AbortSignal): Promise<Renewal>;
  /**
   * Whether there is an access token other than that of version `rejected`, which the provider turned down before its time; makes one,
   * unless that one is not a minute old. Aborting and throwing as above.
   */
  replace(record: CredentialRecord, rejected: number, signal: AbortSignal): Promise<boolean>;
}

const marginMs = 60_000;
/** A token that is turned down although it is younger than this will not be better for being exchanged. */
const newForMs = 60_000;
const patienceMs = 60_000;

export function createRenewer(parts: RenewerParts): Renewer {
  const running = new Map<string, Promise<Renewal>>();
  /** Versions that the provider has refused: asking again with the same token would only be refused again. */
  const refused = new Map<string, number>();

  function join(asked: Asked, signal: AbortSignal): Promise<Renewal> {
    const name = formatCredentialKey(asked.record);
    const present =
      running.get(name) ??
      renewAlone(parts, asked, refused).finally(() => {
        running.delete(name);
      });
    running.set(name, present);
    return untilAborted(present, signal);
  }

  return {
    async fresh(record, signal) {
      signal.throwIfAborted();
      const holds = (present: CredentialRecord) => isFresh(present, parts.clock);
      if (holds(record)) return asFresh(record, await open(parts, record));
      return join({ record, holds }, signal);
    },
    async replace(record, rejected, signal) {
      signal.throwIfAborted();
      const holds = (present: CredentialRecord) =>
        present.version !== rejected || isNew(present, parts.clock);
      const isUnderWay = running.has(formatCredentialKey(record));
      let renewal = await join({ record, holds }, signal);
      // Somebody had asked only whether its time was up.
      if (isUnderWay && renewal.type === "fresh" && renewal.version === rejected)
        renewal = await join({ record, holds }, signal);
      return renewal.type === "fresh" && renewal.version !== rejected;
    },
  };
}

interface Asked {
  record: CredentialRecord;
  /** Whether the access token that is there will do. */
  holds(present: CredentialRecord): boolean;
}

async function renewAlone(parts: RenewerParts, asked: Asked, refused: Map<string, number>): Promise<Renewal> {
  const work = () => renewUnderLease(parts, asked, refused);
  if (!parts.leases) return work();
  try {
    return await parts.leases.hold(leaseName(asked.record), work);
  } catch (error) {
    if ((error as { code?: string }).code === "session/busy") return { type: "unavailable" };
    throw error;
  }
}

async function renewUnderLease(
  parts: RenewerParts,
  { record: asked, holds }: Asked,
  refused: Map<string, number>,
): Promise<Renewal> {
  const { store, box, oauth, clock, redactor, tenantId } = parts;
  const name = formatCredentialKey(asked);
  // The previous holder of the lease may have renewed it.
  const record = await store.get(asked);
  if (!record || record.type !== "oauth") return { type: "gone" };
  const secret = await open(parts, record);
  if (holds(record)) return asFresh(record, secret);
  if (textIn(secret, "refresh") === "" || refused.get(name) === record.version) return { type: "refused" };

  const outcome = await withinTime(clock, (signal) => oauth.refresh(record.provider, secret, signal));
  if (outcome.type === "refused") refused.set(name, record.version);
  if (outcome.type !== "renewed") return outcome;
  const renewed = { ...secret, ...definedOnly(outcome.secret) };
  hideSecret(redactor, record.id, renewed);
  const sealed = await sealSecret(box, sealName(tenantId, record), renewed);
  const written = await store.renew(record, { sealed, expiresAt: expiresAtOf(renewed) });
  if (written) return asFresh(written, renewed);
  // Its person has logged in again meanwhile, or out.
  const present = await store.get(asked);
  return present ? asFresh(present, await open(parts, present)) : { type: "gone" };
}

async function open(
  { box, redactor, tenantId }: Pick<RenewerParts, "box" | "redactor" | "tenantId">,
  record: CredentialRecord,
): Promise<CredentialSecret> {
  const secret = await unsealSecret(box, sealName(tenantId, record), record.sealed);
  hideSecret(redactor, record.id, secret);
  return secret;
}

const isFresh = ({ expiresAt }: CredentialRecord, clock: Clock): boolean =>
  expiresAt === null || Date.parse(expiresAt) - marginMs > clock.now();

const asFresh = ({ version }: CredentialRecord, secret: CredentialSecret): Renewal => ({
  type: "fresh",
  secret,
  version,
});

/** Whether it was renewed just now; one that was only stored may have come with a token of any age. */
const isNew = ({ createdAt, updatedAt }: CredentialRecord, clock: Clock): boolean =>
  updatedAt !== createdAt && clock.now() - Date.parse(updatedAt) < newForMs;

/** A digest, because the row of a lease outlives the credential, and its name may be that of a person. */
const leaseName = (record: CredentialRecord): string =>
  `credential:${createHash("sha256").update(formatCredentialKey(record)).digest("hex").slice(0, 32)}`;

async function withinTime<Result>(
  clock: Clock,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const done = new AbortController();
  clock.sleep(patienceMs, done.signal).then(
    () => late.abort(),
    () => undefined, // it was done in time
  );
  try {
    return await work(late.signal);
  } finally {
    done.abort();
  }
}

function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** A provider that does not rotate its refresh token sends none: then the old one stays. */
const definedOnly = (secret: CredentialSecret): CredentialSecret =>
  Object.fromEntries(Object.entries(secret).filter(([, value]) => value !== undefined && value !== ""));
