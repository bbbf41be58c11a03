/**
 * A lasting connection to a gateway. When it breaks it reconnects, repeats unanswered requests (each is done once),
 * renews subscriptions, and continues a followed run where it was. For browsers and Node, without dependencies.
 */
import { meaningOfClose } from "../protocol/close-codes.ts";
import { deviceStatement } from "../protocol/device-statement.ts";
import { topicOf, type EventTopic, type GatewayEvent } from "../protocol/events.ts";
import type { EventFrame, Frame, FrameError, ResponseFrame } from "../protocol/frames.ts";
import type { WelcomeView } from "../protocol/gateway-methods.ts";
import type { MethodName, MethodParams } from "../protocol/methods.ts";
import type { MethodResults } from "../protocol/methods.ts";
import { protocolVersion } from "../protocol/version.ts";
import { LinkError } from "./link-error.ts";
import { listenTo, type LinkSocket } from "./link-socket.ts";
import { createPendingRequests, type RequestOptions } from "./pending-requests.ts";

type ConnectAuth = NonNullable<MethodParams<"connect">["auth"]>;
type DeviceProof = NonNullable<ConnectAuth["device"]>;
/** What the gateway made up for a connection. */
type Challenge = { challenge: string; gatewayId: string };

/** Keys are made where none is given. */
type LinkParams<Name extends MethodName> =
  MethodParams<Name> extends { idempotencyKey: string }
    ? Omit<MethodParams<Name>, "idempotencyKey"> & { idempotencyKey?: string }
    : MethodParams<Name>;

export interface GatewayLinkParts {
  /** ws:// or wss://, with the path: `wss://host/ws`. */
  url: string;
  WebSocket: new (url: string) => LinkSocket;
  client: { name: string; version: string };
  /** Called at each connect, so that a new token is used. Without it the browser's own credentials count. */
  auth?: (() => Promise<Pick<ConnectAuth, "token">>) | undefined;
  /** A device that proves itself with a key of its own: `sign` answers the signature over a text with Ed25519, base64url. */
  device?: (Omit<DeviceProof, "signature"> & { sign(statement: string): Promise<string> }) | undefined;
  onState?: ((state: LinkState) => void) | undefined;
  onGap?: ((gap: LinkGap) => void) | undefined;
  /**
   * Events for this connection alone: `node.invoke` and `node.cancel` for a node, `gateway.slow` for a slow reader.
   */
  onPush?: ((event: string, payload: unknown) => void) | undefined;
  /** Other time and chance than the platform's. */
  clock?: { sleep(ms: number, signal?: AbortSignal): Promise<void> };
  random?: () => number;
}

export type LinkState =
  | { type: "connecting" }
  | { type: "connected"; welcome: WelcomeView }
  /** It retries automatically. `why` is for people. */
  | { type: "waiting"; ms: number; why: string }
  /** It is not tried again: what is shown does not let anybody in, or the gateway speaks another version. */
  | { type: "refused"; error: LinkError }
  | { type: "closed" };

/** Something was not told: ask again for what you show. skipped: on the way. away: while there was no connection. older: a state before the last one. */
export type LinkGap = "skipped" | "away" | "older";

export interface GatewayLink {
  /** Waits for a connection if there is none. Throws LinkError, or the signal's reason. */
  request<Name extends Exclude<MethodName, "connect">>(
    method: Name,
    params: LinkParams<Name>,
    options?: RequestOptions,
  ): Promise<MethodResults[Name]>;
  /** Events of these topics, also after reconnects. The answer ends it. */
  subscribe(topics: readonly EventTopic[], listener: (event: GatewayEvent) => void): () => void;
  state(): LinkState;
  /** Tries again at once: after a refusal, or when the network is back. */
  retry(): void;
  /** For good; what waits is rejected. Safe to call twice. */
  close(): void;
}

const connectWithinMs = 15_000;
const busyMs = 2000;
const shortestMs = 500;
const longestMs = 30_000;

