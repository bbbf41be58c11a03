/**
 * The key of this browser, with which it asks for access: created once, kept by the browser, and never exported, not
 * even to us.
 */

export interface OwnKey {
  /** Ed25519, raw, base64url. */
  publicKey: string;
  /** Over a text, base64url. */
  sign(statement: string): Promise<string>;
}

const database = "pincer";
const keyStore = "keys";
const name = "browser";

/** Whether this browser can have one: older ones cannot, and none can on pages without https. */
export const canHaveKey = (): boolean =>
  globalThis.isSecureContext && "subtle" in crypto && "indexedDB" in globalThis;

/** Throws where the browser cannot. */
export async function openOwnKey(): Promise<OwnKey> {
  const database = await openKeyDatabase();
  try {
    const pair = (await read(database)) ?? (await make(database));
    const publicKey = base64url(await crypto.subtle.exportKey("raw", pair.publicKey));
    return {
      publicKey,
      sign: async (statement) =>
        base64url(await crypto.subtle.sign("Ed25519", pair.privateKey, new TextEncoder().encode(statement))),
    };
  } finally {
    database.close();
  }
}

async function make(database: IDBDatabase): Promise<CryptoKeyPair> {
  // Not to be taken out again: only used.
  const pair = (await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])) as CryptoKeyPair;
  await settled(database.transaction(keyStore, "readwrite").objectStore(keyStore).put(pair, name));
  return pair;
}

const read = (database: IDBDatabase): Promise<CryptoKeyPair | undefined> =>
  settled(
    database.transaction(keyStore).objectStore(keyStore).get(name) as IDBRequest<CryptoKeyPair | undefined>,
  );

function openKeyDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(database, 1);
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(keyStore));
  return settled(opening);
}

const settled = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("the browser keeps nothing")));
  });

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
