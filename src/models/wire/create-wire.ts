/** The wire over the model library: whatever the library does, a request ends with exactly one `end`. */
import type { Clock } from "../../infra/clock.ts";
import { createIds } from "../../infra/ids.ts";
import { onAbort } from "../../infra/on-abort.ts";
import type { ModelRecord } from "../model-record.ts";
import { apis, iteratesBody, loadApi, takesFetch } from "../pi/load-api.ts";
import { createChatBody } from "../pi/chat-body.ts";
import { toPiContext, type ReadMedia } from "../pi/pi-context.ts";
import { canBeSent, isPlaceholder, toPiModel, toPiOptions, type WireSettings } from "../pi/pi-request.ts";
import { createAnswerReader } from "../pi/read-answer.ts";
import { createEndings, type Endings } from "./answer-end.ts";
import { createAnswerQueue } from "./answer-queue.ts";
import { argumentFormats } from "./argument-formats.ts";
import { createArgumentBuffer } from "./argument-buffer.ts";
import { createExchange } from "./exchange.ts";
import { chatEventsOf } from "./whole-answer.ts";
import { createHttpFetch, type Fetch } from "./http-fetch.ts";
import { liftArguments, liftForIterating } from "./lift-arguments.ts";
import type { RequestAuth, Wire, WireEvent, WireRequest } from "./wire.ts";
import { noLonger } from "../../infra/no-longer.ts";

export interface WireParts {
  clock: Clock;
  /** Images are kept by reference. May throw; the request then ends with a failure. */
  readMedia: ReadMedia;
  /** Asked with each request. */
  settings(): WireSettings;
  /** For calls that come without an id. */
  makeCallId?(): string;
  fetch?: Fetch;
}

export function createWire({
  clock,
  readMedia,
  settings,
  makeCallId = () => createIds(clock.now).make("call"),
  fetch = createHttpFetch(),
}: WireParts): Wire {
  const parts = { clock, readMedia, settings, makeCallId, fetch };
  return {
    apis,
    stream: (record, auth, request) => streamAnswer(parts, { record, auth, request }),
  };
}

interface Asking {
  record: ModelRecord;
  auth: RequestAuth;
  request: WireRequest;
}

/** How many events may wait for a slow reader before the connection is read no further. */
const mostWaiting = 256;

async function* streamAnswer(parts: Required<WireParts>, asking: Asking): AsyncGenerator<WireEvent> {
  const { signal } = asking.request;
  const queue = createAnswerQueue<WireEvent>(mostWaiting);
  const over = new AbortController();
  const answer = createAnswer(parts, asking, { pass: queue.push, ready: queue.ready });
  const abort = () => {
    queue.push(answer.endings.aborted());
    over.abort(signal.reason);
  };
  let isEnded = false;
  const stopListening = onAbort(signal, abort);
  if (signal.aborted) abort();
  else void ask(parts, asking, answer, over.signal).then(queue.push);
  try {
    for await (const event of queue.items()) {
      isEnded = event.type === "end";
      yield event;
      if (isEnded) return;
    }
  } finally {
    stopListening();
    queue.leave();
    // Libraries that hear of an abort make errors of it, which is not worth it where nothing is under way any more.
    if (!isEnded || !answer.exchange.isOver()) over.abort(noLonger);
  }
}

type Answer = ReturnType<typeof createAnswer>;

/** What one answer is read with. */
function createAnswer(
  { clock, fetch, makeCallId, settings }: Required<WireParts>,
  { record, auth, request }: Asking,
  { pass, ready }: { pass(event: WireEvent): void; ready(): Promise<void> },
) {
  const { maxArgumentsBytes } = settings();
  const shelf = createArgumentBuffer(maxArgumentsBytes);
  const reader = createAnswerReader({ shelf, maxArgumentsBytes, makeCallId });
  const life = createSignsOfLife(clock, pass);
  const format = argumentFormats[record.api];
  const lift = iteratesBody(record.api) ? liftForIterating : liftArguments;
  const body = record.api === "openai-completions" ? createChatBody() : undefined;
  const exchange = createExchange({
    fetch,
    body: body?.take,
    fromWhole: record.api === "openai-completions" ? chatEventsOf : undefined,
    ready,
    onBytes: life.heard,
    passesHeader: (_, value) => Boolean(auth.apiKey) || !isPlaceholder(value),
    through: format
      ? (pieces, watch) => lift(pieces, { format, shelf, maxArgumentsBytes, clock, watch })
      : undefined,
  });
  const endings: Endings = createEndings({ clock, record, auth, request, reader, shelf, exchange });
  return { reader, life, exchange, endings, body };
}

/** Never throws. */
async function ask(
  { readMedia, settings }: Required<WireParts>,
  { record, auth, request }: Asking,
  { reader, life, exchange, endings, body }: Answer,
  signal: AbortSignal,
): Promise<WireEvent> {
  try {
    const stream = await loadApi(record.api);
    if (!stream) return endings.failed(new Error(`the format ${record.api} is not spoken here`));
    if (!canBeSent(auth)) return endings.impossibleKey();
    const context = await toPiContext({ record, request, readMedia });
    if (signal.aborted) return endings.aborted();
    const fetch = takesFetch(record.api) ? exchange.fetch : undefined;
    if (!fetch) exchange.noteSent();
    const { env: environment } = process;
    const model = toPiModel(record, auth, request);
    const options = toPiOptions({
      record,
      auth,
      request,
      settings: settings(),
      fetch,
      signal,
      environment,
      room: model.maxTokens,
      onPayload: body?.onPayload,
    });
    for await (const event of stream(model, context, options)) {
      if (event.type === "done") return endings.complete(event.message);
      if (event.type === "error") return endings.broken(event.error);
      if (!fetch) life.heard();
      for (const passed of reader.take(event)) life.pass(passed);
      if (reader.isTooLong()) return endings.tooLong();
    }
    return endings.failed(new Error("the answer ended without its last event"));
  } catch (error) {
    return endings.failed(error);
  }
}

/** How often it is said that more has come. */
const aliveMs = 1000;

interface SignsOfLife {
  /** Something of the answer has come over the wire. */
  heard(): void;
  pass(event: WireEvent): void;
}

function createSignsOfLife(clock: Clock, pass: (event: WireEvent) => void): SignsOfLife {
  let lastAt: number | undefined;
  return {
    heard() {
      const now = clock.monotonic();
      if (lastAt !== undefined && now - lastAt < aliveMs) return;
      pass({ type: lastAt === undefined ? "begun" : "alive" });
      lastAt = now;
    },
    pass(event) {
      lastAt = clock.monotonic();
      pass(event);
    },
  };
}
