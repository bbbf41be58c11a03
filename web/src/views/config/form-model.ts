import { isTable, type ConfigPath } from "@pincer/sdk";
/**
 * From the config's own schema to what can be filled in. Every key has a field or is within one; what no field is made for is edited as
 * JSON, and said so. Pure.
 */

interface Shared {
  name: string;
  description: string;
  default?: unknown;
}

export type FormField = Shared &
  (
    | { kind: "section"; fields: FormField[]; required: string[] }
    | { kind: "text"; suggestions: string[]; isSecret: boolean; isNumeric: boolean }
    | { kind: "number"; isWhole: boolean; minimum?: number; maximum?: number }
    | { kind: "switch" }
    | { kind: "choice"; options: string[] }
    /** Of short values, one a line. */
    | { kind: "list"; item: "text" | "number" | "mixed"; options?: string[] }
    /** Of groups. */
    | { kind: "records"; of: FormField }
    /** Names that people make up, each with a value of one shape. */
    | { kind: "map"; of: FormField }
    | { kind: "json" }
  );

/** As JSON Schema says it; only what the config's schema makes use of. */
interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  examples?: unknown[];
  required?: string[];
  minimum?: number;
  maximum?: number;
  secret?: boolean;
}

/** The root is a section without a name. */
export const formOf = (schema: unknown): FormField & { kind: "section" } => {
  const form = fieldOf("", isTable(schema) ? (schema as Schema) : {});
  return form.kind === "section"
    ? form
    : { kind: "section", name: "", description: "", fields: [], required: [] };
};

function fieldOf(name: string, schema: Schema): FormField {
  const shared = {
    name,
    description: schema.description ?? "",
    ...(schema.default === undefined ? {} : { default: schema.default }),
  };
  if (schema.enum) return { ...shared, kind: "choice", options: schema.enum.map(String) };
  if (schema.anyOf) {
    const isShort = schema.anyOf.every(
      ({ type }) => type === "string" || type === "integer" || type === "number",
    );
    return isShort
      ? { ...shared, kind: "text", suggestions: [], isSecret: false, isNumeric: true }
      : { ...shared, kind: "json" };
  }
  switch (schema.type) {
    case "boolean":
      return { ...shared, kind: "switch" };
    case "integer":
    case "number":
      return {
        ...shared,
        kind: "number",
        isWhole: schema.type === "integer",
        ...(schema.minimum === undefined ? {} : { minimum: schema.minimum }),
        ...(schema.maximum === undefined ? {} : { maximum: schema.maximum }),
      };
    case "string":
      return {
        ...shared,
        kind: "text",
        isSecret: schema.secret === true,
        isNumeric: false,
        suggestions: (schema.examples ?? []).map(String),
      };
    case "array":
      return { ...shared, ...listOf(schema.items ?? {}) };
    case "object":
      return { ...shared, ...groupOf(schema) };
    default:
      return { ...shared, kind: "json" };
  }
}

function listOf(items: Schema) {
  const { type } = items;
  if (items.enum) return { kind: "list" as const, item: "text" as const, options: items.enum.map(String) };
  if (type === "string") return { kind: "list" as const, item: "text" as const };
  if (type === "integer" || type === "number") return { kind: "list" as const, item: "number" as const };
  if (items.anyOf?.every((each) => each.type === "string" || each.type === "integer"))
    return { kind: "list" as const, item: "mixed" as const };
  if (type === "object" && items.properties) return { kind: "records" as const, of: fieldOf("", items) };
  return { kind: "json" as const };
}

function groupOf(schema: Schema) {
  const [pattern] = Object.values(schema.patternProperties ?? {});
  if (pattern) {
    const of = fieldOf("", pattern);
    // What stands there is nobody's business here, so no field can be made for it.
    return of.kind === "json" && pattern.anyOf === undefined && pattern.type === undefined
      ? { kind: "json" as const }
      : { kind: "map" as const, of };
  }
  if (!schema.properties) return { kind: "json" as const };
  return {
    kind: "section" as const,
    fields: Object.entries(schema.properties).map(([name, each]) => fieldOf(name, each)),
    required: schema.required ?? [],
  };
}

/** A key as it is searched for: where made-up names stand, the path has `*`. */
export interface KeyEntry {
  path: string;
  /** Of the top-level section. */
  section: string;
  description: string;
}

/** Every key there is, in the order of the schema; those of profiles are the same keys again and left out. */
export function keysOf(form: FormField & { kind: "section" }): KeyEntry[] {
  const keys: KeyEntry[] = [];
  const walk = (field: FormField, path: string, section: string): void => {
    keys.push({ path, section, description: field.description });
    if (field.kind === "section")
      for (const each of field.fields) walk(each, `${path}.${each.name}`, section);
    else if (field.kind === "map") walk(field.of, `${path}.*`, section);
    else if (field.kind === "records") walk(field.of, `${path}[]`, section);
  };
  for (const field of form.fields) {
    if (field.name === "profiles")
      keys.push({ path: field.name, section: field.name, description: field.description });
    else walk(field, field.name, field.name);
  }
  return keys;
}

/** Each word must stand in the path or in what is said about it; best in the path. */
export function searchKeys(keys: readonly KeyEntry[], words: string): KeyEntry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const rank = ({ path }: KeyEntry) => wanted.filter((word) => path.toLowerCase().includes(word)).length;
  return keys
    .filter(({ path, description }) => {
      const text = `${path} ${description}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .toSorted((one, other) => rank(other) - rank(one) || one.path.length - other.path.length);
}

/** The field that a path leads to; undefined where it leads nowhere, or into what is edited as JSON. */
export function fieldAt(form: FormField, path: ConfigPath): FormField | undefined {
  let field: FormField | undefined = form;
  for (const segment of path) {
    if (field?.kind === "section") field = field.fields.find(({ name }) => name === segment);
    else if (field?.kind === "map" || field?.kind === "records") field = field.of;
    else return undefined;
  }
  return field;
}
