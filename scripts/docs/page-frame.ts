/** A page of the documentation as a whole: head, navigation, words, what comes before and after. Nothing in it is inline. */
import { escapeHtml } from "./escape-html.ts";
import type { Heading } from "./render-markdown.ts";

export interface FramedPage {
  address: string;
  title: string;
  group: string;
  html: string;
  headings: readonly Heading[];
}

export interface PageLink {
  address: string;
  title: string;
  group: string;
}

/** Pure. `pages` is all of them, in order; `version` is that of the product. */
export function framePage(page: FramedPage, pages: readonly PageLink[], version: string): string {
  const at = pages.findIndex(({ address }) => address === page.address);
  const isStart = page.address === "/docs";
  const contents = contentsOf(page.headings);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${isStart ? "Pincer: documentation" : `${escapeHtml(page.title)} · Pincer`}</title>
<link rel="icon" href="/docs/assets/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/docs.css">
<script src="/docs/assets/theme.js"></script>
<script src="/docs/assets/docs.js" type="module"></script>
</head>
<body>
<a class="skip button" href="#words">Skip to the text</a>
<header class="top">
<button class="quiet menu" id="menu" type="button" aria-expanded="false" aria-controls="pages">Menu</button>
<a class="brand" href="/docs"><img src="/docs/assets/favicon.svg" alt="" width="24" height="24">Pincer <span>docs</span></a>
<form class="search" role="search" id="search">
<label class="visually-hidden" for="query">Search the documentation</label>
<input id="query" type="search" autocomplete="off" spellcheck="false" placeholder="Search (/)" role="combobox" aria-expanded="false" aria-controls="hits" aria-autocomplete="list">
<div id="hits" role="listbox" aria-label="Pages found" hidden></div>
<p class="visually-hidden" id="found" role="status"></p>
</form>
<button class="quiet" id="theme" type="button" aria-label="Light or dark">◐</button>
<a class="button open" href="/">Open Pincer</a>
</header>
<div class="columns">
<nav class="pages" id="pages" aria-label="Pages">
${navigation(page, pages)}<p class="version">Pincer ${escapeHtml(version)}</p>
</nav>
<main id="words" tabindex="-1">
${contents === "" ? "" : `<details class="contents-small"><summary>On this page</summary>\n<ul>${contents}</ul></details>\n`}<article>
${page.html}</article>
${at < 0 ? "" : neighbours(pages[at - 1], pages[at + 1])}</main>
${contents === "" ? "" : `<nav class="contents" aria-label="On this page"><p>On this page</p>\n<ul>${contents}</ul></nav>\n`}</div>
</body>
</html>
`;
}

/** What is shown at addresses at which there is nothing: the way home, every page beside it, and the search above. Pure. */
export const frameNotFound = (pages: readonly PageLink[], version: string): string =>
  framePage(
    {
      address: "",
      title: "Nothing here",
      group: "",
      headings: [],
      html: `<h1>Nothing here</h1>
<p>The documentation has no page at this address. It may have another name by now: search for it above, or look through the pages.</p>
<p><a href="/docs">The documentation from its beginning</a></p>
`,
    },
    pages,
    version,
  );

function navigation(page: FramedPage, pages: readonly PageLink[]): string {
  const groups = Map.groupBy(pages, ({ group }) => group);
  return [...groups]
    .map(([name, members]) => {
      const links = members.map(({ address, title }) => {
        const current = address === page.address ? ' aria-current="page"' : "";
        return `<li><a href="${escapeHtml(address)}"${current}>${escapeHtml(title)}</a></li>`;
      });
      const open = name === page.group ? " open" : "";
      return `<details${open}><summary>${escapeHtml(name)}</summary><ul>\n${links.join("\n")}\n</ul></details>\n`;
    })
    .join("");
}

/** Long pages show their sections alone, short ones also what is below them; a page with one section needs none. */
function contentsOf(headings: readonly Heading[]): string {
  const sections = headings.filter(({ depth }) => depth === 2 || depth === 3);
  const shown = sections.length > 40 ? sections.filter(({ depth }) => depth === 2) : sections;
  if (shown.length < 2) return "";
  return shown
    .map(
      ({ id, text, depth }) =>
        `<li class="depth-${depth}"><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
    )
    .join("\n");
}

function neighbours(before: PageLink | undefined, after: PageLink | undefined): string {
  const link = (page: PageLink, kind: "prev" | "next", words: string) =>
    `<a class="${kind}" rel="${kind}" href="${escapeHtml(page.address)}"><span>${words}</span> ${escapeHtml(page.title)}</a>`;
  const links = [before && link(before, "prev", "Previous"), after && link(after, "next", "Next")];
  return `<nav class="neighbours" aria-label="Previous and next page">${links.filter(Boolean).join("\n")}</nav>\n`;
}
