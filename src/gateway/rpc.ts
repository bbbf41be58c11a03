/**
 * Requests, answers and events over any transport. The first request of a connection is `connect`; after it, requests
 * run in parallel, each answered under its id. Closing a connection aborts its requests.
 */
import {
  type ChannelLog,
  RequestFrame,
  eventTopics,
  protocolVersion,
  type EventTopic,
  type Frame,
  type FrameError,
  type MethodName,
  type MethodParams,
  type PincerError,
  type WelcomeView,
} from "@pincer/sdk";
import { Compile } from "typebox/compile";
import type { Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import { permissionOf } from "../policy/method-access.ts";
import { holds } from "../policy/permission-points.ts";
import type { Caller } from "../policy/caller.ts";
import type { ScopeLookups } from "../policy/method-access.ts";
import type { EventBus } from "./event-bus.ts";
import { frameError } from "./frame-error.ts";
import {
  connectionMethods,
  createMethodCalls,
  Refusal,
  type CalledMethod,
  type HandledMethod,
  type MethodCall,
  type MethodHandlers,
} from "./method-calls.ts";
import { nameSessions } from "./read-params.ts";
import { subscribeAs } from "./subscribe-as.ts";

export type GatewayLog = Pick<ChannelLog, "warn" | "error">;

export interface RpcParts {
  /** A method without a handler is unknown. */
  methods: Partial<MethodHandlers>;
  about: { version: string; pid: number; startedAt: string; language(): WelcomeView["language"] };
  /** Takes secrets out of everything that is sent. */
  hide<Payload>(payload: Payload): Payload;
  lookups?: ScopeLookups;
  called?(told: CalledMethod): void;
  bus: Pick<EventBus, "subscribe" | "stateVersion">;
  clock: Clock;
  log: GatewayLog;
}

/** Who is at the other end, as the transport knows it. */
export interface RpcDoor {
  /** Undefined: `connect` has to show something. */
  caller?: Caller | undefined;
  /** What `connect` showed. Throws PincerError when it is not enough. */
  admit?(auth: MethodParams<"connect">["auth"]): Promise<Caller>;
  /** Asked before each request; false ends the connection. */
  isStillIn?(caller: Caller): Promise<boolean>;
  /** Seconds to wait where somebody asks too much; undefined where they do not. */
  takeRate?(caller: Caller): number | undefined;
  /** To be told whom it turned out to be. */
  admitted?(caller: Caller): void;
  /** The connection is to end; the reason has been sent. */
  end?(why: FrameError): void;
}

export interface RpcConnection {
  id: string;
  /** Takes one frame as text. Never throws: what is wrong with it is answered. */
  receive(text: string): void;
  isConnected(): boolean;
  /** From now on requests are refused; resolves when none runs any more. */
  drain(): Promise<void>;
  /** Aborts what runs; nothing is sent any more. Safe to call twice. */
  close(): void;
}

export interface Rpc {
  open(send: (frame: Frame) => void, door: RpcDoor): RpcConnection;
  /** One request without a connection. Throws PincerError, Refusal, or whatever a bug throws. */
  call(caller: Caller, method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** False when nobody is there any more. */
  push(connectionId: string, event: string, payload: unknown): boolean;
  /** Called once, when the connection closes; at once where there is none. */
  onClose(connectionId: string, then: () => void): void;
}

/** More at once on one connection are refused. */
const mostAtOnce = 256;

const isRequest = Compile(RequestFrame);

interface Open {
  push(event: string, payload: unknown): void;
  closed: Array<() => void>;
}

export function createRpc({ methods, about, hide, lookups, called, bus, clock, log }: RpcParts): Rpc {
  const calls = createMethodCalls({ methods, lookups, called, clock });
  const connections = new Map<string, Open>();
  let opened = 0;

  const mayAsk = (caller: Caller) => (method: string) => holds(caller.role, permissionOf(method));

  function welcome(params: MethodParams<"connect">, caller: Caller, connectionId: string): WelcomeView {
    const { version, pid, startedAt, language } = about;
    return {
      protocol: protocolVersion,
      version,
      pid,
      startedAt,
      language: language(),
      // Those that they may ask: a node has no use for the names of all the others.
      methods: [
        "connect",
        ...["events.subscribe", "events.unsubscribe", ...calls.names].filter(mayAsk(caller)),
      ].sort(),
      effects: calls.effects,
      caller: { id: caller.id, name: caller.name, role: caller.role },
      connectionId,
      stateVersion: bus.stateVersion(),
    };
  }

  function open(send: (frame: Frame) => void, door: RpcDoor): RpcConnection {
    const connectionId = `c${++opened}`;
    const gone = new AbortController();
    const running = new Set<string>();
    let whenIdle: (() => void) | undefined;
    let state: { type: "new" } | { type: "connecting" } | { type: "connected"; caller: Caller } = {
      type: "new",
    };
    let seq = 0;
    let stopListening: (() => void) | undefined;
    const mine: Open = {
      closed: [],
      push: (event, payload) => send({ type: "event", event, payload: hide(payload), seq: ++seq }),
    };
    connections.set(connectionId, mine);

    const refuse = (id: string, error: FrameError | PincerError) => {
      if (gone.signal.aborted) return;
      send({ type: "res", id, ok: false, error: hide(asFrame(error)) });
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
      const { id, method } = frame;
      if (state.type !== "connected") {
        if (method === "connect" && state.type === "new") return void connect(id, frame.params ?? {});
        return refuse(id, { code: "AUTH_REQUIRED", message: "The first request must be connect." });
      }
      if (!isOurs(method) && !calls.isHandled(method)) {
        return refuse(id, { code: "METHOD_NOT_FOUND", message: `There is no method ${method}.` });
      }
      if (running.has(id) || method === "connect") {
        return refuse(id, { code: "INVALID_REQUEST", message: "This request is being answered already." });
      }
      const { caller } = state;
      const params = nameSessions(method, frame.params ?? {}) as Record<string, unknown>;
      const refusal = calls.refusal(caller, method, params);
      if (refusal && isLacking(refusal)) return refuse(id, refusal);
      if (whenIdle) return refuse(id, failure("gateway/stopped", "gateway.stopping"));
      if (running.size >= mostAtOnce) {
        return refuse(id, { code: "INVALID_REQUEST", message: "Too many requests at once." });
      }
      if (refusal) return refuse(id, refusal);
      const seconds = door.takeRate?.(caller);
      if (seconds !== undefined) return refuse(id, failure("gateway/busy", "gateway.too-fast", { seconds }));
      if (method === "events.subscribe") {
        subscribe(caller, (params as MethodParams<"events.subscribe">).topics ?? eventTopics);
        return accept(id, { stateVersion: bus.stateVersion() });
      }
      if (method === "events.unsubscribe") {
        stopListening?.();
        return accept(id, {});
      }
      void run(id, method as HandledMethod, params, caller);
    }

    async function connect(id: string, params: Record<string, unknown>): Promise<void> {
      const fault = calls.refusal(nobody, "connect", params);
      if (fault) return refuse(id, fault);
      const given = params as MethodParams<"connect">;
      if (given.protocol !== protocolVersion) return refuse(id, otherProtocol(given.protocol));
      if (door.caller) return settle(id, given, door.caller);
      state = { type: "connecting" };
      try {
        if (!door.admit) throw failure("gateway/unauthorized", "gateway.unauthorized");
        settle(id, given, await door.admit(given.auth));
      } catch (error) {
        state = { type: "new" };
        const why = frameError(error);
        refuse(id, why);
        door.end?.(why);
      }
    }

    function settle(id: string, params: MethodParams<"connect">, caller: Caller): void {
      if (gone.signal.aborted) return;
      state = { type: "connected", caller };
      door.admitted?.(caller);
      accept(id, welcome(params, caller, connectionId));
    }

    function subscribe(caller: Caller, topics: readonly EventTopic[]): void {
      stopListening?.();
      stopListening = subscribeAs(caller, topics, bus, ({ event: { event, payload }, stateVersion }) => {
        if (gone.signal.aborted) return;
        send({ type: "event", event, payload: hide(payload), seq: ++seq, stateVersion });
      });
    }

    async function run(id: string, method: HandledMethod, params: object, caller: Caller): Promise<void> {
      // It runs until its answer is sent: draining must not hang up before.
      running.add(id);
      let isAnswered = false;
      const call: MethodCall = {
        caller,
        signal: gone.signal,
        connectionId,
        emit(event, payload) {
          if (gone.signal.aborted || isAnswered) return;
          send({ type: "event", event, payload: hide(payload), seq: ++seq, id });
        },
      };
      try {
        if (door.isStillIn && !(await door.isStillIn(caller))) return throwOut(id);
        const payload = await calls.answer(method, params, call).finally(() => (isAnswered = true));
        accept(id, payload);
      } catch (error) {
        if (error instanceof Refusal) return refuse(id, error.frame);
        const frame = frameError(error);
        if (frame.reason === undefined && !gone.signal.aborted)
          log.error(`${method}: ${describe(error)}`, { connectionId, caller: caller.id });
        refuse(id, frame);
      } finally {
        running.delete(id);
        if (running.size === 0) whenIdle?.();
      }
    }

    function throwOut(id: string): void {
      const why = frameError(failure("gateway/unauthorized", "gateway.no-longer-in"));
      refuse(id, why);
      door.end?.(why);
    }

    return {
      id: connectionId,
      receive,
      isConnected: () => state.type === "connected",
      drain: () =>
        new Promise((resolve) => {
          whenIdle = resolve;
          if (running.size === 0) resolve();
        }),
      close() {
        if (gone.signal.aborted) return;
        stopListening?.();
        gone.abort(new Error("the connection closed"));
        connections.delete(connectionId);
        for (const then of mine.closed) then();
      },
    };
  }

  return {
    open,
    async call(caller, method, given, signal) {
      if (!calls.isHandled(method)) {
        throw new Refusal({ code: "METHOD_NOT_FOUND", message: `There is no method ${method}.` });
      }
      const params = nameSessions(method, given);
      const refusal = calls.refusal(caller, method, params);
      if (refusal) throw refusal instanceof Error ? refusal : new Refusal(refusal);
      const payload = await calls.answer(method, params as object, {
        caller,
        signal,
        connectionId: "",
        emit: () => {},
      });
      return hide(payload ?? null);
    },
    push(connectionId, event, payload) {
      const open = connections.get(connectionId);
      open?.push(event, payload);
      return open !== undefined;
    },
    onClose(connectionId, then) {
      const open = connections.get(connectionId);
      if (open) open.closed.push(then);
      else then();
    },
  };
}

/** Before anybody is somebody: used for the one request that everybody may make. */
const nobody: Caller = {
  id: "",
  name: "",
  role: "peer",
  way: "open",
  tenantId: "",
  scope: { type: "agent", agentIds: [] },
};

const isOurs = (method: string): method is MethodName => connectionMethods.has(method);

const otherProtocol = (theirs: number): PincerError =>
  failure(
    "gateway/protocol",
    "gateway.protocol",
    { theirs, ours: protocolVersion },
    { hint: "gateway.protocol.hint" },
  );

/** What somebody may not do is said first, whatever else is wrong with it. */
const isLacking = (refusal: FrameError | PincerError): boolean =>
  refusal instanceof Error && refusal.domain === "permission";

const asFrame = (error: FrameError | PincerError): FrameError =>
  error instanceof Error ? frameError(error) : error;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no frame, and answered as such
  }
}

/** So that the sender of half a request learns which one. */
function idOf(frame: unknown): string {
  const id = typeof frame === "object" && frame !== null && "id" in frame ? frame.id : undefined;
  return typeof id === "string" && id.length <= 128 ? id : "";
}

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
