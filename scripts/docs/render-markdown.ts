/**
 * Makes HTML of a page of the documentation. Nothing in the Markdown can become markup of its own: HTML in it is shown as text, and a link or
 * an image leads where `links` says or nowhere.
 */
import { Marked, type Tokens, type Token } from "marked";
import { colourCode } from "./colour-code.ts";
import { escapeHtml } from "./escape-html.ts";

export interface Heading {
  depth: number;
  id: string;
  text: string;
}

export interface Section {
  /** Empty for what stands before the first heading below the title. */
  id: string;
  heading: string;
  depth: number;
  /** What is said there, without markup. */
  text: string;
}

export interface Rendered {
  title: string;
  html: string;
  headings: Heading[];
  sections: Section[];
}

export interface Links {
  /** Where a link leads; undefined for one that becomes plain text. */
  link(href: string): string | undefined;
  /** Where an image is; undefined for one whose words are shown instead. */
  image(href: string): string | undefined;
}

export function renderMarkdown(markdown: string, links: Links): Rendered {
  const ids = createIds();
  const headings: Heading[] = [];
  const marked = new Marked({ gfm: true });
  marked.use({
    // Addresses in the text are examples; a link is what somebody wrote as one.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ tokens, depth }) {
        const text = plainText(tokens);
        const id = ids(text);
        headings.push({ depth, id, text });
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${escapeHtml(id)}">${inner}</h1>\n`;
        const anchor = `<a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to “${escapeHtml(text)}”">#</a>`;
        return `<h${depth} id="${escapeHtml(id)}">${inner}${anchor}</h${depth}>\n`;
      },
      code: ({ text, lang }) =>
        `<pre data-language="${escapeHtml(languageOf(lang))}"><code>${colourCode(text, languageOf(lang))}</code></pre>\n`,
      // Within HTML the library would pass words on as they are.
      text(token) {
        return "tokens" in token && token.tokens
          ? this.parser.parseInline(token.tokens)
          : escapeHtml(token.text);
      },
      html: ({ text }) => (isComment(text) ? "" : escapeHtml(text)),
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = links.link(href);
        if (target === undefined) return inner;
        const isOutside = !target.startsWith("/") && !target.startsWith("#");
        return `<a href="${escapeHtml(target)}"${isOutside ? ' rel="noopener noreferrer external"' : ""}>${inner}</a>`;
      },
      image({ href, text }) {
        const source = links.image(href);
        if (source === undefined) return escapeHtml(text);
        return `<a class="picture" href="${escapeHtml(source)}"><img src="${escapeHtml(source)}" alt="${escapeHtml(text)}" loading="lazy"></a>`;
      },
      table(token) {
        return `<div class="table"><table>\n${tableHead(token, (cell) => this.parser.parseInline(cell.tokens))}${tableBody(token, (cell) => this.parser.parseInline(cell.tokens))}</table></div>\n`;
      },
      checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    },
  });
  const tokens = marked.lexer(markdown);
  const html = marked.parser(tokens);
  const title = headings.find(({ depth }) => depth === 1)?.text ?? "Pincer";
  return { title, html, headings, sections: sectionsOf(tokens, headings) };
}

type Cells = (cell: Tokens.TableCell) => string;

/** A table whose head says nothing has none: a screen reader would read empty cells. */
function tableHead({ header }: Tokens.Table, inner: Cells): string {
  if (header.every(({ text }) => text.trim() === "")) return "";
  return `<thead><tr>${header.map((cell) => `<th scope="col">${inner(cell) || "&nbsp;"}</th>`).join("")}</tr></thead>\n`;
}

const tableBody = ({ rows }: Tokens.Table, inner: Cells): string =>
  `<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${inner(cell)}</td>`).join("")}</tr>\n`).join("")}</tbody>`;

const isComment = (text: string): boolean => /^(?:\s*<!--(?:(?!-->).)*-->\s*)+$/s.test(text);

const languageOf = (info: string | undefined): string => /^[a-z0-9]+/.exec(info ?? "")?.[0] ?? "";

/** What is between two headings belongs to the first of them. Deeper ones than the third belong to those above. */
function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const sections: Section[] = [{ id: "", heading: headings[0]?.text ?? "", depth: 1, text: "" }];
  let at = 0;
  for (const token of tokens) {
    const heading = token.type === "heading" ? headings[at++] : undefined;
    if (heading && heading.depth > 1 && heading.depth <= 3)
      sections.push({ id: heading.id, heading: heading.text, depth: heading.depth, text: "" });
    else if (!heading || heading.depth > 3) {
      const section = sections.at(-1);
      if (section) section.text += ` ${plainText([token])}`;
    }
  }
  for (const section of sections) section.text = section.text.replace(/\s+/g, " ").trim();
  return sections;
}

/** The words of tokens, as somebody would read them out. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token): string => {
      if (token.type === "html" || token.type === "space" || token.type === "def") return "";
      if (token.type === "table") {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(" ")).join(" ");
      }
      if (token.type === "list")
        return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(" ");
      if ("tokens" in token && token.tokens) {
        const inner = plainText(token.tokens);
        return token.type === "paragraph" ? `${inner} ` : inner;
      }
      return "text" in token ? String(token.text) : "";
    })
    .join("");
}

/** Ids as code hosts make them, so that a link to a heading works there and here. */
function createIds(): (text: string) => string {
  const used = new Map<string, number>();
  return (text) => {
    const base =
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s/g, "-") || "section";
    const count = used.get(base) ?? 0;
    used.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}
