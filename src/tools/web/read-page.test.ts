import { describe, expect, it } from "vitest";
import { readPage } from "./read-page.ts";
import { smallPdf } from "./testing/small-pdf.ts";

const page = (words: string | Uint8Array, contentType = "text/html") => ({
  bytes: Buffer.from(words),
  contentType,
  url: "https://example.org/dir/page",
  format: "markdown" as const,
});
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("reading a page", () => {
  it("TOOL-19 finds the article, its title and where its links lead", async () => {
    const words = "Boats are built of wood, and of steel, and of patience. ".repeat(12);
    const html = `<html><head><title>Boats</title></head><body><nav><a href="/">Home</a> | <a href="/x">More</a></nav>
      <article><h2>Wood</h2><p>${words}</p><p>See <a href="../oak" title="no">oak</a> and <a href="javascript:x()">that</a>.</p>
      <ul><li>One</li><li>Two</li></ul><pre><code>a = 1</code></pre></article></body></html>`;
    const { title, text, kind } = await readPage(page(html));
    expect([title, kind]).toEqual(["Boats", "html"]);
    expect(text).toMatch(/^## Wood\n\nBoats are built/);
    expect(text).toContain("See [oak](https://example.org/oak) and that.");
    expect(text).toMatch(/-\s+One\n-\s+Two/);
    expect(text).toContain("```\na = 1\n```");
    expect(text).not.toContain("Home");
  });

  it("TOOL-19 tells all of a page that has no article", async () => {
    const { text } = await readPage(page("<p>Open <b>daily</b></p><p>9 to 5</p>"));
    expect(text).toBe("Open **daily**\n\n9 to 5");
    const plain = {
      ...page("<p>Open <b>daily</b></p><table><tr><td>9</td><td>5</td></tr></table>"),
      format: "text" as const,
    };
    expect((await readPage(plain)).text).toBe("Open daily\n\n9 5");
  });

  it("TOOL-19 reads a PDF, whatever the server calls it", async () => {
    const pdf = smallPdf(["Hello there", "The end"]);
    for (const type of ["application/pdf", "application/octet-stream", "text/html"])
      expect(await readPage(page(pdf, type))).toMatchObject({
        kind: "pdf",
        text: "Hello there\n\nThe end",
      });
  });

  it("TOOL-19 indents JSON and leaves other texts as they are", async () => {
    const read = async (words: string, type: string) => (await readPage(page(words, type))).text;
    expect(await read('{"a":[1]}', "application/json; charset=utf-8")).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(await read('{"a":', "application/problem+json")).toBe('{"a":');
    expect(await read("a\n  b <i>", "text/plain")).toBe("a\n  b <i>");
    expect(await read("# a", "")).toBe("# a");
  });

  it("TOOL-19 says what it is that cannot be read", async () => {
    const error = await rejection(readPage(page(Buffer.from("PNG\0!"), "image/png")));
    expect(error).toMatchObject({ message: expect.stringContaining("not a text: image/png, 5 bytes") });
    const broken = await rejection(readPage(page("%PDF-1.4 nothing")));
    expect(broken).toBeInstanceOf(Error);
  });

  it("TOOL-19 reads bytes in the encoding that they name", async () => {
    const read = async (bytes: number[], type: string) =>
      (await readPage(page(Uint8Array.from(bytes), type))).text;
    expect(await read([0xe9], "text/plain; charset=iso-8859-1")).toBe("é");
    expect(await read([0xef, 0xbb, 0xbf, 0xc3, 0xa9], "text/plain; charset=iso-8859-1")).toBe("é");
    expect(await read([0xff, 0xfe, 0xe9, 0], "text/plain")).toBe("é");
    expect(await read([...Buffer.from('<meta charset="gbk"><p>'), 0xc4, 0xe3], "text/html")).toBe("你");
    expect(await read([0xc3, 0xa9], "text/plain; charset=nonsense")).toBe("é");
  });
});

describe("what a reader would not see on a page", () => {
  it.each([
    '<p style="display:none">hidden words</p>',
    '<p style="DISPLAY : None !important">hidden words</p>',
    '<p style="display:/**/none">hidden words</p>',
    '<p style="visibility:hidden">hidden words</p>',
    '<p style="opacity:0">hidden words</p>',
    '<p style="opacity: 0.0">hidden words</p>',
    '<p style="font-size:0px">hidden words</p>',
    '<p style="font-size:1px">hidden words</p>',
    '<p style="height:0;overflow:hidden">hidden words</p>',
    '<p style="width:1px;height:1px;overflow:hidden">hidden words</p>',
    '<p style="position:absolute;left:-9999px">hidden words</p>',
    '<p style="text-indent:-9999em">hidden words</p>',
    '<p style="clip:rect(0,0,0,0)">hidden words</p>',
    '<p style="clip-path:inset(50%)">hidden words</p>',
    '<p style="transform:scale(0)">hidden words</p>',
    '<p style="color:transparent">hidden words</p>',
    '<p style="color:#fff;background:#fff">hidden words</p>',
    "<p hidden>hidden words</p>",
    '<p aria-hidden="true">hidden words</p>',
    '<style>.a { display: none }</style><p class="a">hidden words</p>',
    '<style>@media screen { #b.c { opacity: 0 } }</style><p id="b" class="c">hidden words</p>',
    "<!-- hidden words -->",
    "<template>hidden words</template>",
    "<noscript>hidden words</noscript>",
    "<script>hidden words</script>",
    '<textarea>hidden words</textarea><input value="hidden words">',
    '<img alt="hidden words" src="a.png">',
    '<p title="hidden words">x</p><a href="/" title="hidden words">y</a>',
    '<meta name="description" content="hidden words">',
    '<div style="display:none"><p>deep: <b>hidden words</b></p></div>',
    `<p>${[..."hidden words"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")}</p>`,
  ])("TOOL-19 is not told: %j", async (part) => {
    for (const format of ["markdown", "text"] as const) {
      const source = { ...page(`<p>Seen.</p>${part}<p>Seen too.</p>`), format };
      const { text, title } = await readPage(source);
      expect(`${title}${text}`).not.toMatch(
        /hidden|words|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u{e0000}-\u{e0fff}]/u,
      );
      expect(text).toContain("Seen too.");
    }
  });

  it("TOOL-19 leaves what people see: joined emoji, letters of scripts that need joiners, a page that is shown late", async () => {
    const html = "<style>body{opacity:0}</style><p>👩‍🚀 ❤️ می‌خواهم</p>";
    expect((await readPage(page(html))).text).toBe("👩‍🚀 ❤️ می‌خواهم");
  });

  it("TOOL-19 leaves letters without the signs between them that have no shape", async () => {
    const { text } = await readPage(
      page("<p>\u200bi\u200dg\u2060n\u202eo\ufeffr\u00ade\u2067\u{e0041}\ufe01</p>"),
    );
    expect(text).toBe("ignore");
  });
});
