/** Addresses in the config that carry a secret: a name and password before the host, or a key behind the question mark. */
import type { ConfigPath } from "@pincer/sdk";
import { mask } from "./secret-keys.ts";

export interface SecretAddress {
  path: ConfigPath;
  /** What of it must not be shown. */
  values: string[];
  /** The address as it may be shown. */
  masked: string;
}

/** Every text of the config that is such an address, whatever its key is called. */
export function findSecretAddresses(value: unknown, path: ConfigPath = []): SecretAddress[] {
  if (typeof value === "string") return readAddress(value, path);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    findSecretAddresses(each, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** The same in a text that has addresses in it, as a file of the config or what became of it: also where strokes are escaped, and in comments. */
export const hideInAddresses = (text: string): string =>
  text.replaceAll(/[a-z][a-z0-9+.-]*:(?:\\?\/){2}[^\s"'`<>]+/gi, (found) => {
    const [address] = readAddress(found.replaceAll("\\/", "/"), []);
    return address?.masked ?? found;
  });

function readAddress(text: string, path: ConfigPath): SecretAddress[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return [];
  const url = URL.parse(text);
  if (!url) return [];
  const asked = [...url.searchParams].filter(([, value]) => value !== "");
  const given = [url.password || url.username].filter(Boolean);
  if (asked.length + given.length === 0) return [];
  const values = [...given.flatMap((value) => [value, decoded(value)]), ...asked.map(([, value]) => value)];
  if (url.password) url.password = mask;
  else if (url.username) url.username = mask;
  for (const [name] of asked) url.searchParams.set(name, mask);
  return [{ path, values: [...new Set(values)], masked: url.href }];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded: it is what it is.
    return text;
  }
}
