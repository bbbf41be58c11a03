import { parseMarkdown, visibleText } from "@pincer/sdk/markdown";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText } from "./html-text.ts";
import { renderHtml, renderWithin } from "./render-html.ts";
import { readHtml } from "./testing/read-html.ts";

describe("CHAN-01 Markdown as Telegram shows it", () => {
  it.each([
    ["**bold** _slanted_ ~~gone~~ `code`", "<b>bold</b> <i>slanted</i> <s>gone</s> <code>code</code>"],
    ["# Title\ntext", "<b>Title</b>\ntext"],
    ["a < b & c > d", "a &lt; b &amp; c &gt; d"],
    ["<script>x</script>", "&lt;script&gt;x&lt;/script&gt;"],
    ["[words](https://a.b/?x=1&y=2)", '<a href="https://a.b/?x=1&amp;y=2">words</a>'],
    ['[q](https://a.b/"onclick)', '<a href="https://a.b/&quot;onclick">q</a>'],
    ["[press](javascript:alert)", "press (javascript:alert)"],
    ["![a cat](https://a.b/c.png)", '<a href="https://a.b/c.png">a cat</a>'],
    ["![](https://a.b/c.png)", "https://a.b/c.png"],
    ["[words][r]\n\n[r]: https://a.b", '<a href="https://a.b">words</a>'],
    ["```js\nif (a < b) {}\n```", '<pre><code class="language-js">if (a &lt; b) {}</code></pre>'],
    ["```\nplain\n```", "<pre>plain</pre>"],
    ["> quoted\n> > twice", "<blockquote>quoted\ntwice</blockquote>"],
    ["- one\n- two\n  - inner", "• one\n• two\n  • inner"],
    ["3. three\n4. four", "3. three\n4. four"],
    ["- [x] done\n- [ ] open", "• ☑ done\n• ☐ open"],
    ["a\n\n---\n\nb", "a\n\n———\n\nb"],
    ["|a|bb|\n|-|-|\n|ccc|d|", "<pre>a   | bb\nccc | d</pre>"],
    ["one\\\ntwo", "one\ntwo"],
    ["***both***", "<i><b>both</b></i>"],
    ["**[link](https://a.b)**", '<b><a href="https://a.b">link</a></b>'],
    [
      "[a [b](https://c.d)](https://e.f)",
      '[a <a href="https://c.d">b</a>](<a href="https://e.f">https://e.f</a>)',
    ],
    ["[r]: https://only.a/definition", "[r]: https://only.a/definition"],
    ["text[^1]\n\n[^1]: the note", "text[1]\n\n[1] the note"],
  ])("%j", (markdown, html) => {
    expect(renderHtml(markdown).html).toBe(html);
  });

  it("counts as Telegram does: what people see, in UTF-16 units", () => {
    expect(renderHtml("**😀** <b>").length).toBe("😀 <b>".length);
  });

  it.each(commonMarkExamples())("Telegram takes %j, and its words are all there", (markdown) => {
    const { html, length } = renderHtml(markdown);
    const read = readHtml(html);
    expect(read).toMatchObject({ ok: true });
    expect(read.ok && read.text.length).toBe(length);
    expect(isWithin(letters(visibleText(parseMarkdown(markdown))), letters(plainText(html)))).toBe(true);
  });

  const mark = fc.constantFrom(
    ..."> - 1. * ** _ ` ``` ~~~ [ ] ( ) ![ < > | # \\ & : www. http:// https://a.b @ [^a] [^a]: --- === </b> <b> &lt; &#0; ~~ [x] \" '".split(
      " ",
    ),
    "\n",
    "\n\n",
    "    ",
    "\t",
    "word",
    "中文",
    "😀",
    "\ud800",
    "\0",
    "|a|b|\n|-|-|\n",
    "[r]: https://x.y\n",
  );

  it("whatever is written, Telegram can read it, and no word is lost", () => {
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 50 }), (pieces) => {
        const markdown = pieces.join("");
        const { html, length } = renderHtml(markdown);
        const read = readHtml(html);
        expect(read).toMatchObject({ ok: true });
        expect(read.ok && read.text.length).toBe(length);
        const seen = letters(visibleText(parseMarkdown(markdown.toWellFormed().replaceAll("\0", ""))));
        expect(isWithin(seen, letters(plainText(html)))).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  it("a text that fits stays one that fits", () => {
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 60 }), (pieces) => {
        const markdown = pieces.join("");
        expect(renderWithin(markdown, markdown.length).length).toBeLessThanOrEqual(markdown.length);
      }),
      { numRuns: 1500 },
    );
    expect(renderWithin("1.\tab\n--\n===", 12).html).toBe("1.\tab\n--\n===");
  });
});

