/**
 * Requests and answers, whatever carries them. The first request of a connection is `connect`; after it, requests run side by side,
 * each answered under its id. A connection that closes aborts what still runs for it.
 */
import {
  RequestFrame,
  methods as methodTable,
  protocolVersion,
  type Frame,
  type FrameError,
  type MethodName,
  type MethodParams,
  type MethodResults,
  type PincerError,
  type WelcomeView,
} from "@pincer/sdk";
import { Compile, type Validator } from "typebox/compile";
import type { Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import { holds, permissionOf, type Role } from "../policy/permission-points.ts";
import { frameError } from "./frame-error.ts";
import { createRememberedAnswers } from "./remembered-answers.ts";

export interface MethodCall {
  /** Aborts when whoever asked has gone. */
  signal: AbortSignal;
  /** Tells whoever asked, while the answer is not ready. Does nothing once it is given. */
  emit(event: string, payload: unknown): void;
  connectionId: string;
}

/** Throws PincerError where the world did something; anything else thrown is a bug and is told without what is inside. */
export type MethodHandlers = {
  [Name in Exclude<MethodName, "connect">]: (
    params: MethodParams<Name>,
    call: MethodCall,
  ) => Promise<MethodResults[Name]>;
};

export interface GatewayLog {
  warn(message: string): void;
  error(message: string): void;
}

export interface RpcParts {
  /** A method without a handler is unknown. */
  methods: Partial<MethodHandlers>;
  about: { version: string; pid: number; startedAt: string; language(): WelcomeView["language"] };
  /** Takes secrets out of everything that is sent. */
  hide<Payload>(payload: Payload): Payload;
  clock: Clock;
  log: GatewayLog;
}

export interface RpcConnection {
  /** Takes one frame as text. Never throws: what is wrong with it is answered. */
  receive(text: string): void;
  isConnected(): boolean;
  /** From now on requests are refused; resolves when none runs any more. */
  drain(): Promise<void>;
  /** Aborts what runs; nothing is sent any more. Safe to call twice. */
  close(): void;
}

export interface Rpc {
  /** `role` is what whoever carries the frames knows about the other side; a request that it does not hold the permission for is refused. */
  open(send: (frame: Frame) => void, role: Role): RpcConnection;
}

/** More at once on one connection are refused. */
const mostAtOnce = 256;

const isRequest = Compile(RequestFrame);
/** Made when they are first needed, once per process. */
const validators = new Map<string, Validator>();

export function createRpc({ methods, about, hide, clock, log }: RpcParts): Rpc {
  const remembered = createRememberedAnswers({ clock });
  let connections = 0;

  function welcome(params: MethodParams<"connect">): WelcomeView {
    if (params.protocol !== protocolVersion) {
      const versions = { theirs: params.protocol, ours: protocolVersion };
      throw failure("gateway/protocol", "gateway.protocol", versions, { hint: "gateway.protocol.hint" });
    }
    const { version, pid, startedAt, language } = about;
    const names = ["connect", ...Object.keys(methods).sort()];
    return { protocol: protocolVersion, version, pid, startedAt, language: language(), methods: names };
  }

  /** Undefined when the parameters fit. */
  function findFault(name: MethodName, params: unknown): string | undefined {
    const validator = validators.get(name) ?? (Compile(methodTable[name].params) as Validator);
    validators.set(name, validator);
    if (validator.Check(params)) return undefined;
    const [first] = validator.Errors(params);
    const field = first?.instancePath.slice(1).replaceAll("/", ".");
    return `${field ? `params.${field}` : "params"} ${first?.message ?? "do not fit"}`;
  }

  async function answer(
    name: Exclude<MethodName, "connect">,
    params: object,
    call: MethodCall,
  ): Promise<unknown> {
    const handler = methods[name] as (params: object, call: MethodCall) => Promise<unknown>;
    const key = (params as { idempotencyKey?: string }).idempotencyKey;
    if (methodTable[name].effect !== "once" || key === undefined) return handler(params, call);
    const outcome = await remembered.answer(`${name} ${key}`, params, () => handler(params, call));
    if (outcome.type === "answer") return outcome.payload;
    throw new Refusal({
      code: "IDEMPOTENCY_CONFLICT",
      message: "This idempotencyKey was used with other parameters.",
    });
  }

  function open(send: (frame: Frame) => void, role: Role): RpcConnection {
    const connectionId = `c${++connections}`;
    const gone = new AbortController();
    const running = new Set<string>();
    let whenIdle: (() => void) | undefined;
    let isConnected = false;
    let seq = 0;

    const refuse = (id: string, error: FrameError) => {
      if (!gone.signal.aborted) send({ type: "res", id, ok: false, error: hide(error) });
    };
    const accept = (id: string, payload: unknown) => {
      if (!gone.signal.aborted) send({ type: "res", id, ok: true, payload: hide(payload ?? null) });
    };

    function receive(text: string): void {
      if (gone.signal.aborted) return;
      const frame = parse(text);
      if (!isRequest.Check(frame)) {
        return refuse(idOf(frame), { code: "INVALID_REQUEST", message: "This is not a request frame." });
      }
      const { id, method, params = {} } = frame;
      if (!isConnected && method !== "connect") {
        return refuse(id, { code: "AUTH_REQUIRED", message: "The first request must be connect." });
      }
      if (!isKnown(method, methods)) {
        return refuse(id, { code: "METHOD_NOT_FOUND", message: `There is no method ${method}.` });
      }
      const lacking = method === "connect" ? undefined : missingPermission(role, method);
      if (lacking) return refuse(id, frameError(lacking));
      if (running.has(id) || (isConnected && method === "connect")) {
        return refuse(id, { code: "INVALID_REQUEST", message: "This request is being answered already." });
      }
      if (whenIdle) {
        return refuse(id, frameError(failure("gateway/stopped", "gateway.stopping")));
      }
      if (running.size >= mostAtOnce) {
        return refuse(id, { code: "INVALID_REQUEST", message: "Too many requests at once." });
      }
      const fault = findFault(method, params);
      if (fault) return refuse(id, { code: "INVALID_REQUEST", message: `${method}: ${fault}` });
      if (method !== "connect") return void run(id, method, params);
      try {
        accept(id, welcome(params as MethodParams<"connect">));
        isConnected = true;
      } catch (error) {
        refuse(id, frameError(error));
      }
    }

    async function run(id: string, method: Exclude<MethodName, "connect">, params: object): Promise<void> {
      running.add(id);
      const call: MethodCall = {
        signal: gone.signal,
        connectionId,
        emit(event, payload) {
          if (gone.signal.aborted || !running.has(id)) return;
          send({ type: "event", event, payload: hide(payload), seq: ++seq, id });
        },
      };
      try {
        const payload = await answer(method, params, call).finally(() => running.delete(id));
        accept(id, payload);
      } catch (error) {
        if (error instanceof Refusal) return refuse(id, error.frame);
        const frame = frameError(error);
        if (frame.reason === undefined && !gone.signal.aborted) log.error(`${method}: ${describe(error)}`);
        refuse(id, frame);
      } finally {
        if (running.size === 0) whenIdle?.();
      }
    }

    return {
      receive,
      isConnected: () => isConnected,
      drain: () =>
        new Promise((resolve) => {
          whenIdle = resolve;
          if (running.size === 0) resolve();
        }),
      close: () => gone.abort(new Error("the connection closed")),
    };
  }

  return { open };
}

/** Undefined where the role may ask for it. */
function missingPermission(role: Role, method: MethodName): PincerError | undefined {
  const point = permissionOf(method);
  if (holds(role, point)) return undefined;
  const named = { method, role, point: point ?? "-" };
  return failure("permission/missing", "permission.missing", named, { hint: "permission.missing.hint" });
}

/** An answer that is the protocol's own affair. */
class Refusal extends Error {
  readonly frame: FrameError;

  constructor(frame: FrameError) {
    super(frame.message);
    this.frame = frame;
  }
}

const isKnown = (method: string, handlers: Partial<MethodHandlers>): method is MethodName =>
  method === "connect" || (Object.hasOwn(methodTable, method) && Object.hasOwn(handlers, method));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no frame, and answered as such
  }
}

/** So that whoever sent half a request learns which one. */
function idOf(frame: unknown): string {
  const id = typeof frame === "object" && frame !== null && "id" in frame ? frame.id : undefined;
  return typeof id === "string" && id.length <= 128 ? id : "";
}

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
