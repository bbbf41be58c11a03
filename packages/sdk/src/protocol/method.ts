/** What every method of the protocol is declared with: its parameters, whether it changes something, and the shapes that many share. */
import { Type, type TObject, type TProperties } from "typebox";

/** none: only reads. once: repeated requests are answered from memory. own: the method itself remembers its keys, for good. */
export type MethodEffect = "none" | "once" | "own";

export interface Method<Params extends TObject> {
  params: Params;
  effect: MethodEffect;
}

export const strict = { additionalProperties: false };
export const idempotencyKey = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));
export const name = Type.String({ minLength: 1, maxLength: 512 });
export const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }));
export const moment = Type.Optional(Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$" }));
export const before = Type.Optional(Type.Integer({ minimum: 0 }));
/** In which texts meant for people come back. */
export const language = Type.Optional(Type.Union([Type.Literal("en"), Type.Literal("zh")]));

export const read = <Properties extends TProperties>(
  properties: Properties,
): Method<TObject<Properties>> => ({
  params: Type.Object(properties, strict),
  effect: "none",
});

export const change = <Properties extends TProperties>(
  properties: Properties,
): Method<TObject<Properties & { idempotencyKey: typeof idempotencyKey }>> => ({
  params: Type.Object({ ...properties, idempotencyKey }, strict),
  effect: "once",
});

/** Without it, what holds for every agent. */
export const ofAgent = { agentId: Type.Optional(name) };
/** An id, or a key in any spelling; left out, the main session. */
export const session = Type.Optional(Type.String({ minLength: 1, maxLength: 1024 }));
