/** Bytes that come piece by piece, and what libraries take for a web stream of them: the real one is more work than most answers. */
import type { ReadableStreamReadResult } from "node:stream/web";

/** For one reader that asks for one piece after the other. A `ReadableStream`'s own reader is one. */
export interface PieceReader {
  /** Rejects when they break off, and from then on. */
  read(): Promise<ReadableStreamReadResult<Uint8Array>>;
  /** No more is wanted: gives the connection up. */
  cancel(reason?: unknown): Promise<void>;
  /** Whether everything has come, so that nobody is waited for any more; left out, that is not known. */
  isComplete?(): boolean;
}

export const streamOf = (pieces: PieceReader): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => pieces.cancel(reason),
    },
    { highWaterMark: 0 },
  );

/** For a library that does no more than iterate over it: of a web stream it has that, and can be cancelled. */
export function iterableOf(pieces: PieceReader): ReadableStream<Uint8Array> {
  const cancel = (reason?: unknown) => pieces.cancel(reason);
  const iterator = {
    next: () => pieces.read(),
    async return() {
      await cancel();
      return { done: true as const, value: undefined };
    },
  };
  const iterable = { locked: false, cancel, [Symbol.asyncIterator]: () => iterator };
  return iterable as unknown as ReadableStream<Uint8Array>;
}
