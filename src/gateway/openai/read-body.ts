/** A request body, checked against its schema; the first error is reported in OpenAI's format. */
import type { Static, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { badRequest, unsupported } from "./openai-failure.ts";

/** Made when they are first needed, once per process. */
const validators = new WeakMap<TSchema, Validator>();

/** Throws OpenAiFailure 400. */
export function readBody<Schema extends TSchema>(schema: Schema, body: unknown): Static<Schema> {
  const validator = validators.get(schema) ?? (Compile(schema) as Validator);
  validators.set(schema, validator);
  if (validator.Check(body)) return body as Static<Schema>;
  const [first] = validator.Errors(body);
  const param = first?.instancePath.slice(1).replaceAll("/", ".") || "body";
  throw badRequest("openai.bad-field", param, { reason: first?.message ?? "it is of another shape" });
}

/** What would change the answer and cannot be done here is refused by its name; what only tunes it is taken and left alone. */
export function refuseUnsupported(body: object, isMeant: Record<string, (value: unknown) => boolean>): void {
  for (const [param, value] of Object.entries(body)) {
    if (value === null || value === undefined) continue;
    if (Object.hasOwn(isMeant, param) && isMeant[param]?.(value)) throw unsupported(param);
  }
}
