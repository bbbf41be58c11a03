/** AES-256-GCM for single values, and the key for it: from PINCER_SECRET_KEY or from a key file of the home. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { failure } from "../infra/failure.ts";
import { readIfThere } from "./read-regular-file.ts";
import { createPrivateFile } from "./write-private-file.ts";

/** All parts in base64. */
export interface SealedValue {
  nonce: string;
  data: string;
  tag: string;
}

/** `name` is authenticated with the value: a value cannot be passed off under another name. */
export function seal(key: Buffer, name: string, value: string): SealedValue {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(name));
  const data = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return {
    nonce: nonce.toString("base64"),
    data: data.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
  };
}

/** Throws PincerError secret/locked for a wrong key and for anything that was changed or cut off. */
export function unseal(key: Buffer, name: string, { nonce, data, tag }: SealedValue): string {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"), { authTagLength: 16 })
      .setAAD(Buffer.from(name))
      .setAuthTag(Buffer.from(tag, "base64"));
    return Buffer.concat([decipher.update(Buffer.from(data, "base64")), decipher.final()]).toString("utf8");
  } catch {
    // The cause would add nothing but internals: a key either fits or does not.
    throw locked("wrong-key");
  }
}

export const locked = (
  why: "no-key" | "unreadable" | "damaged" | "wrong-key" | "key-unreadable" | "key-damaged" | "key-gone",
) => failure("secret/locked", `secrets.locked.${why}`, {}, { hint: "secrets.locked.hint" });

const inHex = /^[0-9a-f]{64}$/i;

/** Whether it is a key as it is; any other text is a passphrase. */
export const isWholeKey = (text: string): boolean => inHex.test(text) || /^[A-Za-z0-9+/_-]{43}=?$/.test(text);

/** The key from the environment; a text that is not 32 bytes of hex or base64 is a passphrase. */
export async function keyFromText(text: string, salt: Buffer): Promise<Buffer> {
  if (isWholeKey(text)) return Buffer.from(text, inHex.test(text) ? "hex" : "base64");
  return new Promise((resolve, reject) => {
    const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
    scrypt(text, salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** The key of the file; undefined when there is none. */
export async function readKeyFile(file: string): Promise<Buffer | undefined> {
  const text = await readIfThere(file).catch(() => {
    throw locked("key-unreadable");
  });
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw locked("key-damaged");
  return key;
}

/** Makes the key file; of several processes that do so at once, one makes it and all use that one. */
export async function ensureKeyFile(file: string): Promise<Buffer> {
  const present = await readKeyFile(file);
  if (present) return present;
  await createPrivateFile(file, `${randomBytes(32).toString("base64")}\n`);
  const made = await readKeyFile(file);
  if (!made) throw locked("key-gone");
  return made;
}
