/** Waits for a run on behalf of a caller that may hang up, and streams it to one that reads along. */
import type { OutgoingHttpHeaders } from "node:http";
import type { TurnEvent } from "../../agent/turn-voice.ts";
import type { Clock } from "../../infra/clock.ts";
import { createWaits } from "../../infra/waits.ts";
import type { AdmittedCall, EventStream, HttpReply } from "../http/http-route.ts";
import { asOpenAiFailure, failureOfCode, noSuchResponse, notAgain } from "./openai-failure.ts";
import type { AskedRun, OpenAiApi, RunAnswer } from "./openai-api.ts";

export interface WaitParts {
  api: OpenAiApi;
  clock: Clock;
}

/**
 * What the run came to. Hanging up ends it, unless it has a key to come back with. Throws OpenAiFailure where there is no
 * answer, and what the signal throws.
 */
export async function waitForRun(
  { api }: Pick<WaitParts, "api">,
  { call, run, hasKey }: { call: AdmittedCall; run: AskedRun; hasKey: boolean },
  hear: (event: TurnEvent) => void = () => {},
): Promise<RunAnswer> {
  const { runId } = run;
  const answer = await run
    .wait(call.signal, run.isRepeated ? () => {} : hear)
    .catch(async (error: unknown) => {
      if (call.signal.aborted && !hasKey) await api.abandon(runId);
      throw hasKey ? error : notAgain(asOpenAiFailure(error));
    });
  if (!answer) throw noSuchResponse(runId);
  if (answer.error) throw notAgain(failureOfCode(answer.error.code, answer.error));
  return answer;
}

const beatMs = 15_000;

export interface LateStream {
  /** Begins it now. */
  open(): void;
  send(data: object | "[DONE]", event?: string): void;
  /** Whether anything was told: then a failure has to be told in the stream, too. */
  isOpen(): boolean;
  end(): void;
}

/** Opens with the first thing to tell: a run that fails before that is answered with a status. Comments keep it open in long pauses. */
export function openLateStream(
  { clock }: Pick<WaitParts, "clock">,
  reply: HttpReply,
  headers: OutgoingHttpHeaders,
  begin: (stream: EventStream) => void,
): LateStream {
  let stream: EventStream | undefined;
  const beats = createWaits(clock);

  function open(): EventStream {
    if (stream) return stream;
    stream = reply.events(headers);
    begin(stream);
    return stream;
  }
  async function keepOpen(): Promise<void> {
    while (await beats.wait(beatMs)) if (!open().beat()) return;
  }
  // Where no stream can be opened any more, there is none to keep open.
  keepOpen().catch(() => undefined);

  return {
    open: () => void open(),
    send: (data, event) => void open().send(typeof data === "string" ? data : JSON.stringify(data), event),
    isOpen: () => stream !== undefined,
    end() {
      beats.end();
      stream?.end();
    },
  };
}

/** Whatever goes wrong is told where it can be: as a status before the stream began, in the stream after that. */
export async function inStream(
  stream: LateStream,
  work: () => Promise<void>,
  fail: (failure: ReturnType<typeof asOpenAiFailure>) => void,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!stream.isOpen()) throw error;
    fail(asOpenAiFailure(error));
  } finally {
    stream.end();
  }
}

/** Keys may hold any letter, and headers may not; an escaped one is read as the same key. */
export const runHeaders = ({
  runId,
  sessionKey,
}: Pick<AskedRun, "runId" | "sessionKey">): OutgoingHttpHeaders => ({
  "x-pincer-run": runId,
  "x-pincer-session": sessionKey.replaceAll(/[^\x21-\x7e]+/gu, encodeURIComponent),
});
