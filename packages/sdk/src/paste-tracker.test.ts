import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  record,
  string,
  constant,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { createPasteTracker } from "./paste-tracker.ts";
import { partsOf } from "./pasted-ranges.ts";

/** Few letters, so that what is put in often looks like what stands there. */
const words = string({ unit: constantFrom("a", "b", " ", "\n", "语", "😀"), maxLength: 6 });
const step = oneof(
  {
    weight: 6,
    arbitrary: record({
      type: constant("put" as const),
      at: nat(),
      over: nat({ max: 4 }),
      words,
      isPasted: boolean(),
    }),
  },
  { weight: 1, arbitrary: record({ type: constant("undo" as const), back: integer({ min: 1, max: 3 }) }) },
);

/** What is true: each character with where it came from. */
type Character = { character: string; isPasted: boolean };
const textOf = (all: readonly Character[]) => all.map(({ character }) => character).join("");

describe("following what is pasted", () => {
  it("marks every character that came from a paste, after any edits", () => {
    assert(
      property(array(step, { maxLength: 25 }), (steps) => {
        const tracker = createPasteTracker();
        let truth: Character[] = [];
        const states: Character[][] = [truth];
        for (const each of steps) {
          if (each.type === "undo") {
            truth = states[Math.max(0, states.length - 1 - each.back)] ?? [];
            const text = textOf(truth);
            tracker.edit({ text, start: 0, caret: text.length, kind: "restored" });
          } else {
            const at = each.at % (truth.length + 1);
            const over = Math.min(each.over, truth.length - at);
            const put = [...each.words].map((character) => ({ character, isPasted: each.isPasted }));
            truth = truth.toSpliced(at, over, ...put);
            tracker.edit({
              text: textOf(truth),
              start: textOf(truth.slice(0, at)).length,
              caret: textOf(truth.slice(0, at + put.length)).length,
              kind: each.isPasted ? "pasted" : "typed",
            });
          }
          states.push(truth);
          const marks = partsOf(tracker.spoken()).flatMap(({ text, isPasted }) =>
            [...text].map((character) => ({ character, isPasted })),
          );
          expect(textOf(marks)).toBe(textOf(truth));
          const missed = truth.filter(({ isPasted }, index) => isPasted && !marks[index]?.isPasted);
          expect(missed).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("takes typed words for typed, beside a paste as well, and for pasted within one", () => {
    const tracker = createPasteTracker();
    const put = (words: string, at: number, kind: "typed" | "pasted", over = 0) => {
      const { text } = tracker.spoken();
      tracker.edit({
        text: text.slice(0, at) + words + text.slice(at + over),
        start: at,
        caret: at + words.length,
        kind,
      });
      return partsOf(tracker.spoken()).map(({ text: part, isPasted }) => (isPasted ? `<${part}>` : part));
    };
    expect(put("to ", 0, "typed")).toEqual(["to "]);
    expect(put("a@b", 3, "pasted")).toEqual(["to ", "<a@b>"]);
    expect(put(" now", 6, "typed")).toEqual(["to ", "<a@b>", " now"]);
    expect(put("xx", 4, "typed")).toEqual(["to ", "<axx@b>", " now"]);
    expect(put("", 4, "typed", 3)).toEqual(["to ", "<ab>", " now"]);
    // What is selected and typed over is typed, all of it or from its beginning.
    expect(put("c", 3, "typed", 2)).toEqual(["to c now"]);
    expect(put("to c", 0, "pasted", 4)).toEqual(["<to c>", " now"]);
  });

  it("takes nothing for pasted where nothing ever was", () => {
    const tracker = createPasteTracker();
    tracker.edit({ text: "abc def", start: 0, caret: 7, kind: "typed" });
    tracker.edit({ text: "def abc", start: 0, caret: 3, kind: "restored" });
    expect(tracker.spoken().pasted).toEqual([]);
  });

  it("knows lines of a history for as long as they may be brought back", () => {
    const tracker = createPasteTracker();
    tracker.remember({ text: "to a@b", pasted: [{ start: 3, end: 6 }] });
    tracker.remember({ text: "/status", pasted: [] });
    for (let at = 0; at < 600; at++) tracker.edit({ text: `${at}`, start: 0, caret: 3, kind: "typed" });
    for (const [text, pasted] of [
      ["/status", []],
      ["to a@b", [{ start: 3, end: 6 }]],
    ] as const) {
      tracker.edit({ text, start: 0, caret: text.length, kind: "restored" });
      expect(tracker.spoken().pasted).toEqual(pasted);
    }
  });

  it("knows what undo and the history bring back, and takes for pasted what it never saw", () => {
    const tracker = createPasteTracker();
    const restore = (text: string) => {
      tracker.edit({ text, start: 0, caret: text.length, kind: "restored" });
      return tracker.spoken().pasted;
    };
    tracker.edit({ text: "typed", start: 0, caret: 5, kind: "typed" });
    tracker.edit({ text: "", start: 0, caret: 0, kind: "typed" });
    tracker.edit({ text: "again", start: 0, caret: 5, kind: "pasted" });
    expect(restore("typed")).toEqual([]);
    expect(restore("again")).toEqual([{ start: 0, end: 5 }]);
    // It came about in both ways, and nobody can tell which of them is brought back.
    tracker.edit({ text: "", start: 0, caret: 0, kind: "typed" });
    tracker.edit({ text: "again", start: 0, caret: 5, kind: "typed" });
    expect(tracker.spoken().pasted).toEqual([]);
    expect(restore("again")).toEqual([{ start: 0, end: 5 }]);
    expect(restore("unseen")).toEqual([{ start: 0, end: 6 }]);
    tracker.set({ text: "a draft of old" });
    expect(tracker.spoken().pasted).toEqual([{ start: 0, end: 14 }]);
    tracker.set({ text: "a draft", pasted: [] });
    expect(tracker.spoken().pasted).toEqual([]);
  });
});
