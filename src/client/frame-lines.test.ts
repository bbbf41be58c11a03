import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFrameLines } from "./frame-lines.ts";

/** Cuts bytes at the given places. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe("lines of a stream", () => {
  it("are the same however the stream is cut into chunks", () => {
    const text = fc.string({ unit: "grapheme" }).map((each) => JSON.stringify(each));
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.nat()), (lines, places) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const reader = createFrameLines(1_000_000);
        expect(cut(bytes, places).flatMap((chunk) => reader.push(chunk))).toEqual(lines);
      }),
    );
  });

  it("are not given before they are whole", () => {
    const reader = createFrameLines(100);
    expect(reader.push(Buffer.from("half"))).toEqual([]);
    expect(reader.push(Buffer.from(" and whole\nnext"))).toEqual(["half and whole"]);
  });

  it("are refused when they grow too long, with or without an end", () => {
    expect(createFrameLines(4).push(Buffer.from("1234\n"))).toEqual(["1234"]);
    expect(createFrameLines(4).push(Buffer.from("12345\n"))).toBe("too-long");
    const reader = createFrameLines(4);
    reader.push(Buffer.from("123"));
    expect(reader.push(Buffer.from("45"))).toBe("too-long");
  });
});
