import * as fc from "fast-check";
import { marked } from "marked";
import { expect, it } from "vitest";
import { protocolReference } from "./protocol-reference.ts";
import { wrapProse } from "./wrap-prose.ts";

const long = "word ".repeat(40).trim();
const filled = [`${"word ".repeat(23)}word`, `${"word ".repeat(15)}word`];

it("fills paragraphs and items of lists, and leaves headings, tables and code as they are", () => {
  expect(wrapProse(long)).toBe(filled.join("\n"));
  expect(wrapProse(`short\nlines\n\n- ${long}\n- b\n  c`)).toBe(
    `short lines\n\n- ${"word ".repeat(22)}word\n  ${"word ".repeat(16)}word\n- b c`,
  );
  for (const kept of [`# ${long}`, `| ${long} |\n|---|`, `    ${long}`, `\`\`\`\n${long}\n\n${long}\n\`\`\``])
    expect(wrapProse(`a\n\n${kept}\n\nb\n`)).toBe(`a\n\n${kept}\n\nb\n`);
});

it("begins no line with what would begin a list or a heading there", () => {
  const words = fc.constantFrom("a", "-", "*", "+", "#", ">", "1.", "12)", "word", "`code`", "longer-words");
  fc.assert(
    fc.property(fc.array(words, { minLength: 60, maxLength: 120 }), (said) => {
      const text = `Said ${said.join(" ")}`;
      expect(plain(marked.parse(wrapProse(text), { async: false }))).toBe(
        plain(marked.parse(text, { async: false })),
      );
    }),
  );
});

it("says the same page as before, in lines that fit", () => {
  const page = protocolReference();
  const wrapped = wrapProse(page);
  expect(plain(marked.parse(wrapped, { async: false }))).toBe(plain(marked.parse(page, { async: false })));
  expect(wrapProse(wrapped)).toBe(wrapped);
  const prose = wrapped.replaceAll(/^```[^]*?^```$/gm, "").split("\n");
  expect(prose.filter((line) => line.length > 120 && !line.startsWith("|"))).toEqual([]);
});

const plain = (html: string): string => html.replaceAll(/\s+/g, " ");
