import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeNote, tidyNote } from "./compose-note.ts";

describe("a note", () => {
  it.each([
    ["one line becomes a bullet", "tea", "- tea"],
    ["a bullet stays one", "* tea", "* tea"],
    ["a numbered item stays one", "2. tea", "2. tea"],
    ["a heading stays one", "## Tea", "## Tea"],
    ["a hash without a space is no heading", "#tea", "- #tea"],
    ["several lines stay as they are", "tea\r\nand cake", "tea\nand cake"],
    ["control characters go", "t\u0000e\u001ba\u007f", "- tea"],
    ["half a pair is replaced", "\ud83d", "- \ufffd"],
  ])("is tidied: %s", (_name, text, note) => {
    expect(tidyNote(text)).toBe(note);
  });

  it.each([
    ["to nothing", "", "- tea", "- tea\n"],
    ["to a last line without an end", "- a", "- tea", "\n- tea\n"],
    ["to a last line with one", "- a\n", "- tea", "- tea\n"],
    ["as a paragraph after an item", "- a\n", "x\ny", "\nx\ny\n"],
    ["as a paragraph after an empty line", "- a\n\n", "x\ny", "x\ny\n"],
    ["as a paragraph after a last line without an end", "- a", "x\ny", "\n\nx\ny\n"],
  ])("is added %s", (_name, present, note, addition) => {
    expect(composeNote(present, note).addition).toBe(addition);
  });

  it("is found again whatever was there before, on the line that was told, and not added twice", () => {
    const words = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.trim() !== "");
    const present = fc.oneof(
      fc.string(),
      fc.array(words).map((all) => all.join("\n")),
    );
    fc.assert(
      fc.property(
        present,
        fc.oneof(
          words,
          fc.tuple(words, words).map((all) => all.join("\n")),
        ),
        (present, text) => {
          fc.pre(text.replace(/\p{Cc}/gu, "").trim() !== "");
          const note = tidyNote(text);
          const { addition, line } = composeNote(present, note);
          const after = present + addition;
          const lines = after.replaceAll("\r\n", "\n").split("\n");
          expect(lines.slice(line - 1, line - 1 + note.split("\n").length).join("\n")).toBe(note);
          expect(composeNote(after, note)).toEqual({ addition: "", line });
        },
      ),
    );
  });

  it("is known again in a file with the line ends of Windows", () => {
    expect(composeNote("- a\r\n- tea\r\n", "- tea")).toEqual({ addition: "", line: 2 });
  });
});
