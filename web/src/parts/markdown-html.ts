/**
 * Markdown as HTML in which every word of the text stays visible. Tags in the text are words like any other: an answer about HTML or
 * `List<String>` is read as it was written. Pure; what it returns still passes the sanitiser.
 */
import { Marked, Renderer, Tokenizer, type Tokens } from "marked";

const words = new Marked({ gfm: true, breaks: true });
/** Whether a cell is being rendered: there Markdown has no other line break than `<br>`. */
let isInCell = false;

words.use({
  tokenizer: {
    // The usual one takes what stands within `<pre>` and `<script>` for HTML.
    tag(src) {
      const [raw] = /^<br ?\/?>/i.exec(src) ?? [];
      if (raw === undefined) return undefined;
      return { type: "html", raw, text: raw, block: false, inLink: false, inRawBlock: false };
    },
    def(src) {
      const [, name = ""] = this.rules.block.def.exec(src) ?? [];
      const isKnown = this.lexer.tokens.links[name.toLowerCase().replaceAll(/\s+/g, " ")] !== undefined;
      // A second one of the same name would be dropped: it is a paragraph then. `false` asks for the usual way.
      return isKnown ? undefined : false;
    },
    table(src) {
      const found = Tokenizer.prototype.table.call(this, src);
      return found && withEveryCell(found, (raw) => Tokenizer.prototype.table.call(this, raw));
    },
  },
  renderer: {
    html: ({ text, block }) => (block ? `<p>${linesOf(text)}</p>\n` : isInCell ? "<br>" : escaped(text)),
    // Sources at the end of an answer are there to be read.
    def({ raw }) {
      const lexer = new words.Lexer(words.defaults);
      return `<p>${this.parser.parseInline(lexer.inlineTokens(raw.trim()))}</p>\n`;
    },
    link(link) {
      return Renderer.prototype.link.call(this, link) + titleOf(link);
    },
    image(image) {
      return Renderer.prototype.image.call(this, image) + titleOf(image);
    },
    code({ text, lang = "" }) {
      const [language = ""] = lang.split(/\s/);
      const name = language === "" ? "" : ` class="language-${escaped(language)}"`;
      // All that stood behind the fence, "ts" or "ts file.ts": as text, because the sanitiser drops many an attribute.
      const title = lang === "" ? "" : `<em>${escaped(lang)}</em>`;
      return `<pre>${title}<code${name}>${escaped(text.replace(/\n*$/, "\n"))}</code></pre>\n`;
    },
    tablecell(cell) {
      isInCell = true;
      const text = this.parser.parseInline(cell.tokens);
      isInCell = false;
      const tag = cell.header ? "th" : "td";
      return `<${tag}${cell.align ? ` align="${cell.align}"` : ""}>${text}</${tag}>\n`;
    },
  },
});

/** Never throws. */
export const markdownToHtml = (text: string): string => words.parse(text, { async: false });

/** Behind its link or picture: a phone has no pointer that makes titles appear. Those of sources are shown there. */
const titleOf = ({ title, raw }: Tokens.Link | Tokens.Image): string =>
  title && raw.endsWith(")") ? ` (${escaped(title)})` : "";

/** GFM drops the cells of a row that is longer than the head. Here the head grows. */
function withEveryCell(table: Tokens.Table, read: (raw: string) => Tokens.Table | undefined): Tokens.Table {
  const [head = "", rule = "", ...rows] = table.raw.split("\n");
  const most = Math.max(0, ...rows.map((row) => row.split("|").length));
  const missing = most - table.header.length;
  if (missing <= 0) return table;
  const grow = (line: string, cell: string) =>
    `${line.replace(/(?<!\\)\|\s*$/, "")}${`| ${cell} `.repeat(missing)}|`;
  const wide = read([grow(head, ""), grow(rule, "---"), ...rows].join("\n"));
  if (!wide) return table;
  const lines = [wide.header, ...wide.rows];
  const used = Math.max(...lines.map((cells) => cells.findLastIndex(({ text }) => text !== "") + 1));
  const count = Math.max(used, table.header.length);
  return {
    ...wide,
    raw: table.raw,
    header: wide.header.slice(0, count),
    align: wide.align.slice(0, count),
    rows: wide.rows.map((cells) => cells.slice(0, count)),
  };
}

/** A stretch of HTML, line by line, with its indents. */
const linesOf = (text: string): string =>
  escaped(text.trimEnd())
    .replaceAll(/^ +/gm, (indent) => "&nbsp;".repeat(indent.length))
    .replaceAll("\n", "<br>");

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
