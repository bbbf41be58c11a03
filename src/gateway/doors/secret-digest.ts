/** Secrets that let somebody in: 256 bits of chance each, kept only as a digest, compared so that the time taken tells nothing. */
import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

export const accessTokenPrefix = "pin_";

export const makeSecret = (): string => randomBytes(32).toString("base64url");

/** Good for secrets of 256 bits; a password could be guessed from it. */
export const digestOf = (secret: string): string => hash("sha256", secret);

/** Says of a secret that it is still the same one, without telling it to whoever does not have the key. */
export const markOf = (key: string, secret: string): string =>
  createHmac("sha256", key).update(secret).digest("hex");

/** Compares texts of any length; how long it takes says nothing about what is expected. */
export const isSameSecret = (shown: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(shown)), Buffer.from(digestOf(expected)));
