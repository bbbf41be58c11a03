import { describe, expect, it } from "vitest";
import { iterableOf, streamOf, type PieceReader } from "./piece-reader.ts";

function readerOf(pieces: string[], last?: Error) {
  const cancelled: unknown[] = [];
  const reader: PieceReader = {
    async read() {
      const piece = pieces.shift();
      if (piece !== undefined) return { done: false, value: Buffer.from(piece) };
      if (last) throw last;
      return { done: true, value: undefined };
    },
    async cancel(reason) {
      cancelled.push(reason);
    },
  };
  return { reader, cancelled };
}

describe.each([
  ["a web stream", streamOf],
  ["what can be iterated over", iterableOf],
])("pieces as %s", (_, made) => {
  it("come in order, and no faster than they are asked for", async () => {
    const pieces = ["one ", "two"];
    const stream = made(readerOf(pieces).reader);
    await new Promise((resolve) => setImmediate(resolve));
    expect(pieces).toHaveLength(2);
    expect(Buffer.concat(await Array.fromAsync(stream)).toString()).toBe("one two");
  });

  it("pass on what breaks them off, after what came before", async () => {
    const seen: string[] = [];
    const stream = made(readerOf(["one"], new Error("cut")).reader);
    await expect(
      (async () => {
        for await (const piece of stream) seen.push(Buffer.from(piece).toString());
      })(),
    ).rejects.toThrow("cut");
    expect(seen).toEqual(["one"]);
  });

  it("are given up when the reader leaves midway, and when it cancels", async () => {
    const left = readerOf(["one", "two"]);
    for await (const piece of made(left.reader)) {
      expect(Buffer.from(piece).toString()).toBe("one");
      break;
    }
    expect(left.cancelled).toEqual([undefined]);
    const stopped = readerOf(["one"]);
    await made(stopped.reader).cancel("enough");
    expect(stopped.cancelled).toEqual(["enough"]);
  });
});
