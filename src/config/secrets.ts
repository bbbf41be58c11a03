/**
 * Secrets live here, encrypted, and nowhere else: config refers to one as `secret:NAME`, and its value is fetched
 * where it is used. No value ever stands in an error, and listing decrypts nothing.
 */
import { hkdfSync, randomBytes } from "node:crypto";
import { systemClock, timestamp, type Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import type { Environment } from "./environment-layer.ts";
import type { Home } from "./home.ts";
import { withHomeLock } from "./home-lock.ts";
import { readIfThere } from "./read-regular-file.ts";
import { createSecretBox, type SecretBox } from "./secret-box.ts";
import {
  ensureKeyFile,
  isWholeKey,
  keyFromText,
  locked,
  readKeyFile,
  seal,
  unseal,
  type SealedValue,
} from "./secret-cipher.ts";
import { replacePrivateFile } from "./write-private-file.ts";

export interface Secrets {
  /** Stores or replaces. Throws secret/bad-name, secret/locked; nothing is written then. */
  set(name: string, value: string): Promise<void>;
  /**
   * Stores under this name, or under NAME-2, NAME-3 and so on when it is taken: nothing is replaced. Gives the name.
   * `taken` are further names not to use. Throws as `set`.
   */
  add(name: string, value: string, taken?: ReadonlySet<string>): Promise<string>;
  /** False when there was none. */
  remove(name: string): Promise<boolean>;
  /** By name; decrypts nothing and needs no key. */
  list(): Promise<Array<{ name: string; createdAt: string }>>;
  /** The value behind `secret:NAME`; any other text is its own value. Throws secret/not-found, secret/locked. */
  resolve(reference: string): Promise<string>;
  /** All values, for taking them out of what is written. Throws secret/locked. */
  values(): Promise<Array<{ name: string; value: string }>>;
  /** The same key for what is kept elsewhere. */
  box: SecretBox;
  /**
   * A key made of it for one purpose, which tells nothing about it. Where there is no key yet, `make` makes one; a key that is there opens what is
   * there, or it throws secret/locked.
   */
  derive(purpose: string, whenMissing: "make" | "refuse"): Promise<Buffer>;
}

const longestName = 64;
export const secretNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

interface SecretsFile {
  version: 1;
  /** For a key made from a passphrase. */
  salt: string;
  /** Opens with the right key only, so that a second key never gets mixed in. */
  check: SealedValue;
  secrets: Record<string, SealedValue & { createdAt: string }>;
}

const checkName = "pincer key check";

export function openSecrets(parts: {
  home: Pick<Home, "root" | "secretsFile" | "secretKeyFile">;
  environment: Environment;
  clock?: Clock;
}): Secrets {
  const { home, environment, clock = systemClock } = parts;
  const keys = new Map<string, Buffer>();

  async function keyFor(salt: string, whenMissing: "make" | "refuse"): Promise<Buffer> {
    const text = environment["PINCER_SECRET_KEY"];
    if (!text) {
      const key =
        whenMissing === "make"
          ? await ensureKeyFile(home.secretKeyFile)
          : await readKeyFile(home.secretKeyFile);
      if (!key) throw locked("no-key");
      return key;
    }
    // Deriving from a passphrase is slow on purpose: once per salt is enough.
    const key = keys.get(salt) ?? (await keyFromText(text, Buffer.from(salt, "base64")));
    keys.set(salt, key);
    return key;
  }

  async function openFile(): Promise<{ file: SecretsFile; key: Buffer } | undefined> {
    const file = await readSecretsFile(home.secretsFile);
    if (!file) return undefined;
    const key = await keyFor(file.salt, "refuse");
    unseal(key, checkName, file.check);
    return { file, key };
  }

  async function begin(): Promise<{ file: SecretsFile; key: Buffer }> {
    const salt = randomBytes(16).toString("base64");
    const key = await keyFor(salt, "make");
    return { key, file: { version: 1, salt, check: seal(key, checkName, "pincer"), secrets: {} } };
  }

  /** The key that fits the file; a file begun for it holds no secret yet, only the salt and the check. */
  async function keyOfFile(whenMissing: "make" | "refuse"): Promise<Buffer> {
    const opened = await openFile();
    if (opened) return opened.key;
    if (whenMissing === "refuse") throw locked("no-key");
    return withHomeLock(home.root, clock, async () => {
      const { file, key } = (await openFile()) ?? (await begin());
      await write(file);
      return key;
    });
  }

  /** Without a file of secrets the key alone: only a passphrase needs the salt of one. */
  async function ownKey(whenMissing: "make" | "refuse"): Promise<Buffer> {
    const opened = await openFile();
    if (opened) return opened.key;
    const text = environment["PINCER_SECRET_KEY"];
    return text && !isWholeKey(text) ? keyOfFile(whenMissing) : keyFor("", whenMissing);
  }

  const write = (file: SecretsFile) =>
    replacePrivateFile(home.secretsFile, `${JSON.stringify(file, null, 2)}\n`);

  /** `choose` is asked under the lock. */
  const store = (value: string, choose: (stored: SecretsFile["secrets"]) => string) =>
    withHomeLock(home.root, clock, async () => {
      const { file, key } = (await openFile()) ?? (await begin());
      const name = choose(file.secrets);
      const sealed = { ...seal(key, name, value), createdAt: timestamp(clock) };
      await write({ ...file, secrets: { ...file.secrets, [name]: sealed } });
      return name;
    });

  return {
    async set(name, value) {
      assertName(name);
      await store(value, () => name);
    },
    async add(name, value, taken = new Set()) {
      assertName(name);
      return store(value, (stored) =>
        freeName(name, (candidate) => Object.hasOwn(stored, candidate) || taken.has(candidate)),
      );
    },
    remove(name) {
      assertName(name);
      return withHomeLock(home.root, clock, async () => {
        const file = await readSecretsFile(home.secretsFile);
        if (!file || !Object.hasOwn(file.secrets, name)) return false;
        const { [name]: _removed, ...secrets } = file.secrets;
        await write({ ...file, secrets });
        return true;
      });
    },
    async list() {
      const file = await readSecretsFile(home.secretsFile);
      return Object.entries(file?.secrets ?? {})
        .map(([name, { createdAt }]) => ({ name, createdAt }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async resolve(reference) {
      if (!reference.startsWith("secret:")) return reference;
      const name = reference.slice("secret:".length);
      assertName(name);
      const opened = await openFile();
      const sealed =
        opened && Object.hasOwn(opened.file.secrets, name) ? opened.file.secrets[name] : undefined;
      if (!opened || !sealed)
        throw failure("secret/not-found", "secrets.not-found", { name }, { hint: "secrets.not-found.hint" });
      return unseal(opened.key, name, sealed);
    },
    async values() {
      const opened = await openFile();
      if (!opened) return [];
      const { file, key } = opened;
      return Object.entries(file.secrets).map(([name, sealed]) => ({
        name,
        value: unseal(key, name, sealed),
      }));
    },
    box: createSecretBox(keyOfFile),
    async derive(purpose, whenMissing) {
      const key = await ownKey(whenMissing);
      return Buffer.from(hkdfSync("sha256", key, "", `pincer ${purpose}`, 32));
    },
  };
}

function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  let name = wanted;
  for (let number = 2; isTaken(name); number++) {
    const suffix = `-${number}`;
    name = wanted.slice(0, longestName - suffix.length) + suffix;
  }
  return name;
}

/** The message does not repeat the name: people paste the secret itself there. */
function assertName(name: string): void {
  if (!secretNamePattern.test(name))
    throw failure("secret/bad-name", "secrets.bad-name", {}, { hint: "secrets.bad-name.hint" });
}

async function readSecretsFile(path: string): Promise<SecretsFile | undefined> {
  const text = await readIfThere(path).catch(() => {
    throw locked("unreadable");
  });
  if (text === undefined) return undefined;
  try {
    const file = JSON.parse(text) as SecretsFile;
    if (
      file.version === 1 &&
      isSealed(file.check) &&
      typeof file.salt === "string" &&
      Object.values(file.secrets).every(isSealed)
    )
      return file;
  } catch {
    // Falls through to the same answer as a file of another shape.
  }
  throw locked("damaged");
}

const isSealed = (value: unknown): value is SealedValue =>
  typeof value === "object" &&
  value !== null &&
  ["nonce", "data", "tag"].every((part) => typeof (value as Record<string, unknown>)[part] === "string");