const letters = (text: string): string => text.replaceAll(/\s/g, "");

/** Whether all of it stands there in order, with other things between. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const letter of part) {
    at = whole.indexOf(letter, at);
    if (at < 0) return false;
    at += letter.length;
  }
  return true;
}

/** One for each part of the CommonMark specification, in its manner. */
function commonMarkExamples(): string[] {
  return [
    "\tfoo\tbaz\t\tbim",
    "- foo\n\n\tbar",
    "- `one\n- two`",
    "***\n---\n___",
    "+++",
    "- Foo\n- * * *\n- Bar",
    "# foo\n## foo\n### foo",
    "####### foo",
    "# foo *bar* \\*baz\\*",
    "Foo *bar*\n=========\n\nFoo\n---",
    "    a simple\n      indented code block",
    "```\n<\n >\n```",
    "~~~~ ruby startline=3 $%@#$\ndef foo(x)\n  return 3\nend\n~~~~~~~",
    "````\naaa\n```\n``````",
    "<table><tr><td>\n<pre>\n**Hello**,\n\n_world_.\n</pre>\n</td></tr></table>",
    "<!-- Foo\n\nbar -->\nokay",
    '[foo]: /url "title"\n\n[foo]',
    "[Foo*bar\\]]:my_(url) 'title'\n\n[Foo*bar\\]]",
    "aaa\n\nbbb",
    "> # Foo\n> bar\n> baz",
    "> ```\n> aaa\n\nbbb",
    ">>> foo\n> bar\n>>baz",
    "1.  A paragraph\n    with two lines.\n\n        indented code\n\n    > A block quote.",
    "-\n\n  foo",
    "- foo\n  - bar\n    - baz\n      - boo",
    "10) foo\n    - bar",
    "- a\n- b\n\n- c",
    "`hi`lo`",
    "\\!\\\"\\#\\$\\%\\&\\'\\(\\)\\*\\+\\,",
    "&nbsp; &amp; &copy; &AElig; &frac34; &ClockwiseContourIntegral;",
    "&#35; &#1234; &#992; &#0; &#X22; &#XD06;",
    "`` foo ` bar ``",
    "` `` `",
    "*foo bar*\n\n_foo bar_\n\n**foo bar**",
    "a * foo bar*",
    '*foo "*bar*" foo*',
    "*foo**bar**baz*",
    "**foo*bar*baz**",
    "***foo** bar*",
    "*foo [bar](/url)*",
    "**Gomphocarpus (*Gomphocarpus physocarpus*, syn.\n*Asclepias physocarpa*)**",
    '[link](/uri "title")',
    "[link](</my uri>)",
    "[link](foo\\)\\:)",
    "[link](#fragment)\n\n[link](https://example.com#fragment)",
    '![foo *bar*][]\n\n[foo *bar*]: train.jpg "train & tracks"',
    "![[foo]](/url2)",
    "<http://foo.bar.baz/test?q=hello&id=22&boolean>",
    "<MAILTO:FOO@BAR.BAZ>",
    "<made-up-scheme://foo,bar>",
    '<a foo="bar" bam = \'baz <em>"</em>\'\n_boolean zoop:33=zoop33 />',
    "foo  \nbaz\nfoo\\\nbaz",
    "Foo χρῆν",
    "Multiple     spaces",
    "| foo | bar |\n| --- | --- |\n| baz | `b\\|c` |",
    "~~Hi~~ Hello, ~there~ world!",
    "www.commonmark.org/help",
  ];
}
