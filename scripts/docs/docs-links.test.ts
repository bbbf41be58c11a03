/** Nothing in the documentation leads nowhere, and what it says of files is so. */
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { explanations } from "../../src/operate/doctor/explain-finding.ts";
import { groups, inOrder } from "./contents.ts";
import { renderDocs } from "./render-docs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { pages, problems } = renderDocs(join(root, "docs"));

describe("the documentation", () => {
  it("DOC-02 has no link, heading or picture that leads nowhere", () => {
    expect(problems).toEqual([]);
    expect(pages.length).toBeGreaterThan(50);
  });

  it("names no page in its contents that is not there", () => {
    const named = groups.flatMap(({ files }) => files).filter((file) => !file.endsWith("/"));
    expect(named.filter((file) => !existsSync(join(root, "docs", file)))).toEqual([]);
  });

  it("has a place for every page, and a title of its own for each", () => {
    const files = pages.map(({ file }) => file);
    expect(new Set(files).size).toBe(files.length);
    expect(new Set(pages.map(({ address }) => address)).size).toBe(pages.length);
    const titles = pages.map(({ title }) => title);
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
    const isTitle = ({ depth }: { depth: number }) => depth === 1;
    const untitled = pages.filter(({ headings }) => headings.filter(isTitle).length !== 1);
    expect(untitled.map(({ file }) => file)).toEqual([]);
  });

  it("never skips a level of headings, so that it can be read out", () => {
    const skipping = pages.flatMap(({ file, headings }) =>
      headings
        .filter(({ depth }, at) => depth > (headings[at - 1]?.depth ?? 0) + 1)
        .map(({ text }) => `${file}: ${text}`),
    );
    expect(skipping).toEqual([]);
  });

  it("has the guides that the product itself sends people to", () => {
    const guides = Object.values(explanations).map(({ guide }) => `/docs/${guide}`);
    const addresses = pages.map(({ address }) => address);
    expect(guides.filter((guide) => !addresses.includes(guide))).toEqual([]);
  });

  it("leads from its first page to every other but the decisions", () => {
    const start = readFileSync(join(root, "docs/README.md"), "utf8");
    const linked = new Set(Array.from(start.matchAll(/\]\(([^)#]+)\)/g), ([, path]) => path));
    const missing = pages.map(({ file }) => file).filter((file) => !file.startsWith("decisions/0"));
    expect(missing.filter((file) => file !== "README.md" && !linked.has(file))).toEqual([]);
  });

  it("DOC-02 tells the architecture in nine chapters, in which every file that is named exists", () => {
    const chapters = pages.filter(({ file }) => file.startsWith("architecture/"));
    expect(chapters.map(({ file }) => file.slice("architecture/".length))).toEqual([
      "01-overview.md",
      "02-message-flow.md",
      "03-plugins.md",
      "04-runtime.md",
      "05-tools.md",
      "06-streaming.md",
      "07-auth.md",
      "08-sessions.md",
      "09-end-to-end.md",
    ]);
    const sources = globSync(["*.ts", "{src,packages,channels,scripts,test,web,bench}/**/*.ts"], {
      cwd: root,
      exclude: ["**/node_modules"],
    }).map((path) => `/${path.replaceAll("\\", "/")}`);
    const dangling = [
      "architecture.md",
      "security.md",
      "extending.md",
      ...chapters.map(({ file }) => file),
    ].flatMap((file) => {
      const text = readFileSync(join(root, "docs", file), "utf8");
      return Array.from(text.matchAll(/`([\w@./-]+\.ts)`/g), ([, path = ""]) => path)
        .filter((path) => !sources.some((source) => source.endsWith(`/${path}`)))
        .map((path) => `${file}: ${path}`);
    });
    expect(dangling).toEqual([]);
  });
});

describe("a folder of pages", () => {
  let folder = "";
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const render = (files: Record<string, string>) => {
    folder = mkdtempSync(join(tmpdir(), "docs-"));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return renderDocs(folder);
  };

  it.each([
    ["a page that is not there", "[x](nowhere.md)", "a.md: nowhere.md leads nowhere"],
    ["a heading that is not there", "[x](b.md#none)", "a.md: b.md has no heading #none"],
    ["a heading of its own that is not there", "[x](#none)", "a.md: a.md has no heading #none"],
    [
      "a picture that is not there",
      "![x](images/none.png)",
      "a.md: the picture images/none.png is not there",
    ],
    [
      "a picture from elsewhere",
      "![x](https://e.com/i.png)",
      "a.md: the picture https://e.com/i.png is not there",
    ],
    [
      "a scheme that is not followed",
      "[x](http://e.com)",
      "a.md: http://e.com is not a link that is followed",
    ],
    ["a picture that is none", "![x](b.md)", "a.md: the picture b.md is not there"],
    ["a host without a scheme", "[x](//e.com/y)", "a.md: //e.com/y is not a link that is followed"],
  ])("tells of %s", (_name, text, problem) => {
    expect(render({ "a.md": `# A\n\n${text}`, "b.md": "# B" }).problems).toEqual([problem]);
  });

  it("leads from page to page, and says what lies outside as plain text", () => {
    const { pages, problems } = render({
      "guides/a.md": "# A\n\n[b](../b.md#some-part) [self](#a) [file](../x.ts) [up](../README.md)",
      "b.md": "# B\n\n## Some part",
      "README.md": "# Start",
      "x.ts": "",
    });
    expect(problems).toEqual([]);
    const html = pages.find(({ file }) => file === "guides/a.md")?.html;
    expect(html).toContain(
      '<a href="/docs/b#some-part">b</a> <a href="#a">self</a> file <a href="/docs">up</a>',
    );
  });

  it("puts a page that no group names with the reference", () => {
    expect(inOrder(["zebra.md", "quick-start.md"])).toEqual([
      { file: "quick-start.md", group: "Quick start" },
      { file: "zebra.md", group: "Reference" },
    ]);
  });
});
