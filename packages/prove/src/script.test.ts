import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  callIdOf,
  longParts,
  readAnswer,
  readScripts,
  scriptKinds,
  writeAnswer,
  type Script,
} from "./script.ts";

const script = fc.record({
  id: fc.nat().map((number) => `m${number}`),
  kind: fc.constantFrom(...scriptKinds),
});
const scripts = fc.uniqueArray(script, { minLength: 1, maxLength: 5, selector: ({ id }) => id });

describe("the language of the proof", () => {
  it("finds what a message asks for, whatever stands around it", () => {
    expect(readScripts("[12:00] somebody: m17 tools\n\nm18 say")).toEqual([
      { id: "m17", kind: "tools" },
      { id: "m18", kind: "say" },
    ]);
    expect(readScripts("m17 sayings, m18  say, xm19 say")).toEqual([]);
  });

  it("reads in an answer what was written into it", () => {
    fc.assert(
      fc.property(scripts, (asked) => {
        const read = readAnswer(writeAnswer(asked, () => "done"));
        const long = asked.filter(({ kind }) => kind === "long");
        expect(read).toMatchObject({ type: "answer", named: asked.map(({ id }) => id) });
        expect(read.type === "answer" && read.parts.length).toBe(long.length * longParts);
      }),
    );
  });

  it("tells how calls ended", () => {
    const asked: Script[] = [{ id: "m1", kind: "tools" }];
    const text = writeAnswer(asked, (callId) => (callId === callIdOf("m1", "c") ? "unknown" : "done"));
    expect(readAnswer(text)).toMatchObject({
      deeds: [
        { callId: "call_m1_a", deed: "done" },
        { callId: "call_m1_b", deed: "done" },
        { callId: "call_m1_c", deed: "unknown" },
      ],
    });
  });

  it("sees that an answer was cut short, wherever it was cut", () => {
    fc.assert(
      fc.property(scripts, fc.nat(), (asked, place) => {
        const text = writeAnswer(asked, () => "done");
        const cut = text.slice(0, place % text.length).trimEnd();
        const read = readAnswer(cut);
        // A cut between lines leaves a whole text that says less.
        const isWhole = cut !== "" && text.slice(cut.length).startsWith("\n");
        expect(read.type).toBe(isWhole ? "answer" : "broken");
      }),
    );
  });

  it("takes the product's own words for what they are", () => {
    expect(readAnswer("The answer could not be delivered.")).toEqual({ type: "line" });
    expect(readAnswer("")).toEqual({ type: "broken" });
  });
});
