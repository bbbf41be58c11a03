/**
 * One request to the gateway over any transport: it must be known, allowed to the caller, within the caller's scope,
 * and match its schema. A request with an effect is executed once per key.
 */
import {
  methods as methodTable,
  type FrameError,
  type MethodName,
  type MethodParams,
  type MethodResults,
  type PincerError,
} from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import type { Caller } from "../policy/caller.ts";
import { isWithinScope, permissionOf, type ScopeLookups } from "../policy/method-access.ts";
import { holds } from "../policy/permission-points.ts";
import { frameError } from "./frame-error.ts";
import { findFault } from "./read-params.ts";
import { createRememberedAnswers } from "./remembered-answers.ts";

export interface MethodCall {
  /** Who asks, as the gateway knows them. */
  caller: Caller;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  /** Sends an event to the caller before the answer is ready. Does nothing afterwards. */
  emit(event: string, payload: unknown): void;
  connectionId: string;
}

/** Methods that are the affair of the connection itself. */
type ConnectionMethod = "connect" | "events.subscribe" | "events.unsubscribe";
export const connectionMethods: ReadonlySet<string> = new Set<ConnectionMethod>([
  "connect",
  "events.subscribe",
  "events.unsubscribe",
]);
export type HandledMethod = Exclude<MethodName, ConnectionMethod>;

/** Throws PincerError where the world did something; anything else thrown is a bug and is told without what is inside. */
export type MethodHandlers = {
  [Name in HandledMethod]: (params: MethodParams<Name>, call: MethodCall) => Promise<MethodResults[Name]>;
};

export interface CalledMethod {
  caller: Caller;
  method: MethodName;
  params: unknown;
  code?: FrameError["code"];
}

export interface MethodCalls {
  names: string[];
  /** Of those that have one. */
  effects: Record<string, "once" | "own">;
  isHandled(method: string): method is HandledMethod;
  /** Why it is refused without being tried; undefined when it may be. */
  refusal(caller: Caller, method: MethodName, params: unknown): FrameError | PincerError | undefined;
  /** What `refusal` has let pass. Throws Refusal, PincerError, or whatever a bug throws. */
  answer(method: HandledMethod, params: object, call: MethodCall): Promise<unknown>;
}

/** An answer that is the protocol's own affair. */
export class Refusal extends Error {
  readonly frame: FrameError;

  constructor(frame: FrameError) {
    super(frame.message);
    this.frame = frame;
  }
}

export function createMethodCalls(parts: {
  /** A method without a handler is unknown. */
  methods: Partial<MethodHandlers>;
  /** Without it nobody who is confined to an agent may ask for anything of one. */
  lookups?: ScopeLookups | undefined;
  /** Told of each request that was answered or refused; `code` is there where it was not done. */
  called?: ((told: CalledMethod) => void) | undefined;
  clock: Clock;
}): MethodCalls {
  const { methods, lookups = nowhere, called, clock } = parts;
  const remembered = createRememberedAnswers({ clock });

  async function requireScope(caller: Caller, method: HandledMethod, params: object): Promise<void> {
    const isWithin = await isWithinScope(caller, method, params as Record<string, unknown>, lookups);
    if (!isWithin) throw new Refusal(outOfScope(caller, method));
  }

  return {
    names: Object.keys(methods).sort(),
    effects: effectsOf(methods),
    isHandled: (method): method is HandledMethod =>
      Object.hasOwn(methodTable, method) && Object.hasOwn(methods, method),
    refusal(caller, method, params) {
      const lacking = method === "connect" ? undefined : missingPermission(caller, method);
      if (lacking) {
        called?.({ caller, method, params, code: "FORBIDDEN" });
        return lacking;
      }
      return findFault(method, params);
    },
    async answer(method, params, call) {
      const { caller } = call;
      try {
        const payload = await done(method, params, call);
        called?.({ caller, method, params });
        return payload;
      } catch (error) {
        const { code } = error instanceof Refusal ? error.frame : frameError(error);
        called?.({ caller, method, params, code });
        throw error;
      }
    },
  };

  async function done(method: HandledMethod, params: object, call: MethodCall): Promise<unknown> {
    const { caller } = call;
    // Most callers have all of it, and are not kept waiting.
    if (caller.scope.type !== "tenant") await requireScope(caller, method, params);
    const handler = methods[method] as (params: object, call: MethodCall) => Promise<unknown>;
    const key = (params as { idempotencyKey?: string }).idempotencyKey;
    if (methodTable[method].effect !== "change" || key === undefined) return handler(params, call);
    // Everybody's keys are their own.
    const outcome = await remembered.answer(`${caller.id} ${method} ${key}`, params, () =>
      handler(params, call),
    );
    if (outcome.type === "answer") return outcome.payload;
    throw new Refusal({
      code: "IDEMPOTENCY_CONFLICT",
      message: "This idempotencyKey was used with other parameters.",
    });
  }
}

function effectsOf(methods: Partial<MethodHandlers>): Record<string, "once" | "own"> {
  const effects: Record<string, "once" | "own"> = {};
  for (const [name, { effect }] of Object.entries(methodTable)) {
    if (effect !== "read" && Object.hasOwn(methods, name)) effects[name] = effect === "own" ? "own" : "once";
  }
  return effects;
}

/** Undefined where the role may ask for it. */
function missingPermission({ role }: Caller, method: MethodName): PincerError | undefined {
  const point = permissionOf(method);
  if (holds(role, point)) return undefined;
  const named = { method, role, point: point ?? "-" };
  return failure("permission/missing", "permission.missing", named, { hint: "permission.missing.hint" });
}

const outOfScope = ({ scope }: Caller, method: string): FrameError => ({
  code: scope.type === "workspace" ? "WORKSPACE_SCOPE_MISMATCH" : "TENANT_SCOPE_MISMATCH",
  message: `${method}: this is not within what you may reach. Name an agent, a session or a run of yours.`,
});

const nowhere: ScopeLookups = {
  agentOfSession: async () => undefined,
  agentOfRun: async () => undefined,
};
