/** The parameters of a request, checked against the declaration of its method. */
import { methods, type FrameError, type MethodName, type PincerError } from "@pincer/sdk";
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { nearestName } from "../config/check-config.ts";
import { failure } from "../infra/failure.ts";

/** Other names of `sessionKey`, oldest last. */
const sessionAliases = ["session", "sessionId", "idOrKey"];

/** As much of a schema as the parameters of methods use. */
interface Shape {
  properties?: Record<string, Shape>;
  additionalProperties?: unknown;
  items?: Shape;
}

/** With every session called `sessionKey`, whatever the request calls it. Nothing else is changed, and nothing is checked. */
export const nameSessions = (method: MethodName, params: unknown): unknown =>
  renamed(methods[method].params as Shape, params);

function renamed({ properties }: Shape, value: unknown): unknown {
  if (!properties || !isRecord(value)) return value;
  const fields = Object.entries(value).map(([name, each]): [string, unknown] => {
    const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, shape ? renamed(shape, each) : each];
  });
  if (Object.hasOwn(properties, "sessionKey") && !Object.hasOwn(value, "sessionKey")) {
    const alias = sessionAliases.find(
      (name) => Object.hasOwn(value, name) && !Object.hasOwn(properties, name),
    );
    const field = fields.find(([name]) => name === alias);
    if (field) field[0] = "sessionKey";
  }
  return Object.fromEntries(fields);
}

/** Made when they are first needed, once per process. */
const validators = new Map<string, Validator>();

/** Undefined when the parameters fit. */
export function findFault(method: MethodName, params: unknown): FrameError | PincerError | undefined {
  const schema = methods[method].params as Shape & TSchema;
  const validator = validators.get(method) ?? (Compile(schema) as Validator);
  validators.set(method, validator);
  if (validator.Check(params)) return undefined;
  const unknown = findUnknown(schema, params);
  if (unknown) return unknownParameter(method, unknown);
  const [first] = validator.Errors(params);
  const field = first?.instancePath.slice(1).replaceAll("/", ".");
  const fault = `${field ? `params.${field}` : "params"} ${first?.message ?? "do not fit"}`;
  return { code: "INVALID_REQUEST", message: `${method}: ${fault}` };
}

interface Unknown {
  /** Where it stands: `auth.` for something within `auth`. */
  within: string;
  name: string;
  takes: string[];
}

/** The first name that the method does not take, at the top or inside of a parameter. */
function findUnknown(
  { properties, additionalProperties, items }: Shape,
  value: unknown,
  within = "",
): Unknown | undefined {
  if (items && Array.isArray(value)) {
    return value
      .values()
      .map((each, index) => findUnknown(items, each, `${within}${index}.`))
      .find(Boolean);
  }
  if (!properties || !isRecord(value)) return undefined;
  const takes = Object.keys(properties);
  const name = Object.keys(value).find((each) => !Object.hasOwn(properties, each));
  if (name !== undefined && additionalProperties === false) return { within, name, takes };
  return takes
    .values()
    .map((each) => findUnknown(properties[each] ?? {}, value[each], `${within}${each}.`))
    .find(Boolean);
}

const longestName = 64;

function unknownParameter(method: MethodName, { within, name, takes }: Unknown): PincerError {
  const nearest = nearestName(name, takes);
  const shown = `${within}${name.length > longestName ? `${name.slice(0, longestName)}…` : name}`;
  const known = takes.map((each) => `${within}${each}`).join(", ");
  const parameters = { method, name: shown, known, nearest: `${within}${nearest ?? ""}` };
  const key = takes.length === 0 ? "request.no-parameters" : "request.unknown-parameter";
  return failure("usage/bad-argument", key, parameters, {
    hint: nearest === undefined ? undefined : "request.nearest-parameter",
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
