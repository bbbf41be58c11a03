/**
 * How a method of the protocol is declared: once, with everything that is known about it. Permission checks, the reach of confined callers,
 * the typed clients, `/api` and docs/protocol.md are derived from the declaration.
 */
import { Type, type TObject, type TProperties } from "typebox";
import type { MethodScope, PermissionPoint } from "./permissions.ts";

/** read: changes nothing. change: repeated requests are answered from memory. own: the method itself stores its keys, for good. */
export type MethodEffect = "read" | "change" | "own";

/** The type of a result. It is not checked at run time, so nothing of it is there. */
export interface Answer<out Result> {
  readonly type?: Result;
}

export interface Method<Params extends TObject = TObject, Result = unknown> {
  params: Params;
  result: Answer<Result>;
  effect: MethodEffect;
  /** Null: anybody may ask, also before anybody knows who it is. */
  permission: PermissionPoint | null;
  scope: MethodScope;
}

type ParamsOf<Properties extends TProperties, Effect extends MethodEffect> = TObject<
  Effect extends "change" ? Properties & { idempotencyKey: typeof idempotencyKey } : Properties
>;

/** Takes no other parameters than those declared; one with the effect `change` takes an `idempotencyKey` besides. */
export const method = <Properties extends TProperties, Result, const Effect extends MethodEffect>(declared: {
  params: Properties;
  result: Answer<Result>;
  effect: Effect;
  permission: PermissionPoint | null;
  scope: MethodScope;
}): Method<ParamsOf<Properties, Effect>, Result> => ({
  ...declared,
  params: Type.Object(
    declared.effect === "change" ? { ...declared.params, idempotencyKey } : declared.params,
    strict,
  ) as unknown as ParamsOf<Properties, Effect>,
});

/** `result: answer<OutboxView>()`. Where it is `unknown`, it is what the command of the same name prints with `--json`. */
export const answer = <Result>(): Answer<Result> => anyAnswer;
const anyAnswer = {};

export const strict = { additionalProperties: false };
export const idempotencyKey = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));
export const name = Type.String({ minLength: 1, maxLength: 512 });
export const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }));
export const moment = Type.Optional(Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$" }));
export const before = Type.Optional(Type.Integer({ minimum: 0 }));
/** In which texts meant for people come back. */
export const language = Type.Optional(Type.Union([Type.Literal("en"), Type.Literal("zh")]));

/** Without it, what holds for every agent. */
export const ofAgent = { agentId: Type.Optional(name) };
/**
 * The one name that a session has in parameters: `sessionKey`. It takes an id, or a key in any spelling; left out, it is the main session.
 * Requests may also call it `session` or `sessionId`: the gateway brings them to this name before anything looks at them.
 */
export const sessionKey = Type.Optional(Type.String({ minLength: 1, maxLength: 1024 }));
/** Where one has to be named. */
export const namedSession = Type.String({ minLength: 1, maxLength: 1024 });
