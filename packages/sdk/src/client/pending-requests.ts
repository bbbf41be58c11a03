/** Unanswered requests, across reconnects. */
import type { ResponseFrame } from "../protocol/frames.ts";
import type { WelcomeView } from "../protocol/gateway-methods.ts";
import { LinkError } from "./link-error.ts";
import { resumeWait, type WaitResumption } from "./resume-wait.ts";

export interface RequestOptions {
  /** Gives up waiting; what the gateway has begun goes on, unless another request stops it. */
  signal?: AbortSignal | undefined;
  /**
   * Receives events before the answer. After a reconnect `agent.wait` sends `agent.start_over`: discard the partial
   * text.
   */
  onEvent?: ((event: string, payload: unknown) => void) | undefined;
}

interface Pending {
  id: string;
  method: string;
  params: Record<string, unknown>;
  options: RequestOptions;
  wait: WaitResumption | undefined;
  /** The start of the gateway that it was sent to; undefined: to none. */
  sentTo: string | undefined;
  giveUp(): void;
  resolve(payload: unknown): void;
  reject(error: unknown): void;
}

export interface PendingRequests {
  add(method: string, params: Record<string, unknown>, options: RequestOptions): Promise<unknown>;
  /**
   * There is a gateway: everything that waits is sent, in order. `send` returns whether the frame left; what did not
   * is sent with the next connection.
   */
  connected(welcome: WelcomeView, send: (frame: object) => boolean): void;
  disconnected(): void;
  answered(frame: ResponseFrame): void;
  told(id: string, event: string, payload: unknown): void;
  /** Nobody will answer any more. */
  rejectAll(error: LinkError): void;
}

/** `makeKey`: returns a text that was never used before. */
export function createPendingRequests({ makeKey }: { makeKey(): string }): PendingRequests {
  const pending = new Map<string, Pending>();
  let link: { welcome: WelcomeView; send(frame: object): boolean } | undefined;
  let count = 0;

  function send(request: Pending): void {
    if (!link) return;
    const { effects, startedAt } = link.welcome;
    const effect = Object.hasOwn(effects, request.method) ? effects[request.method] : undefined;
    const isRepeated = request.sentTo !== undefined;
    // Keys that are kept in memory are gone with it.
    if (isRepeated && effect === "once" && request.sentTo !== startedAt) {
      return settle(request).reject(new LinkError(uncertain));
    }
    if (effect) request.params = { idempotencyKey: makeKey(), ...request.params };
    if (isRepeated && request.wait) request.options.onEvent?.("agent.start_over", { reason: "reconnected" });
    const params = request.wait?.params() ?? request.params;
    if (link.send({ type: "req", id: request.id, method: request.method, params }))
      request.sentTo = startedAt;
  }

  function settle(request: Pending): Pending {
    pending.delete(request.id);
    // A signal may outlive many requests.
    request.options.signal?.removeEventListener("abort", request.giveUp);
    return request;
  }

  return {
    add: (method, params, options) =>
      new Promise((resolve, reject) => {
        const { signal } = options;
        if (signal?.aborted) return reject(signal.reason);
        const request: Pending = {
          id: `${++count}`,
          method,
          params,
          options,
          wait: method === "agent.wait" && params["stream"] === true ? resumeWait(params) : undefined,
          sentTo: undefined,
          giveUp: () => settle(request).reject(signal?.reason),
          resolve,
          reject,
        };
        signal?.addEventListener("abort", request.giveUp, { once: true });
        pending.set(request.id, request);
        send(request);
      }),
    connected(welcome, sendFrame) {
      link = { welcome, send: sendFrame };
      for (const request of pending.values()) send(request);
    },
    disconnected: () => void (link = undefined),
    answered(frame) {
      const request = pending.get(frame.id);
      if (!request) return;
      // Of what a gateway that stops did not begin, the next one is asked; a run goes on there.
      if (!frame.ok && frame.error.reason === "gateway/stopped") {
        if (!request.wait) request.sentTo = undefined;
        return;
      }
      settle(request);
      if (frame.ok) request.resolve(frame.payload);
      else request.reject(new LinkError(frame.error));
    },
    told(id, event, payload) {
      const request = pending.get(id);
      if (request && (request.wait?.isNews(event, payload) ?? true))
        request.options.onEvent?.(event, payload);
    },
    rejectAll(error) {
      for (const request of pending.values()) settle(request).reject(error);
    },
  };
}

const uncertain = {
  code: "UNCERTAIN" as const,
  message: "The gateway restarted before it answered; this may have been done.",
  hint: "Look before asking again.",
};
