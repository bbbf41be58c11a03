/**
 * Takes the arguments of tool calls out of a stream of events and puts them on the shelf, so that reading them costs what they are long
 * and not its square. Everything else passes byte for byte, in order and at once; what cannot be read passes as it is.
 */
import type { ReadableStreamReadResult } from "node:stream/web";
import type { Clock } from "../../infra/clock.ts";
import type { ArgumentShelf } from "./argument-shelf.ts";
import type { ArgumentFormat } from "./argument-formats.ts";
import type { BodyWatch } from "./exchange.ts";
import { createEventSplitter, dataOf, isObject, jsonOf, withData } from "./event-bytes.ts";
import { pieceTemplate, type PieceTemplate } from "./piece-template.ts";
import { noLonger } from "../../infra/no-longer.ts";

/** Room in one event for all that is not arguments; some servers say the whole answer again at its end, more than once. */
const otherBytes = 16 * 1024 * 1024;

/** The server sent what its format does not allow. */
export class MalformedEvent extends Error {
  override readonly name = "MalformedEvent";
}

export interface LiftParts {
  format: ArgumentFormat;
  shelf: ArgumentShelf;
  maxArgumentsBytes: number;
  clock: Clock;
  /** Told when a piece has come, and when it broke off. */
  watch?: BodyWatch | undefined;
}

/** How long the end of the connection is waited for after the last event: in time it can be used again, and some servers never end it. */
const lingerMs = 500;
/** The same after the last words, when only the counts are missing. */
const countsMs = 3000;

/** Fails with MalformedEvent, with RangeError when arguments or an event are beyond their limit, and with what the body fails with. */
export function liftArguments(
  body: ReadableStream<Uint8Array>,
  { format, shelf, maxArgumentsBytes, clock, watch }: LiftParts,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const splitter = createEventSplitter(otherBytes + 4 * maxArgumentsBytes);
  const lift = format.begin(shelf);

  let template: PieceTemplate | undefined;
  let isOver = false;
  let isFinished = false;

  function passed(event: Buffer): Buffer | undefined {
    const piece = template?.pieceOf(event);
    if (template && piece !== undefined) return void template.place.append(piece);
    isOver ||= format.lastLines.some((line) => beginsWith(event, line));
    isFinished ||= format.isFinish?.(event) ?? false;
    const mayHold = format.markers.some((marker) => event.includes(marker));
    if (!format.isStrict && !mayHold) return event;
    const text = event.toString();
    const data = dataOf(text);
    if (data === undefined || data.startsWith("[DONE]")) return event;
    if (format.isStrict && keepAlive.test(data)) return undefined;
    const value = jsonOf(data);
    if (value === undefined) {
      // The library would throw as well, but print the data to the terminal first.
      if (format.isStrict) throw new MalformedEvent("the answer holds an event that is not JSON");
      return event;
    }
    const outcome = mayHold && isObject(value) ? lift(value) : "keep";
    if (outcome === "keep") return event;
    template = undefined;
    if (outcome === "drop") return undefined;
    if (!Array.isArray(outcome)) {
      template = pieceTemplate(text, format.pieceKey, outcome.onlyPieceOf);
      return undefined;
    }
    return Buffer.from(
      outcome.map(({ name, value }) => withData(name ?? text, JSON.stringify(value))).join(""),
    );
  }

  let failure: unknown;
  /** What of these events goes on. Trouble is kept for later: what came before it is read first. */
  function passedOf(piece: Uint8Array): Buffer {
    const passing: Buffer[] = [];
    try {
      for (const event of splitter.push(piece)) {
        const bytes = passed(event);
        if (bytes) passing.push(bytes);
        if (shelf.isOverflowing()) throw new RangeError(`arguments of more than ${maxArgumentsBytes} bytes`);
      }
    } catch (error) {
      failure = error;
    }
    const [only] = passing;
    return only && passing.length === 1 ? only : Buffer.concat(passing);
  }

  /** Some servers leave out the blank line after their last event, which the library would then not read. */
  function lastOf(rest: Buffer): Buffer {
    const data = dataOf(rest.toString());
    const isWhole = data !== undefined && (data.startsWith("[DONE]") || jsonOf(data) !== undefined);
    return isWhole ? passedOf(Buffer.from("\n\n")) : splitter.rest();
  }

  async function next(): Promise<ReadableStreamReadResult<Uint8Array>> {
    await watch?.ready();
    if (!isOver && !isFinished) return reader.read();
    const lingering = new AbortController();
    const silence = clock.sleep(isOver ? lingerMs : countsMs, lingering.signal).then(
      () => undefined,
      () => undefined,
    );
    const read = await Promise.race([reader.read(), silence]);
    lingering.abort(noLonger);
    if (read) return read;
    void reader.cancel().catch(() => undefined);
    return { done: true, value: undefined };
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          if (failure !== undefined) {
            void reader.cancel(failure).catch(() => undefined);
            watch?.onError(failure);
            return controller.error(failure);
          }
          const { done, value } = await next().catch((error: unknown) => {
            void reader.cancel(error).catch(() => undefined);
            watch?.onError(error);
            throw error;
          });
          if (!done) watch?.onBytes(value);
          const bytes = done ? lastOf(splitter.held()) : passedOf(value);
          if (bytes.length > 0) controller.enqueue(bytes);
          if (done && failure === undefined) {
            watch?.onEnd();
            return controller.close();
          }
          if (bytes.length > 0) return undefined;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Asked of every event: without a view of its beginning, which would be another object. */
const beginsWith = (event: Buffer, line: Buffer): boolean =>
  event.length >= line.length && line.compare(event, 0, line.length) === 0;

/** What some servers send as data while nothing is to be said; the library would give up over it. */
const keepAlive = /^\s*(?:ping|pong|heartbeat|keep-?alive)?\s*$/i;
