/**
 * How a method of the protocol is declared: once, with everything that is known about it. Permission checks, the reach of confined callers,
 * the typed clients, `/api` and docs/protocol.md are derived from the declaration.
 */
import { Type, type TObject, type TProperties } from "typebox";
import type { MethodScope, PermissionPoint } from "./permissions.ts";

/**
 * read: changes nothing. change: repeated requests are answered from memory. own: the method itself stores its keys,
 * for good.
 */
export type MethodEffect = "read" | "change" | "own";

/** The type of a result. It is not checked at run time, so it has no value. */
export interface Answer<out Result> {
  readonly type?: Result;
}

export interface Method<Params extends TObject = TObject, Result = unknown> {
  params: Params;
  result: Answer<Result>;
  effect: MethodEffect;
  /** Null: everybody may call it, even before signing in. */
  permission: PermissionPoint | null;
  scope: MethodScope;
}

type ParamsOf<Properties extends TProperties, Effect extends MethodEffect> = TObject<
  Effect extends "change" ? Properties & { idempotencyKey: typeof idempotencyKey } : Properties
>;

/** Takes only the declared parameters; with the effect `change` also an `idempotencyKey`. */
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

/** `result: answer<OutboxView>()`. If it is `unknown`, it is what the command of the same name prints with `--json`. */
export const answer = <Result>(): Answer<Result> => anyAnswer;
const anyAnswer = {};

export const strict = { additionalProperties: false };
export const idempotencyKey = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));
export const name = Type.String({ minLength: 1, maxLength: 512 });
export const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }));
export const moment = Type.Optional(Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$" }));
export const before = Type.Optional(Type.Integer({ minimum: 0 }));
/**
 * A person typed it, so commands (`,` `/` `!`) and rules in it count. Programs leave it out: what they send is text.
 */
export const typed = Type.Optional(Type.Boolean());
/**
 * With `typed`: which parts of the text were pasted, dropped or piped in, in UTF-16 units from `start` up to `end`;
 * empty if none was. Sorted, apart and within the text; otherwise all of it counts as pasted. A client that cannot tell
 * leaves it out: then a text with a line break or of more than 280 characters counts as one that may hold a paste.
 */
export const pasted = Type.Optional(
  Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer() }, strict), { maxItems: 10_000 }),
);
/** The language of texts for people. */
export const language = Type.Optional(Type.Union([Type.Literal("en"), Type.Literal("zh")]));

/** Without it, settings for all agents. */
export const ofAgent = { agentId: Type.Optional(name) };
/**
 * The name of a session in parameters is always `sessionKey`. It is an id, or a key in any spelling; the default is the
 * main session. Requests may also call it `session` or `sessionId`: the gateway renames these first.
 */
export const sessionKey = Type.Optional(Type.String({ minLength: 1, maxLength: 1024 }));
/** If one must be named. */
export const namedSession = Type.String({ minLength: 1, maxLength: 1024 });
