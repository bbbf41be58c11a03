/**
 * The public keys of an identity provider, from its address or from a file. They are cached, and fetched again when a
 * token names an unknown key; at most every half a minute, no matter who sends such tokens.
 */
import { stat } from "node:fs/promises";
import type { JSONWebKeySet } from "jose";
import { readRegularFile } from "../../config/read-regular-file.ts";
import type { Clock } from "../../infra/clock.ts";
import { createJsonAsker } from "../../memory/embedders/ask-json.ts";

export interface KeySource {
  /** Those that are known; `anew`: one that is missing may be there by now. Throws where there are none to be had. */
  keys(anew?: boolean): Promise<JSONWebKeySet>;
}

/** Gives the text of a set of keys. */
export type ReadKeys = () => Promise<string>;

const goodForMs = 10 * 60_000;
const atMostEveryMs = 30_000;
/** While the provider cannot be reached. */
const stillGoodForMs = 24 * 3_600_000;
const mostBytes = 256 * 1024;
const mostKeys = 100;

export function createKeySource({
  read,
  clock,
}: {
  read: ReadKeys;
  clock: Pick<Clock, "monotonic">;
}): KeySource {
  let kept: { set: JSONWebKeySet; atMs: number } | undefined;
  let triedMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function readAgain(): Promise<void> {
    triedMs = clock.monotonic();
    try {
      kept = { set: parseKeys(await read()), atMs: clock.monotonic() };
    } catch (error) {
      if (!kept || clock.monotonic() - kept.atMs > stillGoodForMs) throw error;
    }
  }

  return {
    async keys(anew = false) {
      const isOld = !kept || clock.monotonic() - kept.atMs > goodForMs;
      const mayAsk = clock.monotonic() - triedMs >= atMostEveryMs;
      if ((isOld || anew) && (mayAsk || reading)) {
        reading ??= readAgain().finally(() => (reading = undefined));
        await reading;
      }
      if (!kept || clock.monotonic() - kept.atMs > stillGoodForMs) throw new Error("there are no keys");
      return kept.set;
    },
  };
}

/** No redirect is followed; over the open network only https. */
export function readKeysFrom(url: string, clock: Clock): ReadKeys {
  const asker = createJsonAsker({ clock, maxBytes: mostBytes });
  return async () => {
    const { protocol, hostname } = new URL(url);
    if (protocol !== "https:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname)) {
      throw new Error("keys are only read over https");
    }
    const signal = new AbortController().signal;
    const { status, body } = await asker.ask({ url, headers: {}, timeoutMs: 5000, signal });
    if (status !== 200) throw new Error(`the address of the keys answered ${status}`);
    return body;
  };
}

export function readKeysOf(file: string): ReadKeys {
  return async () => {
    if ((await stat(file)).size > mostBytes) throw new RangeError("the file of the keys is too large");
    return readRegularFile(file);
  };
}

/** Public keys only: with a shared secret among them, a verifier of tokens could forge one. */
function parseKeys(text: string): JSONWebKeySet {
  const value = JSON.parse(text) as { keys?: unknown };
  if (!Array.isArray(value.keys) || value.keys.length > mostKeys) throw new Error("this is no set of keys");
  const keys = value.keys.filter(
    (key): key is JSONWebKeySet["keys"][number] =>
      typeof key === "object" &&
      key !== null &&
      ["RSA", "EC", "OKP"].includes(String(key.kty)) &&
      !("d" in key),
  );
  return { keys };
}
