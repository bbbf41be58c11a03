/** The body of an HTTP answer as a web stream: unpacked, no faster than it is read, and over at once when it is aborted. */
import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import zlib from "node:zlib";

export interface DecodedBody {
  stream: ReadableStream<Uint8Array>;
  /** Whether it came packed. */
  isDecoded: boolean;
}

/** Fails with TypeError "terminated" when the connection breaks, with the signal's reason when it aborts. */
export function decodedBody(response: IncomingMessage, signal: AbortSignal | undefined): DecodedBody {
  const decoders = decodersOf(response.headers["content-encoding"]);
  let source: Readable = response;
  for (const decoder of decoders) {
    // What goes wrong shows in the decoder, which is read.
    source = pipeline(source, decoder, () => undefined);
  }
  return { stream: toWeb(source, response, signal), isDecoded: decoders.length > 0 };
}

/** Flushes as it goes: an event must not wait in a decoder for the next one. */
function decodersOf(encoding: string | undefined): Transform[] {
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  const decoders: Transform[] = [];
  for (const name of (encoding ?? "").split(",").toReversed()) {
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

function toWeb(
  source: Readable,
  response: IncomingMessage,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  let isOver = false;
  let abort = (): void => undefined;
  const end = (act?: () => void): void => {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener("abort", abort);
    act?.();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const broken = (cause: unknown) =>
          end(() => controller.error(new TypeError("terminated", { cause })));
        abort = () => {
          end(() => controller.error(signal?.reason));
          response.destroy();
        };
        source.on("data", (chunk: Uint8Array) => {
          if (isOver) return;
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) source.pause();
        });
        source.on("end", () => end(() => controller.close()));
        source.on("error", broken);
        source.on("close", () => broken(new Error("the connection closed early")));
        if (signal?.aborted) abort();
        else signal?.addEventListener("abort", abort, { once: true });
      },
      pull() {
        source.resume();
      },
      cancel() {
        end();
        response.destroy();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
  );
}