export function createGatewayLink(parts: GatewayLinkParts): GatewayLink {
  const { clock = platformClock, random = Math.random, onGap } = parts;
  const requests = createPendingRequests({ makeKey });
  const listeners = new Map<(event: GatewayEvent) => void, readonly EventTopic[]>();
  let state: LinkState = { type: "connecting" };
  let hangUp = () => {};
  /** While connected. */
  let send: ((frame: object) => boolean) | undefined;
  let pausing = new AbortController();
  let failures = 0;
  /** Of the connection. */
  let seq = 0;
  /** The version of the gateway's state seen so far; undefined: nobody listens. */
  let stateVersion: number | undefined;

  function enter(next: LinkState): void {
    state = next;
    parts.onState?.(next);
  }

  function dial(): void {
    enter({ type: "connecting" });
    seq = 0;
    const socket = new parts.WebSocket(parts.url);
    const say = (frame: object): boolean => {
      const isOpen = socket.readyState === 1;
      if (isOpen) socket.send(JSON.stringify(frame));
      return isOpen;
    };
    const met = new AbortController();
    const gone = new AbortController();
    let why: FrameError | undefined;
    const end = () => {
      met.abort();
      gone.abort();
    };
    const leave = listenTo(socket, {
      text(text) {
        const frame = JSON.parse(text) as Frame;
        if (frame.type === "event") hear(frame, greet);
        else if (frame.type === "res" && frame.id === "connect") settle(frame);
        else if (frame.type === "res" && frame.id === "events") subscribed(frame);
        else if (frame.type === "res") {
          // The last words before it is cut off.
          if (frame.id === "" && !frame.ok) why = frame.error;
          requests.answered(frame);
        }
      },
      closed(code, reason) {
        end();
        lose(code, why, reason);
      },
    });
    hangUp = () => {
      end();
      leave();
    };
    const giveUp = (error: FrameError | undefined, reason: string) => {
      hangUp();
      lose(0, error, reason);
    };
    clock.sleep(connectWithinMs, met.signal).then(
      () => giveUp(undefined, "The gateway did not answer in time."),
      () => {},
    );

    function greet(challenge: Challenge): void {
      proofs(challenge).then(
        (auth) => {
          if (met.signal.aborted) return;
          const params = { protocol: protocolVersion, client: parts.client, ...(auth ? { auth } : {}) };
          say({ type: "req", id: "connect", method: "connect", params });
        },
        (error: unknown) => giveUp(undefined, String(error)),
      );
    }

    /** A client that was rate-limited a moment ago must not stay deaf. */
    function subscribed(frame: ResponseFrame): void {
      if (frame.ok || frame.error.reason !== "gateway/busy") return;
      clock.sleep(busyMs, gone.signal).then(subscribeAgain, () => {});
    }

    function settle(frame: ResponseFrame): void {
      if (!frame.ok) return giveUp(frame.error, "");
      met.abort();
      welcome(frame.payload as WelcomeView, say);
    }
  }

  async function proofs(given: Challenge): Promise<ConnectAuth | undefined> {
    const auth: ConnectAuth = { ...(await parts.auth?.()) };
    if (parts.device) {
      const { sign, ...device } = parts.device;
      auth.device = { ...device, signature: await sign(deviceStatement({ ...given, ...device })) };
    }
    return Object.keys(auth).length > 0 ? auth : undefined;
  }

  function welcome(about: WelcomeView, say: (frame: object) => boolean): void {
    failures = 0;
    send = say;
    const isMissed = stateVersion !== undefined && about.stateVersion !== stateVersion;
    stateVersion = undefined;
    enter({ type: "connected", welcome: about });
    // First the ears, then the questions: what those cause is heard.
    if (listeners.size > 0) subscribeAgain();
    requests.connected(about, say);
    if (isMissed) onGap?.("away");
  }

  function lose(code: number, why: FrameError | undefined, reason: string): void {
    send = undefined;
    requests.disconnected();
    if (state.type === "closed") return;
    if (why && isFinal(why)) {
      const error = new LinkError(why);
      enter({ type: "refused", error });
      return requests.rejectAll(error);
    }
    // Each time longer, and never all at the same moment.
    const most = Math.min(longestMs, shortestMs * 2 ** failures++);
    const ms = Math.round(most * (0.5 + random() / 2));
    pausing = new AbortController();
    clock.sleep(ms, pausing.signal).then(dial, () => {});
    enter({ type: "waiting", ms, why: why?.message ?? (reason || meaningOfClose(code)) });
  }

  function hear(frame: EventFrame, greet: (challenge: Challenge) => void): void {
    const { event, payload } = frame;
    if (event === "connect.challenge") return greet(payload as Challenge);
    // What the connection tells about itself has no number.
    if (frame.seq > 0) {
      if (frame.seq !== seq + 1) onGap?.("skipped");
      seq = frame.seq;
    }
    if (frame.id !== undefined) return requests.told(frame.id, event, payload);
    if (frame.stateVersion === undefined) return parts.onPush?.(event, payload);
    if (stateVersion !== undefined && frame.stateVersion <= stateVersion) onGap?.("older");
    stateVersion = frame.stateVersion;
    const told = { event, payload } as GatewayEvent;
    const topic = topicOf(told);
    for (const [listener, topics] of listeners) {
      if (topic === null || topics.includes(topic)) listener(told);
    }
  }

  function subscribeAgain(): void {
    if (state.type === "connected") stateVersion ??= state.welcome.stateVersion;
    const topics = [...new Set([...listeners.values()].flat())];
    const method = topics.length > 0 ? "events.subscribe" : "events.unsubscribe";
    send?.({ type: "req", id: "events", method, params: topics.length > 0 ? { topics } : {} });
  }

  dial();
  return {
    request: (method, params, options = {}) => {
      if (state.type === "closed" || state.type === "refused") {
        const error = state.type === "refused" ? state.error : new LinkError(isClosed);
        return Promise.reject(error);
      }
      return requests.add(method, params as Record<string, unknown>, options) as Promise<never>;
    },
    subscribe(topics, listener) {
      // Its own, so that the same function may listen twice.
      const own = (event: GatewayEvent) => listener(event);
      listeners.set(own, topics);
      subscribeAgain();
      return () => {
        if (listeners.delete(own)) subscribeAgain();
      };
    },
    state: () => state,
    retry() {
      if (state.type !== "waiting" && state.type !== "refused") return;
      pausing.abort();
      dial();
    },
    close() {
      if (state.type === "closed") return;
      enter({ type: "closed" });
      pausing.abort();
      hangUp();
      // An unsubscribe after this has no receiver.
      send = undefined;
      requests.disconnected();
      requests.rejectAll(new LinkError(isClosed));
    },
  };
}

/** Trying again would end the same way. A device that waits to be let in may be, and too many tries are forgotten. */
const isFinal = ({ reason, text }: FrameError): boolean =>
  reason === "gateway/protocol" ||
  (reason === "gateway/unauthorized" && text?.key !== "gateway.device-pending");

const isClosed = { code: "CLOSED" as const, message: "The link is closed." };

/** Browsers make better ones only for pages that came over TLS. */
const makeKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

const platformClock = {
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};
