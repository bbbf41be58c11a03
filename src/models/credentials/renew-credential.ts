/**
 * Renews access tokens. Refresh tokens are often good for one exchange only, so each is exchanged by one renewer: those in this
 * process share its answer, those in other processes wait for its lease and then read what it wrote.
 */
import type { SecretBox } from "../../config/secret-box.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { createHash } from "node:crypto";
import { formatCredentialKey } from "../../storage/credential-key.ts";
import type { CredentialRecord, CredentialStore } from "../../storage/credentials.ts";
import type { SessionLeases } from "../../storage/session-lease.ts";
import {
  expiresAtOf,
  hideSecret,
  sealName,
  sealSecret,
  textIn,
  unsealSecret,
  type CredentialSecret,
} from "./credential-secret.ts";
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
  | { type: "fresh"; secret: CredentialSecret }
  | { type: "refused" | "unavailable" | "gone" };

export interface Renewer {
  /** The secret with an access token that holds. Aborting ends the waiting, not the exchange. Throws what storage, box and signal do. */
  fresh(record: CredentialRecord, signal: AbortSignal): Promise<Renewal>;
}

const marginMs = 60_000;
const patienceMs = 60_000;

export function createRenewer(parts: RenewerParts): Renewer {
  const running = new Map<string, Promise<Renewal>>();
  /** Versions that the provider has refused: asking again with the same token would only be refused again. */
  const refused = new Map<string, number>();

  return {
    async fresh(record, signal) {
      signal.throwIfAborted();
      if (isFresh(record, parts.clock)) return { type: "fresh", secret: await open(parts, record) };
      const name = formatCredentialKey(record);
      const present =
        running.get(name) ??
        renewAlone(parts, record, refused).finally(() => {
          running.delete(name);
        });
      running.set(name, present);
      return untilAborted(present, signal);
    },
  };
}

async function renewAlone(
  parts: RenewerParts,
  record: CredentialRecord,
  refused: Map<string, number>,
): Promise<Renewal> {
  const work = () => renewUnderLease(parts, record, refused);
  if (!parts.leases) return work();
  try {
    return await parts.leases.hold(leaseName(record), work);
  } catch (error) {
    if ((error as { code?: string }).code === "session/busy") return { type: "unavailable" };
    throw error;
  }
}

async function renewUnderLease(
  parts: RenewerParts,
  asked: CredentialRecord,
  refused: Map<string, number>,
): Promise<Renewal> {
  const { store, box, oauth, clock, redactor, tenantId } = parts;
  const name = formatCredentialKey(asked);
  // Whoever held the lease before may have renewed it.
  const record = await store.get(asked);
  if (!record || record.type !== "oauth") return { type: "gone" };
  const secret = await open(parts, record);
  if (isFresh(record, clock)) return { type: "fresh", secret };
  if (textIn(secret, "refresh") === "" || refused.get(name) === record.version) return { type: "refused" };

  const outcome = await withinTime(clock, (signal) => oauth.refresh(record.provider, secret, signal));
  if (outcome.type === "refused") refused.set(name, record.version);
  if (outcome.type !== "renewed") return outcome;
  const renewed = { ...secret, ...definedOnly(outcome.secret) };
  hideSecret(redactor, record.id, renewed);
  const sealed = await sealSecret(box, sealName(tenantId, record), renewed);
  const written = await store.renew(record, { sealed, expiresAt: expiresAtOf(renewed) });
  if (written) return { type: "fresh", secret: renewed };
  // Its person has logged in again meanwhile, or out.
  const present = await store.get(asked);
  return present ? { type: "fresh", secret: await open(parts, present) } : { type: "gone" };
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
