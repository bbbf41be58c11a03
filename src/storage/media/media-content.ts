/** What a file holds, in memory or on the disk, to be looked at piece by piece: it may be larger than what anybody wants in memory. */
import type { FileHandle } from "node:fs/promises";
import { inSteps } from "./media-steps.ts";

export interface MediaContent {
  byteLength: number;
  /** As many of these bytes as there are. Throws the system's errors, here and below. */
  slice(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
  /** All of it, from the beginning. A piece is good until the next one is asked for. */
  pieces(): AsyncIterable<Uint8Array>;
}

export const contentInMemory = (content: Uint8Array): MediaContent => ({
  byteLength: content.byteLength,
  slice: async (from, to) => new Uint8Array(content.subarray(from, to)),
  pieces: () => inSteps(content),
});

const pieceBytes = 256 * 1024;

/** The caller closes the handle. */
export function contentInFile(handle: Pick<FileHandle, "read">, byteLength: number): MediaContent {
  async function readInto(buffer: Uint8Array<ArrayBuffer>, from: number): Promise<Uint8Array<ArrayBuffer>> {
    let filled = 0;
    while (filled < buffer.byteLength) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.byteLength - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  }
  return {
    byteLength,
    slice: (from, to) => readInto(new Uint8Array(Math.max(0, Math.min(to, byteLength) - from)), from),
    async *pieces() {
      const buffer = new Uint8Array(Math.min(pieceBytes, byteLength));
      for (let at = 0; at < byteLength; at += buffer.byteLength) {
        const piece = await readInto(buffer, at);
        if (piece.byteLength === 0) return;
        yield piece;
      }
    },
  };
}
