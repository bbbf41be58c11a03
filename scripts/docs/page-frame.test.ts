import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { frameNotFound, framePage } from "./page-frame.ts";

const pages = [
  { address: "/docs", title: "Start", group: "First" },
  { address: "/docs/a", title: `<img src=x onerror="a()"> & 'b'`, group: "Second <b>" },
  { address: "/docs/c", title: "C", group: "Second <b>" },
];
const heading = (depth: number, text: string) => ({ depth, text, id: text.toLowerCase() });
const frame = (at: number, headings = [heading(1, "A"), heading(2, "One"), heading(3, "Two")]) => {
  const page = pages[at];
  if (!page) throw new Error("no such page");
  const html = framePage({ ...page, html: "<h1>A</h1>", headings }, pages, '1.0"<');
  return { html, document: parseHTML(html).document };
};

describe("a page of the documentation", () => {
  it("has nothing in it that a title could do, and nothing inline", () => {
    const { html, document } = frame(1);
    expect(document.querySelectorAll("[onerror], b")).toHaveLength(0);
    expect(document.querySelector("title")?.textContent).toBe(`${pages[1]?.title} · Pincer`);
    expect(html).not.toMatch(/<style|\sstyle=|<script>|javascript:/);
  });

  it("says where one is, and what comes before and after", () => {
    const { document } = frame(1);
    expect(document.querySelector(".pages [aria-current=page]")?.getAttribute("href")).toBe("/docs/a");
    expect(document.querySelectorAll(".pages details[open]")).toHaveLength(1);
    expect(document.querySelector("a[rel=prev]")?.getAttribute("href")).toBe("/docs");
    expect(document.querySelector("a[rel=next]")?.getAttribute("href")).toBe("/docs/c");
    expect(frame(0).document.querySelector("a[rel=prev]")).toBeNull();
    expect(frame(2).document.querySelector("a[rel=next]")).toBeNull();
  });

  it("leads on from an address at which there is nothing", () => {
    const { document } = parseHTML(frameNotFound(pages, "1.0"));
    expect(document.querySelector("h1")?.textContent).toBe("Nothing here");
    expect(document.querySelector("main a")?.getAttribute("href")).toBe("/docs");
    expect(document.querySelector("form[role=search] input")).not.toBeNull();
    expect(document.querySelectorAll(".pages a")).toHaveLength(pages.length);
    expect(document.querySelector("[aria-current], .neighbours, .contents, .pages details[open]")).toBeNull();
  });

  it("lists what is on it: the sections alone where there are many, and nothing where there is one", () => {
    const shown = (headings: ReturnType<typeof heading>[]) =>
      frame(1, headings).document.querySelectorAll(".contents li").length;
    expect(shown([heading(1, "A"), heading(2, "One"), heading(3, "Two")])).toBe(2);
    expect(shown([heading(1, "A"), heading(2, "One")])).toBe(0);
    const many = Array.from({ length: 50 }, (_, at) => heading(at % 2 === 0 ? 2 : 3, `H${at}`));
    expect(shown(many)).toBe(25);
  });
});
