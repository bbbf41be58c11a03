import { parseHTML } from "linkedom";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderMarkdown, type Links } from "./render-markdown.ts";

const links: Links = {
  link: (href) => (/^(https:\/\/|\/|#)/.test(href) ? href : undefined),
  image: (href) => (href.startsWith("images/") ? `/docs/${href}` : undefined),
};
const render = (markdown: string) => renderMarkdown(markdown, links);

/** Everything that a page may be made of. */
const harmless = new Set(
  "a blockquote br code del div em h1 h2 h3 h4 h5 h6 hr img li ol p pre span strong table tbody td th thead tr ul".split(
    " ",
  ),
);
const harmlessAttributes = new Set(
  "alt aria-label class data-language href id loading rel scope src start".split(" "),
);

/** As much of one as is looked at: the repository's own code knows no browser. */
interface ParsedElement {
  tagName: string;
  attributes: Iterable<{ name: string }>;
  getAttribute(name: string): string | null;
}

function problemsOf(html: string): string[] {
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  const elements = Array.from(document.querySelectorAll("body *")) as ParsedElement[];
  return elements.flatMap((element) => {
    const name = element.tagName.toLowerCase();
    const attributes = Array.from(element.attributes, (each) => each.name);
    return [
      ...(harmless.has(name) ? [] : [`<${name}>`]),
      ...attributes.filter((each) => !harmlessAttributes.has(each)).map((each) => `${name}[${each}]`),
      ...(/^(javascript|data|vbscript|file):/i.test(element.getAttribute("href") ?? "")
        ? [`${name}: link`]
        : []),
    ];
  });
}

describe("a page made of Markdown", () => {
  it.each([
    ["a script", "<script>alert(1)</script>"],
    ["a handler", '<img src=x onerror="alert(1)">'],
    ["HTML within words", "hello <b onclick=alert(1)>you</b> there"],
    ["words behind a script", "a <script> <img src=x onerror=alert(1) b"],
    ["a frame", "<iframe src=https://example.com></iframe>"],
    ["a style", "<style>body { display: none }</style>\n\n<p style='position: fixed'>x</p>"],
    ["a link that runs", "[x](javascript:alert(1))"],
    [
      "a link that runs, in disguise",
      "[x](JaVaScRiPt:alert(1)) [y](java&#115;cript:alert(1)) <javascript:alert(1)>",
    ],
    ["a link that breaks out", '[x](https://example.com/"onmouseover="alert(1))'],
    ["a title that breaks out", '[x](https://example.com "a\\" onclick=\\"alert(1)")'],
    ["a picture that breaks out", '![x" onerror="alert(1)](images/a.png)'],
    ["a picture from elsewhere", "![words](https://example.com/pixel.png)"],
    ["a heading that breaks out", '## "><script>alert(1)</script>'],
    ["a language that breaks out", '```ts" onclick="alert(1)\nx\n```'],
    ["code that breaks out", "```ts\n</code></pre><script>alert(1)</script>\n```"],
    ["code in words that breaks out", "`</code><script>alert(1)</script>`"],
    ["a comment that does not end", "<!-- <script>alert(1)</script>"],
    ["a comment with more behind it", "<!-- a --><script>alert(1)</script>"],
    ["a cell that breaks out", "| a |\n| --- |\n| <img src=x onerror=alert(1)> |"],
  ])("has nothing in it that %s could do", (_name, markdown) => {
    expect(problemsOf(render(markdown).html)).toEqual([]);
  });

  it("has nothing else in it, whatever the text", () => {
    const piece = fc.constantFrom(
      ..."<script> </script> <img onerror= src=x > \" ' ` ``` [a]( ) ![ ]( javascript: images/ # ## | --- \n \n\n <!-- --> & &lt; &#60; \\ * _ ~ a".split(
        " ",
      ),
      "\n",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(problemsOf(render(pieces.join("")).html)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it("shows what was written, signs and all", () => {
    const { document } = parseHTML(
      `<html><body>${render('Use `<name>` & "more" <than> that').html}</body></html>`,
    );
    expect(document.body.textContent.trim()).toBe('Use <name> & "more" <than> that');
  });

  it("leaves comments out", () => {
    expect(render("before\n\n<!-- oxfmt-ignore-start -->\n\nafter").html).not.toContain("oxfmt");
  });

  it("gives each heading an id as code hosts do, the second of a name one of its own", () => {
    const { headings } = render("# A\n\n## What `it` does: now!\n\n## Same\n\n## Same\n\n### 中文 标题");
    expect(headings.map(({ id }) => id)).toEqual(["a", "what-it-does-now", "same", "same-1", "中文-标题"]);
  });

  it("leads where it is told, and nowhere else", () => {
    const { html } = render("[a](/docs/models) [b](../src/x.ts) [c](https://example.com)");
    expect(html).toContain('<a href="/docs/models">a</a>');
    expect(html).not.toContain("x.ts");
    expect(html).toContain('rel="noopener noreferrer external"');
  });

  it("takes no address in the text for a link", () => {
    expect(render("http://127.0.0.1:8080 and bob@example.com").html).not.toContain("<a");
  });

  it("colours code without changing a sign of it", () => {
    const code = fc.string({ unit: fc.constantFrom(..."ab \"'`/*#\\\n{}<>&:") });
    fc.assert(
      fc.property(code, fc.constantFrom("ts", "json5", "sh", "yaml", "", "other"), (text, language) => {
        const { document } = parseHTML(
          `<body>${renderMarkdown(`~~~~${language}\n${text}\n~~~~`, links).html}</body>`,
        );
        const shown = document.querySelector("code")?.textContent ?? "";
        expect(shown.trimEnd()).toBe(text.trimEnd());
      }),
    );
  });

  it("cuts a page into sections for the search", () => {
    const { title, sections } = render(
      "# Top\n\nlead\n\n## One\n\ntext `code`\n\n| a | b |\n| - | - |\n| c | d |\n\n#### deep\n\nbelow",
    );
    expect(title).toBe("Top");
    expect(sections.map(({ id, text }) => [id, text])).toEqual([
      ["", "lead"],
      ["one", "text code a b c d deep below"],
    ]);
  });
});
