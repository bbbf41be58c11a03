/** One request over the wire, given up when it is silent too long or takes too long in all. */
import type { AssistantMessage, ModelEvent } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import type { ModelFailure } from "../model-failure.ts";
import type { ModelRecord } from "../model-record.ts";
import type { RequestAuth, Wire, WireRequest } from "../wire/wire.ts";
import { onAbort } from "../../infra/on-abort.ts";
import { createWaits } from "../../infra/waits.ts";

export interface AttemptEnd {
  message: AssistantMessage;
  failure?: ModelFailure;
  /** Whether anything of the answer was passed on. */
  hasSpoken: boolean;
  firstByteMs: number | null;
}

export interface AttemptParts {
  wire: Pick<Wire, "stream">;
  clock: Clock;
  record: ModelRecord;
  auth: RequestAuth;
  request: WireRequest;
  idleTimeoutMs: number;
  totalTimeoutMs: number;
}

/** Passes on what is said and answers with how it ended. Never throws. */
export async function* streamOnce(parts: AttemptParts): AsyncGenerator<ModelEvent, AttemptEnd> {
  const { wire, clock, record, auth, request } = parts;
  const startedAt = clock.monotonic();
  const watch = watchSilence(parts, startedAt);
  let hasSpoken = false;
  let firstByteMs: number | null = null;
  try {
    for await (const event of wire.stream(record, auth, { ...request, signal: watch.signal })) {
      watch.heard();
      if (event.type === "alive") continue;
      if (event.type === "begun") {
        firstByteMs = clock.monotonic() - startedAt;
        continue;
      }
      if (event.type === "end") return ended(event, { hasSpoken, firstByteMs });
      hasSpoken = true;
      yield event;
    }
    throw new Error("a wire ended without its last event");
  } finally {
    watch.stop();
  }

  function ended(
    { message, failure }: { message: AssistantMessage; failure?: ModelFailure },
    so: Pick<AttemptEnd, "hasSpoken" | "firstByteMs">,
  ): AttemptEnd {
    const late = watch.verdict();
    // The wire saw an abort; it was ours, unless the asker aborted as well.
    if (late && message.stopReason === "aborted" && !request.signal.aborted) {
      const timedOut: AssistantMessage = {
        ...message,
        stopReason: "error",
        errorCode: "timeout",
        errorMessage: late.message,
      };
      const { message: words, isOutOfTime } = late;
      return { message: timedOut, failure: { code: "timeout", message: words, isOutOfTime }, ...so };
    }
    return { message, ...(failure ? { failure } : {}), ...so };
  }
}

interface SilenceWatch {
  /** Aborts when the asker's does, and when it is given up. */
  signal: AbortSignal;
  heard(): void;
  /** Why it was given up; undefined when it was not. */
  verdict(): { message: string; isOutOfTime: boolean } | undefined;
  stop(): void;
}

/** One sleeper for the whole answer: it looks again when it wakes, so that a thousand small pieces cost no timers. */
function watchSilence(
  { clock, idleTimeoutMs, totalTimeoutMs, request }: AttemptParts,
  startedAt: number,
): SilenceWatch {
  const waits = createWaits(clock);
  const late = new AbortController();
  const follow = () => late.abort(request.signal.reason);
  if (request.signal.aborted) follow();
  const stopFollowing = onAbort(request.signal, follow);
  let lastHeard = startedAt;
  let isHeard = false;
  let verdict: ReturnType<SilenceWatch["verdict"]>;

  /** By how long it slept, not by what the clock says: somebody may set the clock meanwhile. */
  async function sleepOn(): Promise<void> {
    let silentFor = 0;
    let ranFor = 0;
    for (;;) {
      const pause = Math.min(idleTimeoutMs - silentFor, totalTimeoutMs - ranFor);
      if (pause <= 0) {
        const isOutOfTime = ranFor >= totalTimeoutMs;
        const message = isOutOfTime
          ? `no end of the answer within ${seconds(totalTimeoutMs)}`
          : `nothing was heard for ${seconds(idleTimeoutMs)}`;
        verdict = { message, isOutOfTime };
        return late.abort();
      }
      isHeard = false;
      if (!(await waits.wait(pause))) return;
      ranFor += pause;
      const sinceHeard = Math.min(Math.max(clock.monotonic() - lastHeard, 0), pause);
      silentFor = isHeard ? sinceHeard : silentFor + pause;
    }
  }
  void sleepOn();

  return {
    signal: late.signal,
    heard() {
      isHeard = true;
      lastHeard = clock.monotonic();
    },
    verdict: () => verdict,
    stop() {
      stopFollowing();
      waits.end();
    },
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;
