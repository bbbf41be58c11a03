/**
 * Literal secrets on their way into the config: they go to the store, and the config gets a handle. Each gets a name
 * that was never used for anything else, so that the former secret is still there when the change is reverted.
 */
import { createHash } from "node:crypto";
import { formatPath, readPath, withPath, type ConfigPath } from "@pincer/sdk";
import { openConfigHistory } from "./config-history.ts";
import { diskFailure } from "./disk-failure.ts";
import type { Home } from "./home.ts";
import { parseConfig } from "./parse-config.ts";
import { readIfThere } from "./read-regular-file.ts";
import { configShape } from "./schema.ts";
import { findLiteralSecretsAt, isHandle, referredSecrets } from "./secret-keys.ts";
import type { Secrets } from "./secrets.ts";

export interface Setting {
  path: ConfigPath;
  value: unknown;
}

export interface StoredLiteral {
  path: string;
  name: string;
  /** The secret that the config named here until now; it stays stored, for a revert. */
  former?: string;
}

export interface LiteralStore {
  home: Pick<Home, "configFile" | "configHistoryDir">;
  secrets: Pick<Secrets, "add" | "remove" | "resolve" | "values">;
}

export interface StoredSettings {
  /** With handles where the literals were. */
  settings: Setting[];
  stored: StoredLiteral[];
  /** Removes again what was stored, except what the config refers to by now. */
  takeBack(): Promise<void>;
}

/** Throws as Secrets does; nothing is stored then. */
export async function storeLiterals(store: LiteralStore, settings: Setting[]): Promise<StoredSettings> {
  const { home, secrets } = store;
  const stored: StoredLiteral[] = [];
  const takeBack = async () => {
    const text = await readPresent(home.configFile);
    const inUse = referredSecrets(text);
    for (const { name } of stored) if (!inUse.has(name)) await secrets.remove(name);
  };
  try {
    const names = new Map<string, string>();
    const literals = literalsIn(settings);
    const known = literals.length > 0 ? await readKnown(home) : undefined;
    for (const { path, value } of known ? literals : []) {
      const former = known?.handleAt(path);
      const isSame = former !== undefined && (await valueOf(secrets, former)) === value;
      const name = isSame ? former : await secrets.add(nameFor(path), value, known?.names);
      names.set(formatPath(path), name);
      if (!isSame) stored.push({ path: formatPath(path), name, ...(former !== undefined && { former }) });
    }
    const handled = withHandles(settings, (path) => names.get(formatPath(path)) ?? nameFor(path));
    return { settings: handled, stored, takeBack };
  } catch (error) {
    await takeBack().catch(() => undefined);
    throw error;
  }
}

/** The settings with `secret:NAME` in place of each literal secret. */
export function withHandles(settings: Setting[], name: (path: ConfigPath) => string = nameFor): Setting[] {
  return settings.map(({ path, value }) => ({
    path,
    value: findLiteralSecretsAt(configShape, path, value).reduce<unknown>(
      (kept, inner) => withPath(kept, inner, `secret:${name([...path, ...inner])}`),
      value,
    ),
  }));
}

const literalsIn = (settings: Setting[]) =>
  settings.flatMap(({ path, value }) =>
    findLiteralSecretsAt(configShape, path, value).map((inner) => ({
      path: [...path, ...inner],
      value: String(readPath(value, inner)),
    })),
  );

/** What the config names, and every name that it or its history ever used. */
async function readKnown(home: LiteralStore["home"]) {
  const text = await readPresent(home.configFile);
  const changes = await openConfigHistory(home.configHistoryDir).list();
  const names = new Set(
    [text, ...changes.map((change) => change.text ?? "")].flatMap((each) => [...referredSecrets(each)]),
  );
  const parsed = parseConfig(text);
  const handleAt = (path: ConfigPath): string | undefined => {
    const handle = parsed.type === "parsed" ? readPath(parsed.value, path) : undefined;
    const isOurs = typeof handle === "string" && isHandle(handle) && handle.startsWith("secret:");
    return isOurs ? handle.slice("secret:".length) : undefined;
  };
  return { names, handleAt };
}

async function valueOf(secrets: LiteralStore["secrets"], name: string): Promise<string | undefined> {
  // One that is gone or cannot be opened is another value than the one given.
  return secrets.resolve(`secret:${name}`).catch(() => undefined);
}

function nameFor(path: ConfigPath): string {
  const plain = path
    .join(".")
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "");
  const isFaithful = plain === path.join(".") && plain.length <= 64;
  if (isFaithful) return plain;
  return `${plain.slice(0, 50) || "secret"}-${createHash("sha256").update(formatPath(path)).digest("hex").slice(0, 8)}`;
}

async function readPresent(file: string): Promise<string> {
  try {
    return (await readIfThere(file)) ?? "";
  } catch (error) {
    throw diskFailure(error, file);
  }
}
