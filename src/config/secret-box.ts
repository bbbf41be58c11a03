/** Seals single values under the key of the secrets, for values that are not stored in the secrets file. */
import { locked, seal, unseal, type SealedValue } from "./secret-cipher.ts";

export interface SecretBox {
  /** A text to store; the value can be read only with the same name and the key. Throws secret/locked. */
  seal(name: string, value: string): Promise<string>;
  /** Throws secret/locked for another key, another name, and a text that was changed or cut off. */
  unseal(name: string, sealed: string): Promise<string>;
}

/** `key` makes one where there is none yet and it is asked to; it throws secret/locked. */
export const createSecretBox = (key: (whenMissing: "make" | "refuse") => Promise<Buffer>): SecretBox => ({
  async seal(name, value) {
    const { nonce, data, tag } = seal(await key("make"), name, value);
    return [version, nonce, data, tag].join(".");
  },
  async unseal(name, sealed) {
    return unseal(await key("refuse"), name, parse(sealed));
  },
});

/** Remembers what it has opened, one value per name, so that the key is not fetched for each request. */
export function rememberOpened(box: SecretBox): SecretBox {
  const opened = new Map<string, { sealed: string; value: string }>();
  return {
    seal: box.seal,
    async unseal(name, sealed) {
      const known = opened.get(name);
      if (known?.sealed === sealed) return known.value;
      const value = await box.unseal(name, sealed);
      opened.set(name, { sealed, value });
      return value;
    },
  };
}

const version = "1";

function parse(text: string): SealedValue {
  const [given, nonce, data, tag, ...rest] = text.split(".");
  if (given !== version || nonce === undefined || data === undefined || tag === undefined || rest.length > 0)
    throw locked("damaged");
  return { nonce, data, tag };
}
