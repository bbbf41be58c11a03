import * as fc from "fast-check";
import { expect, it } from "vitest";
import { snippetAround } from "./snippet.ts";

it("SESS-09 shows the word in its surroundings, in one line", () => {
  const text = `${"before ".repeat(20)}the\nInvoice 4711${" after".repeat(20)}`;
  const snippet = snippetAround(text, ["invoice"]);
  expect(snippet).toContain("the Invoice 4711 after");
  expect(snippet).toMatch(/^….*…$/);
  expect([...snippet].length).toBeLessThanOrEqual(7 + 2 * 40 + 2);
});

it("SESS-09 finds Chinese words, and begins at the beginning where nothing is found", () => {
  expect(snippetAround("请把第三季度的发票发给我", ["发票"])).toBe("请把第三季度的发票发给我");
  expect(snippetAround("short", ["nothing"])).toBe("short");
});

it("holds a term that is there and never breaks a character, whatever the texts", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "grapheme", minLength: 1 }),
      (text, term) => {
        const snippet = snippetAround(`${text} ${term} ${text}`, [term]);
        const word = term.replace(/\s+/g, " ").trim();
        expect(snippet.toLowerCase()).toContain(word.toLowerCase());
        expect(snippet.isWellFormed()).toBe(true);
      },
    ),
  );
});
