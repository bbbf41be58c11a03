import * as fc from "fast-check";
import { expect, it } from "vitest";
import { matchingLines, showAround, tellingWords } from "./matching-lines.ts";
import { displayWidth } from "./table.ts";

it("keeps the words that tell something", () => {
  expect(tellingWords("who carries the projector")).toEqual(["carries", "projector"]);
  expect(tellingWords("tea")).toEqual(["tea"]);
  expect(tellingWords("绿茶 please")).toEqual(["绿茶"]);
  expect(tellingWords("the")).toEqual(["the"]);
  expect(tellingWords("上周二说")).toEqual(["上周", "周二", "二说"]);
});

it("finds the lines that hold most of the words", () => {
  const text = "We go to Porto.\nIn Lisbon there is green tea.\nIn LISBON it rains.\nBye.";
  expect(matchingLines(text, ["lisbon"])).toEqual(["In Lisbon there is green tea.", "In LISBON it rains."]);
  expect(matchingLines(text, ["green", "lisbon"])).toEqual(["In Lisbon there is green tea."]);
  expect(matchingLines(text, ["berlin"])).toEqual([]);
});

it("shows the part of a long line that holds the word", () => {
  const line = `${"before ".repeat(40)}Lisbon ${"after ".repeat(40)}`;
  const shown = showAround(line, ["lisbon"], 40);
  expect(shown).toMatch(/^…before .*Lisbon after .*…$/);
});

it("never shows more than there is place for", () => {
  const place = fc.integer({ min: 20, max: 200 });
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.string({ maxLength: 5 }),
      place,
      (line, word, places) => {
        const flat = line.replaceAll(/\s+/g, " ");
        expect(displayWidth(showAround(flat, tellingWords(word), places))).toBeLessThanOrEqual(places);
      },
    ),
  );
});
