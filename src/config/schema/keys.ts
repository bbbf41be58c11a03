/** The few kinds of key that the config is made of, so that a section reads as a list of keys. */
import { Type, type TSchema } from "typebox";

/** What a key is for, in each language: editors and the reference take `description`, the page that of the language it speaks. */
export const described = (en: string, zh: string) => ({ description: en, descriptionZh: zh });

/** `secret: true` marks a value that is never shown; `config set` moves it to the secrets store. */
export const secretText = (en: string, zh: string) =>
  Type.String({
    ...described(`${en} Write it as "secret:NAME".`, `${zh}请写作“secret:NAME”。`),
    secret: true,
  });

export const text = (en: string, zh: string, options: { default?: string; pattern?: string } = {}) =>
  Type.String({ ...described(en, zh), ...options });

/** Where a server is, as a browser would write it. */
export const addressText = (en: string, zh: string) =>
  Type.String({ ...described(en, zh), pattern: addressPattern });

export const addressPattern = "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+[^\\s]*$";

/** A name of which there is a list that may grow: one that is not on it is told of, and stays. */
export const listedText = (
  en: string,
  zh: string,
  listed: readonly string[],
  options: { default?: string } = {},
) => Type.String({ ...described(en, zh), examples: [...listed], listed: [...listed], ...options });

/** `timeZone: true` marks the name of a time zone: one that this machine does not know is told of, and stays. */
export const timeZoneText = (en: string, zh: string) => Type.String({ ...described(en, zh), timeZone: true });

/** `agentId: true` marks the name of an agent; other spellings of it are brought to this one as they are read. */
export const agentIdText = (en: string, zh: string) =>
  Type.String({ ...described(en, zh), pattern: "^[a-z0-9][a-z0-9_-]{0,63}$", agentId: true });

export const flag = (en: string, zh: string, options: { default?: boolean } = {}) =>
  Type.Boolean({ ...described(en, zh), ...options });

export const count = (
  en: string,
  zh: string,
  options: { default?: number; minimum?: number; maximum?: number } = {},
) => Type.Integer({ ...described(en, zh), minimum: 0, ...options });

export const choice = <const Value extends string>(
  en: string,
  zh: string,
  values: Value[],
  options: { default?: Value } = {},
) => Type.Enum(values, { ...described(en, zh), ...options });

export const texts = (en: string, zh: string, options: { default?: string[] } = {}) =>
  Type.Array(Type.String(), { ...described(en, zh), ...options });

/** Hosts, perhaps with a port, and ranges of addresses; a whole address with its scheme is none, and would mean nothing. */
export const hosts = (en: string, zh: string, options: { default?: string[] } = {}) =>
  Type.Array(Type.String({ pattern: hostPattern }), { ...described(en, zh), ...options });

const hostPattern = "^(?:[^\\s/@?#]+|[0-9A-Fa-f:.]+/[0-9]{1,3})$";

/** Names of which there is a list that may grow. */
export const listedTexts = (
  en: string,
  zh: string,
  listed: readonly string[],
  options: { default?: string[] } = {},
) => Type.Array(listedText(en, zh, listed), { ...described(en, zh), ...options });

/** Ids of people as their network writes them; some write numbers. */
export const people = (en: string, zh: string, options: { default?: string[] } = {}) =>
  Type.Array(Type.Union([Type.String(), Type.Integer()]), { ...described(en, zh), ...options });

export const section = <Keys extends Record<string, TSchema>>(en: string, zh: string, keys: Keys) =>
  Type.Object(keys, { ...described(en, zh), additionalProperties: false });

/** A table whose keys are the user's own names. */
export const named = <Item extends TSchema>(
  en: string,
  zh: string,
  item: Item,
  options: { default?: object } = {},
) => Type.Record(Type.String(), item, { ...described(en, zh), ...options });

/** What the schema of a key looks like to those who walk it: plain JSON Schema, as far as the config uses it. */
export interface Shape {
  type?: string;
  description?: string;
  descriptionZh?: string;
  secret?: boolean;
  agentId?: boolean;
  timeZone?: boolean;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  listed?: string[];
  required?: string[];
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  additionalProperties?: boolean;
  items?: Shape;
  anyOf?: Shape[];
}

/** The same keys, each of them left out at will and none filled by itself: for what is laid over something else. */
export function overlayShape(shape: Shape): Shape {
  const { default: _default, required: _required, ...rest } = shape;
  const overlay: Shape = rest;
  if (shape.properties) overlay.properties = mapValues(shape.properties, overlayShape);
  if (shape.patternProperties) overlay.patternProperties = mapValues(shape.patternProperties, overlayShape);
  // Lists are replaced as a whole, so their items must be complete.
  if (shape.items) overlay.items = shape.items;
  return overlay;
}

function mapValues(table: Record<string, Shape>, change: (shape: Shape) => Shape): Record<string, Shape> {
  return Object.fromEntries(Object.entries(table).map(([name, shape]) => [name, change(shape)]));
}

/** Whether defaults alone make a whole value of it. */
export const fillsItself = (shape: Shape): boolean =>
  shape.default !== undefined ||
  (shape.properties !== undefined &&
    (shape.required ?? []).every((name) => fillsItself(shape.properties?.[name] ?? {})));
