/** The body of an HTTP answer, piece by piece: unpacked, no faster than it is read, and over at once when it is aborted. */
import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import type { ReadableStreamReadResult } from "node:stream/web";
import zlib from "node:zlib";
import type { GivingUp } from "./giving-up.ts";
import type { PieceReader } from "./piece-reader.ts";

export interface DecodedBody {
  pieces: Required<PieceReader>;
  /** Whether it came packed. */
  isDecoded: boolean;
}

/** Ends the giving up when it is over. */
export function decodedBody(response: IncomingMessage, givingUp: GivingUp): DecodedBody {
  const decoders = decodersOf(response.headers["content-encoding"]);
  let source: Readable = response;
  for (const decoder of decoders) {
    // What goes wrong shows in the decoder, which is read.
    source = pipeline(source, decoder, () => undefined);
  }
  return { pieces: readPieces(source, response, givingUp), isDecoded: decoders.length > 0 };
}

/** Flushes as it goes: an event must not wait in a decoder for the next one. */
function decodersOf(encoding: string | undefined): Transform[] {
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  const decoders: Transform[] = [];
  if (encoding === undefined) return decoders;
  for (const name of encoding.split(",").toReversed()) {
    switch (name.trim().toLowerCase()) {
      case "gzip":
      case "x-gzip":
        decoders.push(zlib.createGunzip(flush));
        break;
      case "deflate":
        decoders.push(zlib.createInflate(flush));
        break;
      case "br":
        decoders.push(zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }));
        break;
      case "zstd":
        decoders.push(zlib.createZstdDecompress({ flush: zlib.constants.ZSTD_e_flush }));
        break;
    }
  }
  return decoders;
}

/** How much may wait to be read before the connection is paused. */
const mostWaitingBytes = 64 * 1024;

type Read = ReadableStreamReadResult<Uint8Array>;

/** Without a web stream, which is more work than the pieces of most answers. */
function readPieces(source: Readable, response: IncomingMessage, givingUp: GivingUp): Required<PieceReader> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let isHeldBack = false;
  let asked: PromiseWithResolvers<Read> | undefined;
  let over: { failure?: { reason: unknown } } | undefined;

  function end(failure?: { reason: unknown }): void {
    if (over) return;
    over = failure ? { failure } : {};
    givingUp.end();
    if (failure) {
      waiting = [];
      asked?.reject(failure.reason);
    } else asked?.resolve({ done: true, value: undefined });
    asked = undefined;
  }

  const broken = (cause: unknown) => end({ reason: new TypeError("terminated", { cause }) });

  source.on("data", (piece: Uint8Array) => {
    if (over) return;
    if (asked) {
      asked.resolve({ done: false, value: piece });
      asked = undefined;
      return;
    }
    waiting.push(piece);
    waitingBytes += piece.length;
    if (waitingBytes < mostWaitingBytes) return;
    isHeldBack = true;
    source.pause();
  });
  source.on("end", () => end());
  source.on("error", broken);
  source.on("close", () => over ?? broken(new Error("the connection closed early")));
  givingUp.by((reason) => {
    end({ reason });
    response.destroy();
  });

  return {
    async read() {
      const piece = waiting.shift();
      if (piece) {
        waitingBytes -= piece.length;
        if (isHeldBack && waitingBytes < mostWaitingBytes) {
          isHeldBack = false;
          source.resume();
        }
        return { done: false, value: piece };
      }
      if (over?.failure) throw over.failure.reason;
      if (over) return { done: true, value: undefined };
      asked = Promise.withResolvers();
      return asked.promise;
    },
    async cancel() {
      if (over) return;
      waiting = [];
      end();
      response.destroy();
    },
    isComplete: () => over !== undefined || (source === response && response.complete),
  };
}
