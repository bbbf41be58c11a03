/** Who speaks: an HMAC over the time and the body, as the gateway's own hooks have it. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** The tolerated clock difference, and how long an intercepted call stays valid. */
const windowMs = 300_000;

export function signedHeaders(secret: string, body: string, now: number): Record<string, string> {
  const stamp = String(Math.floor(now / 1000));
  return { "x-pincer-timestamp": stamp, "x-pincer-signature": signatureOf(secret, stamp, Buffer.from(body)) };
}

/** Seconds since the epoch; anything else is no time. Told apart from the signature, so that no body is read for nothing. */
export const isRecent = (stamp: unknown, now: number): stamp is string =>
  typeof stamp === "string" && /^\d{1,12}$/.test(stamp) && Math.abs(now - Number(stamp) * 1000) <= windowMs;

export const isSigned = (secret: string, stamp: string, body: Uint8Array, shown: unknown): boolean =>
  typeof shown === "string" && timingSafeEqual(digest(shown), digest(signatureOf(secret, stamp, body)));

const signatureOf = (secret: string, stamp: string, body: Uint8Array): string =>
  `sha256=${createHmac("sha256", secret).update(`${stamp}.`).update(body).digest("hex")}`;

/** Of equal length, whatever was shown. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
