/** Secrets that grant access: 256 random bits each, stored only as a digest, compared in constant time. */
import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

export const accessTokenPrefix = "pin_";

export const makeSecret = (): string => randomBytes(32).toString("base64url");

/** Good for secrets of 256 bits; a password could be guessed from it. */
export const digestOf = (secret: string): string => hash("sha256", secret);

/** Shows that a secret is still the same, without revealing it to anybody without the key. */
export const markOf = (key: string, secret: string): string =>
  createHmac("sha256", key).update(secret).digest("hex");

/** Compares texts of any length; how long it takes says nothing about what is expected. */
export const isSameSecret = (shown: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(shown)), Buffer.from(digestOf(expected)));
