/** The body of an answer, unpacked, up to a number of bytes: what unpacks without end is stopped there. */
import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { EgressError } from "./egress.ts";

export interface ReadBody {
  body: Uint8Array;
  truncated: boolean;
}

/** Throws EgressError if it is interrupted or cannot be decompressed. `onChunk` is called for each received piece. */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  onChunk: () => void,
): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  response.on("data", onChunk);
  try {
    for await (const chunk of unpacked(response) as AsyncIterable<Uint8Array>) {
      const space = maxBytes - size;
      chunks.push(chunk.subarray(0, space));
      size += Math.min(chunk.length, space);
      if (chunk.length > space) return { body: Buffer.concat(chunks, size), truncated: true };
    }
  } catch (cause) {
    if (cause instanceof EgressError) throw cause;
    throw new EgressError("unavailable", "the answer broke off before its end", { cause });
  } finally {
    response.destroy();
  }
  return { body: Buffer.concat(chunks, size), truncated: false };
}

/** Packed more often than anybody does is a trick: each layer multiplies. */
const mostLayers = 2;

function unpacked(response: IncomingMessage): Readable {
  const names = (response.headers["content-encoding"] ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > mostLayers)
    throw new EgressError("unavailable", "the answer is packed in too many layers");
  let source: Readable = response;
  for (const name of names.toReversed()) {
    const unpacker = unpackerFor(name);
    // What goes wrong shows in the last of them, which is read.
    if (unpacker) source = pipeline(source, unpacker, () => undefined);
  }
  return source;
}

/**
 * Piece by piece, so that no more is decompressed than read. Undefined for an unknown encoding: some servers name the
 * charset there.
 */
function unpackerFor(encoding: string): Transform | undefined {
  const zlib = process.getBuiltinModule("node:zlib");
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "deflate":
      return zlib.createInflate();
    case "br":
      return zlib.createBrotliDecompress();
    case "zstd":
      return zlib.createZstdDecompress();
    default:
      return undefined;
  }
}
