/**
 * Takes the arguments of tool calls out of a stream of events and puts them into a buffer, so that reading them costs what they are long
 * and not its square. Everything else passes byte for byte, in order and at once; what cannot be read passes as it is.
 */
import type { ReadableStreamReadResult } from "node:stream/web";
import type { Clock } from "../../infra/clock.ts";
import type { ArgumentBuffer } from "./argument-buffer.ts";
import { hasFinish, mayFinish, type ArgumentFormat } from "./argument-formats.ts";
import { iterableOf, streamOf, type PieceReader } from "./piece-reader.ts";
import type { BodyWatch, Pieces } from "./exchange.ts";
import { createEventSplitter, dataOf, isObject, jsonOf, withData } from "./event-bytes.ts";
import { pieceTemplate, type PieceTemplate } from "./piece-template.ts";

/** Room in one event for all that is not arguments; some servers say the whole answer again at its end, more than once. */
const otherBytes = 16 * 1024 * 1024;

/** The server sent what its format does not allow. */
export class MalformedEvent extends Error {
  override readonly name = "MalformedEvent";
}

export interface LiftParts {
  format: ArgumentFormat;
  shelf: ArgumentBuffer;
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
export const liftArguments = (body: Pieces, parts: LiftParts): ReadableStream<Uint8Array> =>
  streamOf(readLifted(body, parts));

/** The same for a library that does no more than iterate over it. */
export const liftForIterating = (body: Pieces, parts: LiftParts): ReadableStream<Uint8Array> =>
  iterableOf(readLifted(body, parts));

function readLifted(
  body: Pieces,
  { format, shelf, maxArgumentsBytes, clock, watch }: LiftParts,
): PieceReader {
  const reader = body.getReader();
  const splitter = createEventSplitter(otherBytes + 4 * maxArgumentsBytes);
  const lift = format.begin(shelf);

  let template: PieceTemplate | undefined;
  let isOver = false;
  let isFinished = false;

  function passed(event: Buffer): Buffer | undefined {
    // Once, for all that is looked for in it: each look at bytes would cost as much.
    const text = event.toString();
    const piece = template?.pieceOf(text);
    if (template && piece !== undefined) return void template.place.append(piece);
    isOver ||= beginsWithOne(text, format.lastLines);
    // Where each is parsed anyhow, that tells as much.
    const mayHold = format.isStrict || holdsOne(text, format.markers);
    if (!mayHold && !mayFinish(text, format)) return event;
    const data = dataOf(text);
    if (data === undefined || data.startsWith("[DONE]")) return event;
    if (format.isStrict && keepAlive.test(data)) return undefined;
    const value = jsonOf(data);
    if (value === undefined) {
      // The library would throw as well, but print the data to the terminal first.
      if (format.isStrict) throw new MalformedEvent("the answer holds an event that is not JSON");
      return event;
    }
    isFinished ||= hasFinish(value, format);
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
    return joined(passing);
  }

  /** Some servers leave out the blank line after their last event, which the library would then not read. */
  function lastOf(rest: Buffer): Buffer {
    if (rest.length === 0) return rest;
    const data = dataOf(rest.toString());
    const isWhole = data !== undefined && (data.startsWith("[DONE]") || jsonOf(data) !== undefined);
    return isWhole ? passedOf(Buffer.from("\n\n")) : splitter.rest();
  }

  async function next(): Promise<ReadableStreamReadResult<Uint8Array>> {
    await watch?.ready();
    if ((!isOver && !isFinished) || reader.isComplete?.()) return reader.read();
    // A read that is waited for ends as the body does when that is cancelled.
    const stopLingering = clock.after(isOver ? lingerMs : countsMs, () => {
      void reader.cancel().catch(() => undefined);
    });
    return reader.read().finally(stopLingering);
  }

  function giveUp(reason: unknown): void {
    void reader.cancel(reason).catch(() => undefined);
    watch?.onError(reason);
  }

  let isEnded = false;
  return {
    async read() {
      for (;;) {
        if (isEnded) return { done: true, value: undefined };
        if (failure !== undefined) {
          giveUp(failure);
          throw failure;
        }
        const { done, value } = await next().catch((error: unknown) => {
          giveUp(error);
          throw error;
        });
        if (!done) watch?.onBytes(value);
        const bytes = done ? lastOf(splitter.held()) : passedOf(value);
        if (done && failure === undefined) {
          watch?.onEnd();
          isEnded = true;
        }
        if (bytes.length > 0) return { done: false, value: bytes };
      }
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

// Asked of every event, without a function that would be made for each.
function beginsWithOne(text: string, beginnings: readonly string[]): boolean {
  for (const beginning of beginnings) if (text.startsWith(beginning)) return true;
  return false;
}

function holdsOne(text: string, markers: readonly string[]): boolean {
  for (const marker of markers) if (text.includes(marker)) return true;
  return false;
}

/** Parts that stand one behind the other in memory, as events that pass as they came do, are not copied. */
function joined(parts: readonly Buffer[]): Buffer {
  const [first] = parts;
  if (!first) return nothing;
  let end = first.byteOffset;
  for (const part of parts) {
    if (part.buffer !== first.buffer || part.byteOffset !== end) return Buffer.concat(parts);
    end += part.length;
  }
  return parts.length === 1 ? first : Buffer.from(first.buffer, first.byteOffset, end - first.byteOffset);
}

const nothing = Buffer.alloc(0);

/** What some servers send as data while nothing is to be said; the library would give up over it. */
const keepAlive = /^\s*(?:ping|pong|heartbeat|keep-?alive)?\s*$/i;
