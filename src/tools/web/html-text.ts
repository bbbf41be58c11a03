/** The text of a page, as Markdown or plain: its article if there is one, otherwise everything. */
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom/worker";
import TurndownService from "turndown";
import { removeHiddenParts, type PageElement } from "./hidden-parts.ts";

export type PageFormat = "markdown" | "text";

export interface HtmlText {
  title: string;
  text: string;
}

/** If less than this lies outside the article, the article is the page. */
const leastArticle = 200;
const longestLink = 500;

export function htmlToText(html: string, url: string, format: PageFormat): HtmlText {
  const document = documentOf(html);
  const title = (document.querySelector("title")?.textContent ?? "").trim();
  removeHiddenParts(document.documentElement);
  makeLinksWhole(document.documentElement, url);
  const article = articleOf(document);
  const root = (article ? documentOf(article.content).body : document.body) as unknown as PageElement;
  // Pages without a head have their title in the body.
  for (const element of Array.from(root.querySelectorAll("title"))) element.remove();
  const text = format === "markdown" ? toMarkdown(root) : plainText(root);
  return { title: article?.title || title, text: tidied(text) };
}

interface PageDocument {
  documentElement: PageElement;
  body: PageElement;
  querySelector(selector: string): PageElement | null;
  cloneNode(deep: boolean): unknown;
}

/** Wraps a fragment in a page: without one the parser has no body. */
function documentOf(html: string): PageDocument {
  const whole = /<html[\s>]/i.test(html)
    ? html
    : `<!doctype html><html><head></head><body>${html}</body></html>`;
  return parseHTML(whole).document as unknown as PageDocument;
}

function articleOf(document: PageDocument): { title: string; content: string } | undefined {
  // It modifies its input.
  const copy = document.cloneNode(true) as ConstructorParameters<typeof Readability>[0];
  const found = new Readability(copy, { charThreshold: leastArticle }).parse();
  const length = (found?.textContent ?? "").trim().length;
  if (!found?.content || length < leastArticle) return undefined;
  return { title: (found.title ?? "").trim(), content: found.content };
}

function makeLinksWhole(root: PageElement, url: string): void {
  for (const link of root.querySelectorAll("a")) {
    const target = URL.parse(link.getAttribute("href") ?? "", url);
    const isOfWeb = target?.protocol === "http:" || target?.protocol === "https:";
    if (target && isOfWeb && target.href.length <= longestLink) link.setAttribute("href", target.href);
    else link.removeAttribute("href");
  }
}

function toMarkdown(root: PageElement): string {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  service.addRule("rows", {
    filter: "tr",
    replacement: (content) => `${content.trim()}\n`,
  });
  service.addRule("cells", {
    filter: ["td", "th"],
    replacement: (content) => `${content.replace(/\s+/g, " ").trim()} | `,
  });
  return service.turndown(root as unknown as Parameters<TurndownService["turndown"]>[0]);
}

const blocks = new Set(
  [
    "address article aside blockquote br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5",
    "h6 header hr li main nav ol p pre section summary table tr ul",
  ]
    .join(" ")
    .split(" "),
);
const cells = ["td", "th"];
const textNode = 3;

function plainText(root: PageElement): string {
  const parts: string[] = [];
  const walk = (node: PlainNode, isAsWritten: boolean): void => {
    if (node.nodeType === textNode) {
      const words = String(node.textContent ?? "");
      parts.push(isAsWritten ? words : words.replace(/\s+/g, " "));
      return;
    }
    const tag = (node.tagName ?? "").toLowerCase();
    const isBlock = blocks.has(tag);
    if (isBlock) parts.push("\n");
    for (const child of node.childNodes) walk(child, isAsWritten || tag === "pre");
    parts.push(isBlock ? "\n" : cells.includes(tag) ? " " : "");
  };
  walk(root as PlainNode, false);
  return parts.join("");
}

interface PlainNode {
  nodeType: number;
  childNodes: Iterable<PlainNode>;
  textContent?: string | null;
  tagName?: string;
}

const tidied = (text: string): string =>
  text
    .replace(/[^\S\n]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
