/**
 * Whether the caller of a hook knows its secret. Comparisons take the same time whatever is shown, and a hook that does not exist is
 * checked like any other, against a secret that nobody has.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export type SignatureKind = "hmac" | "github" | "bearer";

export interface Signed {
  headers: IncomingHttpHeaders;
  body: Uint8Array;
  /** Milliseconds since the epoch. */
  now: number;
}

/** What was proved, as one text; another call with the same one is the same call again. Null: it proves nothing about the body. */
export interface Proof {
  statement: string | null;
}

/** How far the caller's clock may be off, and how long a signature that somebody has overheard is good for. */
export const signatureWindowMs = 300_000;

const nobodysSecret = randomBytes(32).toString("hex");

/** Undefined when it is not proved. Pure. An empty secret is none: nothing is ever proved with it. */
export function checkSignature(
  kind: SignatureKind,
  secret: string | undefined,
  signed: Signed,
): Proof | undefined {
  const key = secret === undefined || secret === "" ? nobodysSecret : secret;
  return checks[kind](key, signed);
}

const checks: Record<SignatureKind, (secret: string, signed: Signed) => Proof | undefined> = {
  hmac(secret, { headers, body, now }) {
    const stamp = textOf(headers["x-pincer-timestamp"]);
    const shown = textOf(headers["x-pincer-signature"]);
    const isSame = isEqual(shown, `sha256=${hmacOf(secret, `${stamp}.`, body)}`);
    return isSame && isRecent(stamp, now) ? { statement: `${stamp}.${shown}` } : undefined;
  },
  github(secret, { headers, body }) {
    const shown = textOf(headers["x-hub-signature-256"]);
    return isEqual(shown, `sha256=${hmacOf(secret, "", body)}`) ? { statement: shown } : undefined;
  },
  bearer(secret, { headers }) {
    return isEqual(textOf(headers["authorization"]), `Bearer ${secret}`) ? { statement: null } : undefined;
  },
};

/** Seconds since the epoch; anything else is no time. */
const isRecent = (stamp: string, now: number): boolean =>
  /^\d{1,12}$/.test(stamp) && Math.abs(now - Number(stamp) * 1000) <= signatureWindowMs;

const hmacOf = (secret: string, prefix: string, body: Uint8Array): string =>
  createHmac("sha256", secret).update(prefix).update(body).digest("hex");

/** Over digests, so that not even the length of what is expected can be told by the time it takes. */
const isEqual = (shown: string, expected: string): boolean =>
  timingSafeEqual(digest(shown), digest(expected));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const textOf = (header: string | string[] | undefined): string => (typeof header === "string" ? header : "");
