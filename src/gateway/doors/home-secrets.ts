/**
 * The home token and the password of the page, always current: read for each use, so that a changed one stops working
 * at once. The secrets file is parsed again only if it changed.
 */
import { statSync } from "node:fs";
import { asPincerError } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import type { Secrets } from "../../config/secrets.ts";
import { makeSecret } from "./secret-digest.ts";

export interface HomeSecrets {
  /** The config's, or one that is made once and kept in the home. Throws `secret/…` where it cannot be read: then it lets nobody in. */
  token(): Promise<string>;
  /** Undefined where the config has none. Throws as `token`. */
  password(): Promise<string | undefined>;
}

/** Where the token is kept that nobody chose. */
export const homeTokenSecret = "gateway-token";

export function createHomeSecrets({
  config,
  secrets,
  secretsFile,
  onMade,
}: {
  /** As it is now. */
  config(): Pick<Config, "gateway">;
  secrets: Pick<Secrets, "resolve" | "add" | "remove">;
  secretsFile: string;
  /** Told of a token that was made, so that it is taken out of everything that is written. */
  onMade?(name: string, value: string): void;
}): HomeSecrets {
  const read = new Map<string, { stamp: string; value: string }>();
  let making: Promise<string> | undefined;

  async function resolve(reference: string): Promise<string> {
    const stamp = stampOf(secretsFile);
    const known = read.get(reference);
    if (known?.stamp === stamp) return known.value;
    const value = await secrets.resolve(reference);
    // One that changes while it is read is read again the next time.
    if (read.size > 20) read.clear();
    read.set(reference, { stamp, value });
    return value;
  }

  async function make(): Promise<string> {
    const value = makeSecret();
    const name = await secrets.add(homeTokenSecret, value);
    if (name === homeTokenSecret) {
      onMade?.(name, value);
      return value;
    }
    // Another process was faster.
    await secrets.remove(name);
    return secrets.resolve(`secret:${homeTokenSecret}`);
  }

  return {
    async token() {
      const { token } = config().gateway.auth;
      if (token !== undefined) return resolve(token);
      try {
        return await resolve(`secret:${homeTokenSecret}`);
      } catch (error) {
        if (asPincerError(error).code !== "secret/not-found") throw error;
        making ??= make().finally(() => (making = undefined));
        return making;
      }
    },
    async password() {
      const { password } = config().gateway.auth;
      return password === undefined ? undefined : resolve(password);
    },
  };
}

/** Another one for another file, or for the same one when it was written. */
function stampOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : "";
}
