/**
 * The life of a connection that its network may end: it opens once and ends once, and the host is told of an
 * unexpected end.
 */
import type { ChannelHost } from "./channel.ts";
import { SendError } from "./send-error.ts";

export interface ConnectionLife {
  state(): "opening" | "open" | "over";
  open(): void;
  /** Only the first time counts; what stops the host ends it, too. `isLost` says whether the host is told; left out, it is when the connection was open. */
  end(error: SendError, isLost?: boolean): void;
  /** Resolves when it is open; rejects with the error where it ended before that. */
  opened: Promise<void>;
  /** Aborts when it ends. */
  ended: AbortSignal;
}

export function createConnectionLife({ lost, signal }: Pick<ChannelHost, "lost" | "signal">): ConnectionLife {
  const ended = new AbortController();
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  // Callers that wait for it get the error; if nobody waits, it is not unhandled.
  opened.catch(() => undefined);
  let state: ReturnType<ConnectionLife["state"]> = "opening";
  const onStop = () => end(new SendError("closed", "the connection was closed"), false);
  function end(error: SendError, isLost = state === "open"): void {
    if (state === "over") return;
    state = "over";
    signal.removeEventListener("abort", onStop);
    reject(error);
    ended.abort(error);
    if (isLost) lost(error.message);
  }
  signal.addEventListener("abort", onStop);
  if (signal.aborted) onStop();
  return {
    state: () => state,
    open() {
      if (state !== "opening") return;
      state = "open";
      resolve();
    },
    end,
    opened,
    ended: ended.signal,
  };
}
