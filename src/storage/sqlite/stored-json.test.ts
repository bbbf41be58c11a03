import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStored } from "./stored-json.ts";

describe("JSON as it is stored", () => {
  it("is what JSON.parse makes of it, however often and in whatever order it is read", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 400 }), (values) => {
        const texts = values.map((value) => JSON.stringify(value));
        for (const text of [...texts, ...texts.toReversed()])
          expect(readStored(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("is read once where it is read again", () => {
    const text = JSON.stringify({ person: { id: "cli:owner" } });
    expect(readStored(text)).toBe(readStored(text));
  });

  it("cannot be changed by whoever reads it, long or short", () => {
    const short = readStored<{ list: number[] }>('{"list":[1]}');
    expect(() => short.list.push(2)).toThrow("not extensible");
    const long = readStored<{ list: string[] }>(JSON.stringify({ list: ["x".repeat(5000)] }));
    expect(() => long.list.push("y")).toThrow("not extensible");
  });

  it("is not kept where it is long, so that tool results do not fill the memory", () => {
    const long = JSON.stringify({ text: "x".repeat(5000) });
    expect(readStored(long)).not.toBe(readStored(long));
  });

  it("throws for what is no JSON", () => {
    expect(() => readStored("{")).toThrow("JSON");
  });
});
