/** The documentation as files: a page for each Markdown file, the pictures, what the browser needs besides, and the index that it searches. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { transformSync } from "@swc/core";
import { addressOf, inOrder } from "./contents.ts";
import { filesIn, root, sheets } from "./files-in.ts";
import { frameNotFound, framePage } from "./page-frame.ts";
import { renderMarkdown, type Links, type Rendered } from "./render-markdown.ts";
import { makeSearchIndex } from "./search-index.ts";

/** Every file by its path. */
export function renderFiles(): Array<[path: string, content: string | Buffer]> {
  const { pages } = renderDocs(join(root, "docs"));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return [
    ...pages.map((page): [string, string] => [fileOf(page.address), framePage(page, pages, version)]),
    ["not-found.html", frameNotFound(pages, version)],
    [
      "assets/search.json",
      JSON.stringify(makeSearchIndex(pages.filter(({ address }) => address !== "/docs"))),
    ],
    ...Object.entries(browserFiles()).map(([name, text]): [string, string] => [`assets/${name}`, text]),
    ...filesIn("docs/images").map((path): [string, Buffer] => [
      path.slice("docs/".length),
      readFileSync(join(root, path)),
    ]),
  ];
}

export interface DocPage extends Rendered {
  /** Below the folder of the documentation. */
  file: string;
  address: string;
  group: string;
}

/** Every page, and everything in them that leads nowhere. */
export function renderDocs(folder: string): { pages: DocPage[]; problems: string[] } {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    name.replaceAll("\\", "/"),
  );
  const markdown = names.filter((name) => name.endsWith(".md"));
  const problems: string[] = [];
  const wanted: Array<{ from: string; file: string; id: string }> = [];
  const pages = inOrder(markdown).map(({ file, group }) => {
    const links = linksOf(file, {
      hasPage: (path) => markdown.includes(path),
      hasFile: (path) => existsSync(join(folder, path)),
      wants: (target, id) => wanted.push({ from: file, file: target, id }),
      problem: (text) => problems.push(`${file}: ${text}`),
    });
    const rendered = renderMarkdown(readFileSync(join(folder, file), "utf8"), links);
    return { ...rendered, file, group, address: addressOf(file) };
  });
  const ids = new Map(pages.map(({ file, headings }) => [file, new Set(headings.map(({ id }) => id))]));
  for (const { from, file, id } of wanted)
    if (!ids.get(file)?.has(id)) problems.push(`${from}: ${file} has no heading #${id}`);
  return { pages, problems };
}

interface LinkGround {
  hasPage(path: string): boolean;
  hasFile(path: string): boolean;
  /** Told of every link to a heading. */
  wants(file: string, id: string): void;
  problem(text: string): void;
}

/** Links between pages lead to where they are served; what lies outside of the documentation must exist and becomes plain text. */
export function linksOf(file: string, ground: LinkGround): Links {
  return {
    link(href) {
      if (href.startsWith("https://")) return href;
      if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("//"))
        return void ground.problem(`${href} is not a link that is followed`);
      const [path = "", id = ""] = href.split("#", 2).map(decoded);
      const target = path === "" ? file : posix.join(posix.dirname(file), path);
      if (!ground.hasPage(target)) {
        if (!ground.hasFile(target)) ground.problem(`${href} leads nowhere`);
        return undefined;
      }
      if (id !== "") ground.wants(target, id);
      const anchor = id === "" ? "" : `#${encodeURIComponent(id)}`;
      return path === "" ? anchor : `${addressOf(target)}${anchor}`;
    },
    image(href) {
      const target = posix.join(posix.dirname(file), decoded(href));
      if (/^[a-z][a-z0-9+.-]*:/i.test(href) || !target.startsWith("images/") || !ground.hasFile(target))
        return void ground.problem(`the picture ${href} is not there`);
      return `/docs/${target}`;
    },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const fileOf = (address: string): string =>
  address === "/docs" ? "index.html" : `${address.slice("/docs/".length)}.html`;

/** What the browser gets besides the pages; TypeScript loses its types and keeps its lines. */
function browserFiles(): Record<string, string> {
  const read = (path: string) => readFileSync(join(root, "web", path), "utf8");
  const script = (name: string) =>
    transformSync(read(`src/docs/${name}.ts`), {
      jsc: { parser: { syntax: "typescript" }, target: "es2022", minify: { compress: true, mangle: true } },
      module: { type: "es6" },
      minify: true,
    }).code.replaceAll(/(["'])\.\/(\w+)\.ts\1/g, '"./$2.js"');
  return {
    "docs.css": sheets.map((path) => readFileSync(join(root, path), "utf8")).join("\n"),
    "favicon.svg": read("public/favicon.svg"),
    ...Object.fromEntries(["docs", "theme", "search", "words"].map((name) => [`${name}.js`, script(name)])),
  };
}
