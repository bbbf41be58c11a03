/**
 * Which values are secrets. The schema says it for the keys it knows; for keys that connectors bring along, the
 * name or the look of the value decides, rather once too often than once too rarely.
 */
import { isTable, type ConfigPath } from "@pincer/sdk";
import { childShape } from "./check-config.ts";
import type { Shape } from "./schema/keys.ts";

export const mask = "***";

/** Not secrets themselves: they only say where the secret is. */
export const isHandle = (text: string): boolean =>
  /^secret:[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) || /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(text);

/** Names of the secrets that a text of the config refers to, comments included. */
export const referredSecrets = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/secret:([A-Za-z0-9][A-Za-z0-9._-]{0,63})/g), ([, name = ""]) => name));

/** Paths of all literal secrets in a value of the schema. */
export const findLiteralSecrets = (shape: Shape, value: unknown): ConfigPath[] =>
  findLiteralSecretsAt(shape, [], value);

/** The same for a value that is to stand at `base`; the paths begin there. */
export const findLiteralSecretsAt = (shape: Shape, base: ConfigPath, value: unknown): ConfigPath[] =>
  [...leavesOf(value, [])]
    .filter((leaf) => isLiteralSecret(shape, [...base, ...leaf.path], leaf.value))
    .map((leaf) => leaf.path);

/** A path segment that is shown to people: keys can hold secrets too, by mistake. */
export const showableSegment = (segment: string | number): string | number =>
  typeof segment === "string" && looksSecret(segment) ? mask : segment;

const secretName =
  /(token|secret|passw(or)?d|passphrase|api_?-?key|access_?-?key|private_?-?key|encrypt_?-?key|credentials?|authorization|cookie)s?$/i;

const wellKnown =
  /\b(sk-[A-Za-z0-9_-]{8,}|xox[a-z]-[A-Za-z0-9-]{8,}|gh[pousr]_[A-Za-z0-9]{16,}|AKIA[A-Z0-9]{12,}|AIza[A-Za-z0-9_-]{20,}|\d{6,}:[A-Za-z0-9_-]{20,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_.-]{10,})/;

/** Whether a text looks like a key: a known form, or long, without spaces, letters and digits mixed. */
const looksSecret = (text: string): boolean =>
  wellKnown.test(text) ||
  (text.length >= 20 &&
    /^[A-Za-z0-9_\-.:+/=~]+$/.test(text) &&
    /[0-9]/.test(text) &&
    /[A-Za-z]/.test(text) &&
    !/^(https?:|wss?:|[./~])/.test(text));

/** Prose (a comment) with everything that looks like a key taken out of it. */
export function maskProse(text: string): string {
  return text
    .replaceAll(new RegExp(wellKnown, "g"), mask)
    .replaceAll(
      /((?:token|secret|passw(?:or)?d|passphrase|key)["']?\s*[:=]\s*)(["'])(?!secret:|\$\{)[^"'\n]+\2/gi,
      `$1$2${mask}$2`,
    )
    .replaceAll(/[A-Za-z0-9_\-.:+/=~]{20,}/g, (word) => (looksSecret(word) ? mask : word));
}

/** Whether the literal at this path has to be hidden. */
export function isLiteralSecret(shape: Shape, path: ConfigPath, value: unknown): boolean {
  if (value === null || typeof value === "boolean" || value === "") return false;
  if (typeof value === "string" && isHandle(value)) return false;
  let present: Shape | undefined = shape;
  let isForeign = false;
  for (const segment of path) {
    present = present && childShape(present, segment);
    isForeign = !present || (present.type === undefined && !present.enum && !present.anyOf);
    if (present?.secret || (isForeign && secretName.test(String(segment)))) return true;
  }
  // Pasted into the wrong place: a key that knows its choices has no other use for such a text.
  const isMisplaced = isForeign || (present?.enum !== undefined && !present.enum.includes(value));
  return isMisplaced && typeof value === "string" && looksSecret(value);
}

function* leavesOf(value: unknown, path: ConfigPath): Generator<{ path: ConfigPath; value: unknown }> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* leavesOf(item, [...path, index]);
  else if (isTable(value))
    for (const [name, item] of Object.entries(value)) yield* leavesOf(item, [...path, name]);
  else yield { path, value };
}
