import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEventSplitter, dataOf, withData } from "./event-bytes.ts";

describe("server-sent events as bytes", () => {
  it("are the same events however they are cut, and nothing of them is lost", () => {
    const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/g, ""));
    const events = fc.array(fc.tuple(line, line), { maxLength: 8 });
    const ends = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(events, ends, fc.array(fc.nat({ max: 200 })), line, (written, end, cuts, tail) => {
        const texts = written.map(([first, second]) => `x:${first}${end}data: ${second}${end}${end}`);
        const bytes = Buffer.from(`${texts.join("")}${tail}`);
        const splitter = createEventSplitter(1_000_000);
        const points = [...cuts.sort((a, b) => a - b), bytes.length];
        let at = 0;
        const found: Buffer[] = [];
        for (const point of points) {
          found.push(...splitter.push(bytes.subarray(at, Math.max(at, point))));
          at = Math.max(at, point);
        }
        expect(found.map(String)).toEqual(texts);
        expect(String(splitter.rest())).toBe(tail);
      }),
    );
  });

  it("say what is in their data lines", () => {
    expect(dataOf("data: one\n\n")).toBe("one");
    expect(dataOf("data:one\r\n\r\n")).toBe("one");
    expect(dataOf("event: x\ndata: one\ndata:  two\nid: 1\n\n")).toBe("one\n two");
    expect(dataOf(": a comment\n\n")).toBeUndefined();
    expect(withData("event: x\r\nid: 1\r\ndata: one\r\ndata: two\r\n\r\n", "new")).toBe(
      "event: x\nid: 1\ndata: new\n\n",
    );
  });

  it("are refused beyond their limit", () => {
    const splitter = createEventSplitter(10);
    expect(splitter.push(Buffer.from("data: 1\n\n"))).toHaveLength(1);
    expect(() => splitter.push(Buffer.alloc(11, "x"))).toThrow(RangeError);
  });
});
