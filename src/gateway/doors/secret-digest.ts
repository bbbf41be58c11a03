/** Secrets that let somebody in: 256 bits of chance each, kept only as a digest, compared so that the time taken tells nothing. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export const accessTokenPrefix = "pin_";

export const makeSecret = (): string => randomBytes(32).toString("base64url");

/** Good for secrets of 256 bits; a password could be guessed from it. */
export const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Says of a secret that it is still the same one, without telling it to whoever does not have the key. */
export const markOf = (key: string, secret: string): string =>
  createHmac("sha256", key).update(secret).digest("hex");

/** Of texts of any length, in the same time for every one of them. */
export const isSameSecret = (shown: string, expected: string): boolean =>
  timingSafeEqual(
    createHash("sha256").update(shown).digest(),
    createHash("sha256").update(expected).digest(),
  );
