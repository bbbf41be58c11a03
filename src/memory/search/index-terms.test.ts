import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexTerms, termsOf } from "./index-terms.ts";

/** Half characters too. */
const anyString = fc
  .array(fc.nat({ max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

describe("terms of a line", () => {
  it("leads irregular forms back to their word", () => {
    expect(termsOf("She went and bought two children's books")).toEqual([
      "she",
      "go",
      "and",
      "buy",
      "2",
      "child",
      "books",
    ]);
  });

  it("MEM-10 keeps identifiers as one term besides their parts", () => {
    expect(termsOf("ERR_CONN_RESET")).toEqual(["err", "conn", "reset", "errːconnːreset"]);
    expect(termsOf("v1.2.3")).toContain("v1ː2ː3");
    expect(termsOf("v12.3")).not.toContain("v1ː2ː3");
    expect(termsOf("see src/a-b/c.ts:12 there")).toEqual(
      expect.arrayContaining(["srcːaːbːcːtsː12", "srcːaːbːcːts"]),
    );
    expect(termsOf("ann@example.com")).toContain("annːexampleːcom");
  });

  it("gives Chinese as pairs of characters, and the last alone", () => {
    expect(termsOf("我的生日")).toEqual(["我的", "的生", "生日", "日"]);
    expect(termsOf("用Node写的")).toEqual(["用", "node", "写的", "的"]);
  });

  it("joins what is written with a hyphen or in two words", () => {
    expect(termsOf("well-being")).toContain("wellbeing");
  });

  it("puts who and when into the head", () => {
    expect(indexTerms({ line: 1, text: "hello", who: "Ann Lee", time: "2023-05-08T13:56" })).toEqual({
      body: "hello",
      head: "ann lee day20230508 month202305 year2023",
    });
    expect(indexTerms({ line: 1, text: "hello" })).toEqual({ body: "hello", head: "" });
  });

  it("does not depend on upper case or on wide and narrow forms", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const folded = text.normalize("NFKC");
        expect(termsOf(folded)).toEqual(termsOf(text));
        expect(termsOf(text.toUpperCase())).toEqual(termsOf(text));
      }),
    );
    expect(termsOf("ＡＢＣ　Straße")).toEqual(termsOf("abc STRASSE"));
  });

  it("takes any string", () => {
    fc.assert(fc.property(anyString, (text) => void termsOf(text)));
    expect(termsOf("\uD800 lone")).toEqual(["lone"]);
  });
});
