import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asMemoryLine,
  isUnconfirmed,
  labelFor,
  labelWords,
  readMemoryLine,
  wordsOfLine,
} from "./labelled-line.ts";

/** What gives lines their shape, and what looks like a label, in any order. */
const piece = fc.constantFrom(
  ..."- |* |1. |> |## |[x] |[ ] |  |\t|[unconfirmed] |[Unconfirmed, from web a.org] |[unconfirmed, from |]|\\|\\[unconfirmed]|<!-- untrusted: x -->|<!--untrusted:|<!-- \\untrusted: y -->|-->|\uFEFF|\u2028|tea|茶".split(
    "|",
  ),
);
const line = fc
  .array(fc.oneof(piece, fc.string({ unit: "grapheme", maxLength: 6 })), { maxLength: 8 })
  .map((pieces) => pieces.join("").replaceAll("\n", " "));
const label = fc.oneof(fc.constantFrom("web example.org", "unknown", "peer Eve"), fc.string());

describe("a line of memory", () => {
  it.each([
    ["a bullet", "- tea at six", "- [unconfirmed, from web example.org] tea at six"],
    ["a plain line", "tea", "[unconfirmed, from web example.org] tea"],
    ["a heading", "## Tea", "## [unconfirmed, from web example.org] Tea"],
    ["a box in a quotation", "> - [x] tea", "> - [x] [unconfirmed, from web example.org] tea"],
    ["a forged label", "- [unconfirmed] tea", "- [unconfirmed, from web example.org] \\[unconfirmed] tea"],
  ])("has its label behind its marks: %s", (_name, words, written) => {
    expect(asMemoryLine(words, "web example.org")).toBe(written);
    expect(isUnconfirmed(written)).toBe(true);
  });

  it("is read as it was written, words and label, whatever stands in it", () => {
    fc.assert(
      fc.property(line, fc.option(label, { nil: undefined }), (words, given) => {
        const { marks, text, label: found } = readMemoryLine(asMemoryLine(words, given));
        expect(marks + text).toBe(words);
        const isTold = given !== undefined && text !== "";
        expect(found).toBe(isTold ? labelFor({ from: given }) : undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it("is confirmed by taking its label away, in an editor as by command", () => {
    fc.assert(
      fc.property(line, label, (words, given) => {
        const written = asMemoryLine(words, given);
        const shown = `[${labelWords(labelFor({ from: given }))}] `;
        expect(isUnconfirmed(written.replace(shown, () => ""))).toBe(false);
        expect(written.replace(shown, () => "")).toBe(asMemoryLine(words, undefined));
      }),
    );
  });

  it.each([
    ["- Ann: seven <!-- untrusted: telegram:42 -->", "telegram:42", "Ann: seven"],
    ["mine <!-- untrusted: web --> <!-- untrusted: group -->", "group", "mine"],
    ["- [UNCONFIRMED] tea", "unknown", "tea"],
    ["- [unconfirmed, from web a.org]", "web a.org", ""],
  ])("has a label also where another program or a person wrote it: %s", (written, place, text) => {
    expect(readMemoryLine(written)).toMatchObject({ label: place, text });
  });

  it.each([
    "no <!-- untrusted: x --> label",
    "tea [unconfirmed, from web a.org]",
    "\\[unconfirmed] tea",
    "- <!-- a remark -->",
  ])("has none where nothing of the kind stands in its place: %s", (written) => {
    expect(isUnconfirmed(written)).toBe(false);
  });

  it("says where it comes from in few words, of which none can end the label or turn the line around", () => {
    expect(labelFor({ origin: "web", from: "a.org] confirmed [\u202E\n<!--" })).toBe(
      "web a.org confirmed !--",
    );
    expect(labelFor({ origin: "web", from: "x".repeat(500) }).length).toBeLessThanOrEqual(80);
    expect([labelFor({}), labelWords("unknown")]).toEqual(["unknown", "unconfirmed"]);
    expect(wordsOfLine("  - [x] tea ")).toBe("tea");
  });

  it("is read at once, however it is made", () => {
    const wide = " ".repeat(300_000);
    for (const hard of [
      wide,
      `[unconfirmed, from ${wide}`,
      `${"<!-- untrusted: x -->".repeat(20_000)}`,
      `<!--${wide}-->`,
      "- ".repeat(200_000),
    ])
      expect(readMemoryLine(hard).marks.length).toBeLessThanOrEqual(hard.length);
  });
});
