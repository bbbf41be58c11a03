/**
 * Checks a value against the schema. One walk finds bad values and unknown keys with their paths, so that a message
 * can name the key and what was expected, and returns the value without unknown keys.
 */
import { closest, distance } from "fastest-levenshtein";
import { isTable, type ConfigPath } from "@pincer/sdk";
import { inBothLanguages, type Wording } from "./in-both-languages.ts";
import { addressPattern, fillsItself, type Shape } from "./schema/keys.ts";
import { likelyTimeZones, timeZoneOf } from "./time-zones.ts";

export type Finding =
  | { type: "bad-value"; path: ConfigPath; expected: Wording }
  /** Not on the list of what is known today; it is kept. */
  | { type: "unlisted-value"; path: ConfigPath; expected: Wording }
  | { type: "unknown-key"; path: ConfigPath; nearest: string | undefined };

export interface Checked {
  /** A copy without the unknown keys; fits the schema when no finding is a bad value. */
  value: unknown;
  findings: Finding[];
}

/** `complete` wants every required key; `partial` leaves out what defaults will fill. */
export function checkConfig(shape: Shape, value: unknown, demand: "complete" | "partial"): Checked {
  const findings: Finding[] = [];
  return { value: check(shape, value, [], findings, demand), findings };
}

/** The value with every default filled in, groups that defaults can fill included. */
export function fillDefaults(shape: Shape, value: unknown): unknown {
  if (value === undefined) {
    if (shape.default !== undefined) return structuredClone(shape.default);
    return fillsItself(shape) ? fillDefaults(shape, {}) : undefined;
  }
  if (Array.isArray(value)) {
    const { items } = shape;
    return items ? value.map((item) => fillDefaults(items, item)) : value;
  }
  if (!isTable(value) || shape.anyOf) return value;
  const filled: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const inner = childShape(shape, name);
    filled[name] = inner ? fillDefaults(inner, item) : item;
  }
  for (const name of shape.required ?? []) {
    if (Object.hasOwn(filled, name)) continue;
    const item = fillDefaults(shape.properties?.[name] ?? {}, undefined);
    if (item !== undefined) filled[name] = item;
  }
  return filled;
}

/** The schema of a key inside a group or list; undefined where the key is unknown. */
export function childShape(shape: Shape, name: string | number): Shape | undefined {
  if (shape.items && /^\d+$/.test(String(name))) return shape.items;
  if (shape.properties && Object.hasOwn(shape.properties, name)) return shape.properties[name];
  for (const pattern in shape.patternProperties) return shape.patternProperties[pattern];
  if (shape.anyOf) {
    for (const option of shape.anyOf) {
      const inner = childShape(option, name);
      if (inner) return inner;
    }
    return undefined;
  }
  // No `type` at all is "anything", and so is whatever lies inside it.
  return shape.additionalProperties === true || shape.type === undefined ? {} : undefined;
}

/** The schema at a path; undefined where the path leads nowhere. */
export function shapeAt(shape: Shape, path: ConfigPath): Shape | undefined {
  let present: Shape | undefined = shape;
  for (const segment of path) {
    if (!present || present.enum) return undefined;
    present = childShape(present, segment);
  }
  return present;
}

/** The known name that was probably meant. */
export function nearestName(name: string, known: string[]): string | undefined {
  if (known.length === 0 || name.length > 64) return undefined;
  const nearest = closest(
    name.toLowerCase(),
    known.map((candidate) => candidate.toLowerCase()),
  );
  const original = known.find((candidate) => candidate.toLowerCase() === nearest);
  return original && distance(name.toLowerCase(), nearest) <= Math.max(2, original.length / 3)
    ? original
    : undefined;
}

/** The path with the first name that nobody knows replaced by the one that was probably meant. */
export function nearestPath(shape: Shape, path: ConfigPath): ConfigPath | undefined {
  const depth = path.findIndex((_, index) => !shapeAt(shape, path.slice(0, index + 1)));
  if (depth === -1) return undefined;
  const known = Object.keys(shapeAt(shape, path.slice(0, depth))?.properties ?? {});
  const nearest = nearestName(String(path[depth]), known);
  return nearest === undefined ? undefined : [...path.slice(0, depth), nearest, ...path.slice(depth + 1)];
}

