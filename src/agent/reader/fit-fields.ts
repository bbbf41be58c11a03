/** Checks a model's answer against the requested fields: each of the right type, no others, and within its length. */
import type { ReadRequest, ReadValue } from "@pincer/sdk";
import { oneLine, shorten } from "../../infra/one-line.ts";
import { visibleCharacters } from "../../tools/web/visible-characters.ts";

export type FittedFields =
  | { type: "fitting"; fields: Record<string, ReadValue | ReadValue[]> }
  /** In words of ours: nothing of what was answered is in it. */
  | { type: "unfit"; reason: string };

const usualChars = 500;
const mostItems = 50;

/** Pure. Throws for fields of a kind that cannot be read, which is a bug of the caller. */
export function fitFields(answer: unknown, schema: ReadRequest["fields"]): FittedFields {
  const { properties } = schema;
  const required: readonly string[] = schema.required ?? [];
  const kinds = new Map(Object.entries(properties).map(([name, schema]) => [name, kindOf(name, schema)]));
  if (typeof answer !== "object" || answer === null || Array.isArray(answer))
    return { type: "unfit", reason: "it was not one JSON object" };
  const fields: Record<string, ReadValue | ReadValue[]> = {};
  for (const [name, given] of Object.entries(answer)) {
    const fit = kinds.get(name);
    if (!fit) return { type: "unfit", reason: "it had a field that was not asked for" };
    // What a document does not say, models often call null.
    if (given === null && !required.includes(name)) continue;
    const value = fit(given);
    if (value === undefined) return { type: "unfit", reason: `its field ${name} was of another kind` };
    fields[name] = value;
  }
  const missing = required.find((name) => !Object.hasOwn(fields, name));
  if (missing !== undefined) return { type: "unfit", reason: `its field ${missing} was missing` };
  return { type: "fitting", fields };
}

type Fit<Value> = (given: unknown) => Value | undefined;

/** What there is of a JSON schema in a field. */
interface FieldSchema {
  type?: unknown;
  enum?: unknown;
  const?: unknown;
  anyOf?: unknown;
  maxLength?: unknown;
  items?: unknown;
}

function kindOf(name: string, schema: FieldSchema): Fit<ReadValue | ReadValue[]> {
  if (schema.type !== "array") return valueKindOf(name, schema);
  const fit = valueKindOf(name, schema.items as FieldSchema);
  return (given) => {
    if (!Array.isArray(given) || given.length > mostItems) return undefined;
    const values = given.map(fit);
    return values.every((value) => value !== undefined) ? values : undefined;
  };
}

function valueKindOf(name: string, schema: FieldSchema): Fit<ReadValue> {
  const choices = choicesOf(schema);
  if (choices) return (given) => choices.find((choice) => choice === given);
  switch (schema.type) {
    case "string": {
      const most = typeof schema.maxLength === "number" ? schema.maxLength : usualChars;
      return (given) =>
        typeof given === "string" ? shorten(oneLine(visibleCharacters(given)), most) : undefined;
    }
    case "number":
      return (given) => (typeof given === "number" && Number.isFinite(given) ? given : undefined);
    case "integer":
      return (given) => (Number.isSafeInteger(given) ? (given as number) : undefined);
    case "boolean":
      return (given) => (typeof given === "boolean" ? given : undefined);
    default:
      throw new Error(`the field ${name} is of a kind that a reader cannot fill in`);
  }
}

/** Of an enum, a literal, or a union of literals. */
function choicesOf({ enum: named, const: only, anyOf }: FieldSchema): ReadValue[] | undefined {
  if (Array.isArray(named)) return named as ReadValue[];
  if (only !== undefined) return [only as ReadValue];
  if (!Array.isArray(anyOf)) return undefined;
  return anyOf.map((choice: FieldSchema) => choice.const as ReadValue);
}
