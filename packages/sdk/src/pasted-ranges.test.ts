import { array, assert, boolean, constantFrom, integer, property, record, string } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkedRanges,
  joinedParts,
  joinedSpoken,
  partsOf,
  rewrittenSpoken,
  slicedSpoken,
  trimmedSpoken,
  typedAlone,
  wholeOf,
  type Spoken,
} from "./pasted-ranges.ts";

const words = string({ unit: constantFrom("a", "b", "/", " ", "\n", "语", "😀"), maxLength: 12 });
const parts = array(record({ text: words, isPasted: boolean() }), { maxLength: 6 });
const spoken = parts.map(joinedParts);
const range = record({ start: integer({ min: -2, max: 20 }), end: integer({ min: -2, max: 20 }) });
/** One letter per character: p where it is pasted. */
const marks = (said: Spoken) =>
  partsOf(said)
    .map(({ text, isPasted }) => (isPasted ? "p" : "t").repeat(text.length))
    .join("");

describe("the pasted ranges of a text", () => {
  it("cut it into parts and put together give the same again", () => {
    assert(
      property(spoken, (said) => {
        expect(joinedParts(partsOf(said))).toEqual(said);
        expect(
          partsOf(said)
            .map(({ text }) => text)
            .join(""),
        ).toBe(said.text);
      }),
    );
  });

  it("are in order and within the text, or the whole of it counts as pasted", () => {
    assert(
      property(words, array(range, { maxLength: 4 }), (text, given) => {
        const checked = checkedRanges(text, given);
        let before = -1;
        for (const { start, end } of checked) {
          expect(start).toBeGreaterThan(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          before = end;
        }
        for (const { start, end } of given) {
          const covered = marks({ text, pasted: checked }).slice(Math.max(start, 0), Math.max(end, 0));
          expect(covered).toBe("p".repeat(covered.length));
        }
        expect(checkedRanges(text, checked)).toEqual(checked);
      }),
    );
  });

  it.each([
    [
      "out of order",
      [
        { start: 3, end: 4 },
        { start: 0, end: 1 },
      ],
    ],
    [
      "overlapping",
      [
        { start: 0, end: 3 },
        { start: 2, end: 4 },
      ],
    ],
    ["beyond the end", [{ start: 2, end: 7 }]],
    ["backwards", [{ start: 3, end: 2 }]],
    ["between two characters", [{ start: 0.5, end: 2 }]],
  ])("that are %s make all of it pasted", (_name, given) => {
    expect(checkedRanges("abcdef", given)).toEqual(wholeOf("abcdef"));
  });

  it("never cut a character in two", () => {
    expect(partsOf({ text: "a😀b", pasted: [{ start: 2, end: 3 }] })).toEqual([
      { text: "a", isPasted: false },
      { text: "😀", isPasted: true },
      { text: "b", isPasted: false },
    ]);
  });

  it("stay with their characters when the text is cut, trimmed or put behind another", () => {
    assert(
      property(
        spoken,
        spoken,
        integer({ min: 0, max: 30 }),
        integer({ min: 0, max: 30 }),
        (one, other, from, to) => {
          const both = joinedSpoken([one, other]);
          expect(both.text).toBe(one.text + other.text);
          expect(marks(both)).toBe(marks(one) + marks(other));
          const trimmed = trimmedSpoken(one);
          expect(trimmed.text).toBe(one.text.trim());
          const at = one.text.length - one.text.trimStart().length;
          expect(marks(trimmed)).toBe(marks(one).slice(at, at + trimmed.text.length));
          const cut = slicedSpoken(one, from, to);
          expect(cut.text).toBe(one.text.slice(from, to));
          expect(marks(cut)).toBe(marks(one).slice(from, to));
          expect(joinedSpoken([one, { text: "x" }])).toEqual({ text: `${one.text}x` });
        },
      ),
    );
  });

  it("are what they were, or more, after secrets were taken out", () => {
    const hide = (text: string) => text.replaceAll("ab", "[secret:key]");
    expect(
      rewrittenSpoken(
        joinedParts([
          { text: "x ab ", isPasted: false },
          { text: "b", isPasted: true },
        ]),
        hide,
      ),
    ).toEqual(
      joinedParts([
        { text: "x [secret:key] ", isPasted: false },
        { text: "b", isPasted: true },
      ]),
    );
    // It is half typed and half pasted: nobody can tell which half of what replaces it.
    expect(
      rewrittenSpoken(
        joinedParts([
          { text: "x a", isPasted: false },
          { text: "b", isPasted: true },
        ]),
        hide,
      ),
    ).toEqual({
      text: "x [secret:key]",
      pasted: [{ start: 0, end: 14 }],
    });
    assert(
      property(spoken, (said) => {
        const rewritten = rewrittenSpoken(said, hide);
        expect(rewritten.text).toBe(hide(said.text));
        const typed = partsOf(rewritten).filter(({ isPasted }) => !isPasted);
        for (const { text } of typed)
          expect(partsOf(said).some((part) => !part.isPasted && hide(part.text).includes(text))).toBe(true);
      }),
    );
  });

  it("show only what was typed to those who look for commands", () => {
    const said = joinedParts([
      { text: "/model ", isPasted: false },
      { text: "a b\n", isPasted: true },
    ]);
    expect(typedAlone(said, "?")).toBe("/model ? ?\n");
    assert(
      property(spoken, (each) => {
        const alone = typedAlone(each, "#");
        expect(alone).toHaveLength(each.text.length);
        const expected = Array.from(marks(each), (mark, at) =>
          mark === "t" || /\s/.test(each.text[at] ?? "") ? each.text[at] : "#",
        );
        expect(alone).toBe(expected.join(""));
      }),
    );
  });
});