/** What a key wants, for people; where there is much to choose from, something like the value that it was given. */
export function describeShape(shape: Shape, given: unknown = ""): Wording {
  const { minimum, maximum } = shape;
  if (shape.timeZone) {
    const names = likelyTimeZones(String(given)).join(", ");
    return { key: "config.expected.time-zone", parameters: { names } };
  }
  const options = shape.enum ?? shape.listed;
  if (options) {
    const values = options.map((option) => JSON.stringify(option)).join(", ");
    return { key: "config.expected.one-of", parameters: { values } };
  }
  if (shape.anyOf) return shape.anyOf.map((option) => describeShape(option)).reduce(either);
  if (shape.type === "integer" || shape.type === "number") {
    const key = `config.expected.${shape.type}` as const;
    if (minimum === undefined) return { key, parameters: {} };
    return maximum === undefined
      ? { key: `${key}-from`, parameters: { minimum } }
      : { key: `${key}-between`, parameters: { minimum, maximum } };
  }
  if (shape.type === "boolean") return { key: "config.expected.boolean", parameters: {} };
  if (shape.pattern === addressPattern) return { key: "config.expected.address", parameters: {} };
  if (shape.type === "string")
    return shape.pattern
      ? { key: "config.expected.pattern", parameters: { pattern: shape.pattern } }
      : { key: "config.expected.string", parameters: {} };
  if (shape.type === "array")
    return shape.items?.type
      ? {
          key: "config.expected.array-of",
          parameters: inBothLanguages("item", describeShape(shape.items)),
        }
      : { key: "config.expected.array", parameters: {} };
  return { key: "config.expected.object", parameters: {} };
}

const either = (first: Wording, second: Wording): Wording => ({
  key: "config.expected.or",
  parameters: { ...inBothLanguages("first", first), ...inBothLanguages("second", second) },
});

function check(
  shape: Shape,
  value: unknown,
  path: ConfigPath,
  findings: Finding[],
  demand: "complete" | "partial",
): unknown {
  if (shape.anyOf) return checkOptions(shape, value, path, findings, demand);
  if (shape.type === "object" && isTable(value)) return checkTable(shape, value, path, findings, demand);
  if (shape.type === "array" && Array.isArray(value)) {
    const { items } = shape;
    return items ? value.map((item, index) => check(items, item, [...path, index], findings, demand)) : value;
  }
  if (!fits(shape, value)) findings.push({ type: "bad-value", path, expected: describeShape(shape) });
  else if (!isListed(shape, value))
    findings.push({ type: "unlisted-value", path, expected: describeShape(shape, value) });
  return value;
}

function isListed({ listed, timeZone }: Shape, value: unknown): boolean {
  if (timeZone) return timeZoneOf(String(value)) !== undefined;
  return listed?.includes(value as string) ?? true;
}

function checkTable(
  shape: Shape,
  value: Record<string, unknown>,
  path: ConfigPath,
  findings: Finding[],
  demand: "complete" | "partial",
): unknown {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const inner = childShape(shape, name);
    const here = [...path, name];
    if (inner) kept[name] = check(inner, value[name], here, findings, demand);
    else {
      const nearest = nearestName(name, Object.keys(shape.properties ?? {}));
      findings.push({ type: "unknown-key", path: here, nearest });
    }
  }
  for (const name of shape.required ?? []) {
    if (Object.hasOwn(kept, name)) continue;
    const inner = shape.properties?.[name] ?? {};
    if (demand === "partial" && fillsItself(inner)) continue;
    findings.push({ type: "bad-value", path: [...path, name], expected: describeShape(inner) });
  }
  return kept;
}

function checkOptions(
  shape: Shape,
  value: unknown,
  path: ConfigPath,
  findings: Finding[],
  demand: "complete" | "partial",
): unknown {
  for (const option of shape.anyOf ?? []) {
    const tried: Finding[] = [];
    const kept = check(option, value, path, tried, demand);
    if (tried.some((finding) => finding.type === "bad-value")) continue;
    findings.push(...tried);
    return kept;
  }
  findings.push({ type: "bad-value", path, expected: describeShape(shape) });
  return value;
}

function fits(shape: Shape, value: unknown): boolean {
  if (shape.enum) return shape.enum.includes(value);
  switch (shape.type) {
    case "string":
      return (
        typeof value === "string" && (shape.pattern === undefined || new RegExp(shape.pattern).test(value))
      );
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return Number.isInteger(value) && withinBounds(shape, value as number);
    case "number":
      return Number.isFinite(value) && withinBounds(shape, value as number);
    case undefined:
      return true;
    default:
      return false;
  }
}

const withinBounds = ({ minimum = -Infinity, maximum = Infinity }: Shape, value: number) =>
  value >= minimum && value <= maximum;
