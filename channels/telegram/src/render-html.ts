/**
 * Markdown as the HTML that Telegram knows: seven tags, everything else in words. It is built from the tree, so what is opened is closed.
 * Lists are indented and tables filled up, so that it may show more letters than were written.
 */
import { parseMarkdown, visibleText } from "@pincer/sdk/markdown";
import { escapeAttribute, escapeHtml, plainLength } from "./html-text.ts";
import { renderTable } from "./render-table.ts";

type Root = ReturnType<typeof parseMarkdown>;
type Node =
  | Root
  | Root["children"][number]
  | Extract<Root["children"][number], { children: unknown[] }>["children"][number];

export interface RenderedText {
  html: string;
  /** Of what people see, in UTF-16 units, as Telegram counts after it has taken the tags out. */
  length: number;
}

/** As it is written where rendering makes it longer than the limit: a text that fits stays one that fits. */
export function renderWithin(markdown: string, limit: number): RenderedText {
  const rendered = renderHtml(markdown);
  return rendered.length <= limit ? rendered : asWritten(markdown);
}

/** Never throws; a text that shows nothing is rendered as it is written. */
export function renderHtml(markdown: string): RenderedText {
  const text = markdown.toWellFormed().replaceAll("\0", "");
  const tree = parseMarkdown(text);
  const html = blocks(tree.children, { targets: targetsOf(tree), isQuoted: false }).trim();
  const rendered = { html, length: plainLength(html) };
  return rendered.length > 0 ? rendered : asWritten(text);
}

/** The source itself, for whatever cannot be shown otherwise. */
function asWritten(markdown: string): RenderedText {
  const text = markdown.toWellFormed().replaceAll("\0", "").trim();
  return { html: escapeHtml(text), length: text.length };
}

interface Setting {
  /** Addresses that links refer to by name. */
  targets: ReadonlyMap<string, string>;
  isQuoted: boolean;
}

function targetsOf(tree: Root): Map<string, string> {
  const targets = new Map<string, string>();
  for (const node of tree.children)
    if (node.type === "definition" && !targets.has(node.identifier)) targets.set(node.identifier, node.url);
  return targets;
}

/** Blocks keep the distance that they have in the text: on the next line, or with a line between. */
function blocks(nodes: readonly Node[], setting: Setting): string {
  let text = "";
  let before: Node | undefined;
  for (const node of nodes) {
    const shown = block(node, setting);
    if (shown === "") continue;
    if (before) text += isNextLine(before, node) ? "\n" : "\n\n";
    text += shown;
    before = node;
  }
  return text;
}

const isNextLine = (before: Node, after: Node): boolean =>
  before.position !== undefined &&
  after.position !== undefined &&
  after.position.start.line - before.position.end.line <= 1;

function block(node: Node, setting: Setting): string {
  switch (node.type) {
    case "paragraph":
      return inlines(node.children, setting);
    case "heading":
      return wrap("b", inlines(node.children, setting));
    case "code":
      return renderCode(node.value, node.lang);
    case "blockquote":
      return quote(blocks(node.children, { ...setting, isQuoted: true }), setting);
    case "list":
      return list(node, setting);
    case "table":
      return renderTable(node.children.map((row) => row.children.map((cell) => visibleText(cell))));
    case "thematicBreak":
      return "———";
    case "html":
      return escapeHtml(node.value);
    case "footnoteDefinition":
      return `[${escapeHtml(node.label ?? node.identifier)}] ${blocks(node.children, setting)}`;
    case "definition":
      return "";
    default:
      return inline(node, setting);
  }
}

/** Telegram knows no quotation within another. */
const quote = (html: string, { isQuoted }: Setting): string =>
  html === "" || isQuoted ? html : `<blockquote>${html}</blockquote>`;

const renderCode = (code: string, language: string | null | undefined): string => {
  if (code === "") return "";
  const name = /^[A-Za-z0-9+#_.-]{1,32}/.exec(language ?? "")?.[0];
  const body = escapeHtml(code);
  return name === undefined
    ? `<pre>${body}</pre>`
    : `<pre><code class="language-${escapeAttribute(name)}">${body}</code></pre>`;
};

function list(node: Extract<Node, { type: "list" }>, setting: Setting): string {
  const start = node.start ?? 1;
  const items = node.children.map((item, index) => {
    const mark = node.ordered ? `${start + index}.` : "•";
    const box = item.checked === true ? " ☑" : item.checked === false ? " ☐" : "";
    const body = blocks(item.children, setting);
    return `${mark}${box} ${indented(body)}`.trimEnd();
  });
  return items.join(node.spread ? "\n\n" : "\n");
}

/** What is set apart by a tag keeps its lines as they are. */
const indented = (html: string): string =>
  html
    .split(/(<pre>[\s\S]*?<\/pre>)/)
    .map((part) => (part.startsWith("<pre>") ? part : part.replaceAll(/\n(?=[^\n])/g, "\n  ")))
    .join("");

const inlines = (nodes: readonly Node[], setting: Setting): string =>
  nodes.map((node) => inline(node, setting)).join("");

function inline(node: Node, setting: Setting): string {
  switch (node.type) {
    case "text":
    case "html":
      return escapeHtml(node.value);
    case "strong":
      return wrap("b", inlines(node.children, setting));
    case "emphasis":
      return wrap("i", inlines(node.children, setting));
    case "delete":
      return wrap("s", inlines(node.children, setting));
    case "inlineCode":
      return wrap("code", escapeHtml(node.value));
    case "break":
      return "\n";
    case "link":
      return anchor(inlines(node.children, setting), node.url);
    case "linkReference":
      return anchor(inlines(node.children, setting), setting.targets.get(node.identifier));
    case "image":
      return anchor(escapeHtml(node.alt ?? ""), node.url);
    case "imageReference":
      return anchor(escapeHtml(node.alt ?? ""), setting.targets.get(node.identifier));
    case "footnoteReference":
      return escapeHtml(`[${node.label ?? node.identifier}]`);
    default:
      return escapeHtml(visibleText(node as Root));
  }
}

const wrap = (tag: string, html: string): string => (html === "" ? "" : `<${tag}>${html}</${tag}>`);

/** An address that Telegram would not open is shown. */
function anchor(html: string, url: string | undefined): string {
  if (url === undefined || url === "") return html;
  if (html.trim() === "") return escapeHtml(url);
  if (isOpened(url)) return `<a href="${escapeAttribute(url)}">${html.replaceAll(/<\/?a\b[^>]*>/g, "")}</a>`;
  return html === escapeHtml(url) ? html : `${html} (${escapeHtml(url)})`;
}

const isOpened = (url: string): boolean =>
  /^(?:https?:\/\/[^\s/]|tg:\/\/|mailto:\S+@)/i.test(url) && url.length <= 2048;
