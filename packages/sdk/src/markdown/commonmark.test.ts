import { describe, expect, it } from "vitest";
import fixture from "./fixtures/commonmark-examples.json" with { type: "json" };
import { parseMarkdown, plainText, visibleText } from "./index.ts";

const letters = (text: string): string => text.replaceAll(/\s/g, "");

/** Whether all of it stands there in order, with other things between. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const letter of part) {
    at = whole.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

describe("the examples of CommonMark", () => {
  it("CHAN-25 are all there", () => {
    expect(fixture.examples).toHaveLength(655);
  });

  it("CHAN-25 become plain text that has every word which a reader sees", () => {
    const lost = fixture.examples.filter((markdown) => {
      const tree = parseMarkdown(markdown);
      return !isWithin(letters(visibleText(tree)), letters(plainText(tree)));
    });
    expect(lost).toEqual([]);
  });
});
